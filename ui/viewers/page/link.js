// Link keeps a WebSocket to the server, and opens it again when it is lost.

export class Link {
  constructor(handlers) {
    this.handlers = handlers;
    this.wanted = [];
    this.wait = 500;
    this.bytes = 0;
    this.open();
  }

  open() {
    this.socket = new WebSocket(new URL('stream', location.href.replace(/^http/, 'ws')));
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => { this.wait = 500; this.handlers.status(true); };
    this.socket.onclose = () => {
      this.handlers.status(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(8000, 2 * this.wait);
    };
    this.socket.onmessage = ({data}) => {
      if (typeof data === 'string') {
        this.bytes += data.length;
        const m = JSON.parse(data);
        if (m.type === 'worlds') this.handlers.worlds(m.worlds ?? []);
        if (m.type === 'scene') this.handlers.scene(m.scene);
        if (m.type === 'lamps') this.handlers.lamps(m.lamps);
      } else {
        this.bytes += data.byteLength;
        this.handlers.frame(new Uint8Array(data));
      }
    };
  }

  // watch asks for worlds by their numbers. again: they are to begin anew.
  watch(ids, again = false) {
    this.wanted = ids;
    if (this.socket.readyState !== WebSocket.OPEN) return;
    if (again) this.socket.send('{"watch":[]}');
    this.socket.send(JSON.stringify({watch: ids}));
  }
}
