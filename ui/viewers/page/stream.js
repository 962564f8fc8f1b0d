// The twin of package stream's Decoder: frames of motion become poses. All numbers are integers below 2^53, or
// float64 in the order of operations that the server has, so that both hold the same bits.

const posUnit = 1 / 4096, turnUnit = 1 / 2048, quatUnit = 32767, posMost = 2147483647;
const mostPoses = 65536, mostCoarse = 5;
const half = 1024; // of probabilities

export class FrameError extends Error {}

class Source {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }
  byte() {
    if (this.at >= this.bytes.length) throw new FrameError('frame is cut off');
    return this.bytes[this.at++];
  }
  unsigned() {
    let v = 0, scale = 1;
    for (let i = 0; i < 8; i++, scale *= 128) {
      const b = this.byte();
      v += (b & 127) * scale;
      if (b < 128) return v;
    }
    throw new FrameError('number is too long');
  }
  signed() {
    const v = this.unsigned();
    return v % 2 ? -(v + 1) / 2 : v / 2;
  }
}

class RangeDecoder {
  begin(bytes, at) {
    this.bytes = bytes; this.at = at; this.width = 0xffffffff; this.code = 0;
    for (let i = 0; i < 5; i++) this.code = (this.code << 8 | this.next()) >>> 0;
  }
  next() { return this.at < this.bytes.length ? this.bytes[this.at++] : 0; }
  bit(probs, i) {
    const p = probs[i], bound = (this.width >>> 11) * p;
    let bit = 0;
    if (this.code < bound) {
      this.width = bound;
      probs[i] = p + (2048 - p >> 4);
    } else {
      bit = 1;
      this.code -= bound;
      this.width -= bound;
      probs[i] = p - (p >> 4);
    }
    while (this.width < 16777216) {
      this.width = this.width * 256 >>> 0;
      this.code = (this.code << 8 | this.next()) >>> 0;
    }
    return bit;
  }
  raw(n) {
    let v = 0;
    for (; n > 0; n--) {
      this.width >>>= 1;
      v *= 2;
      if (this.code >= this.width) { this.code -= this.width; v++; }
      while (this.width < 16777216) {
        this.width = this.width * 256 >>> 0;
        this.code = (this.code << 8 | this.next()) >>> 0;
      }
    }
    return v;
  }
}

// Header reads what stands before the poses of a frame.
function header(s) {
  const kind = s.byte();
  if (kind !== 1 && kind !== 2) throw new FrameError('kind is unknown');
  return {keyframe: kind === 2, world: s.unsigned(), scene: s.unsigned(), seq: s.unsigned(),
    time: s.signed() / 1e6, state: s.byte()};
}

// worldOf is the number of the world that a frame is of.
export function worldOf(bytes) { return header(new Source(bytes)).world; }

export class Decoder {
  constructor() {
    this.count = 0;
    this.header = null;
    this.coder = new RangeDecoder();
    this.still = new Uint16Array(4);
    this.jump = new Uint16Array(1);
    this.size = new Uint16Array(3 * 6 * 24);
    this.top = new Uint16Array(3 * 24);
    this.residual = new Float64Array(6);
    this.predicted = new Float64Array(4);
  }

  // decode takes a frame; a FrameError asks for a keyframe.
  decode(bytes) {
    const s = new Source(bytes), h = header(s);
    if (h.keyframe) {
      this.keyframe(s);
    } else {
      const l = this.header;
      if (!l || h.world !== l.world || h.scene !== l.scene || h.seq !== (l.seq + 1) % 4294967296) throw new FrameError('frames are missing');
      const coarse = s.byte();
      if (coarse > mostCoarse) throw new FrameError('step is unknown');
      this.delta(bytes, s.at, coarse);
    }
    this.header = h;
    return h;
  }

  keyframe(s) {
    const n = s.unsigned();
    if (n > mostPoses || n * 14 > s.bytes.length - s.at) throw new FrameError('poses are missing');
    const now = new Float64Array(7 * n), before = new Float64Array(7 * n);
    for (let i = 0; i < 7 * n; i++) {
      now[i] = s.signed();
      before[i] = now[i] - s.signed();
    }
    this.count = n; this.now = now; this.before = before;
  }

  delta(bytes, at, coarse) {
    this.coder.begin(bytes, at);
    this.still.fill(half); this.jump[0] = 2048 - 64; this.size.fill(half); this.top.fill(half);
    let before = 1;
    for (let i = 0; i < this.count; i++) {
      const k = 7 * i, context = 2 * before + (this.rests(k) ? 1 : 0);
      before = 1 - this.coder.bit(this.still, context);
      if (before) {
        for (let j = k; j < k + 7; j++) this.before[j] = this.now[j];
      } else {
        this.move(k, coarse);
      }
    }
  }

  rests(k) {
    for (let j = k; j < k + 7; j++) if (this.now[j] !== this.before[j]) return false;
    return true;
  }

  move(k, coarse) {
    const c = this.coder, now = this.now, before = this.before;
    if (c.bit(this.jump, 0)) {
      for (let j = 0; j < 3; j++) now[k + j] = before[k + j] = c.raw(32) | 0;
      let any = false;
      for (let j = 3; j < 7; j++) {
        now[k + j] = before[k + j] = c.raw(16) << 16 >> 16;
        any = any || now[k + j] !== 0;
      }
      if (!any) now[k + 3] = before[k + 3] = quatUnit;
      return;
    }
    const r = this.residual;
    let near = 0;
    for (let j = 0; j < 6; j++) {
      const g = j === 2 ? 1 : j > 2 ? 2 : 0, base = (g * 6 + near) * 24;
      let size = 0;
      while (size < 23 && c.bit(this.size, base + size)) size++;
      near = Math.min(size, 5);
      r[j] = 0;
      if (!size) continue;
      const negative = c.raw(1);
      let v = 1;
      if (size > 1) {
        v = v * 2 + c.bit(this.top, g * 24 + size);
        v = v * 2 ** (size - 2) + c.raw(size - 2);
      }
      r[j] = negative ? -v : v;
    }
    this.apply(k, coarse);
  }

  apply(k, coarse) {
    const now = this.now, before = this.before, r = this.residual, step = 2 ** coarse;
    const q = this.predict(k);
    for (let j = 0; j < 3; j++) {
      const to = 2 * now[k + j] - before[k + j] + r[j] * step;
      before[k + j] = now[k + j];
      now[k + j] = Math.max(-posMost, Math.min(posMost, to));
    }
    const h = turnUnit / 2 * step, x = r[3] * h, y = r[4] * h, z = r[5] * h;
    const w1 = q[0] - x * q[1] - y * q[2] - z * q[3];
    const x1 = q[1] + x * q[0] + y * q[3] - z * q[2];
    const y1 = q[2] - x * q[3] + y * q[0] + z * q[1];
    const z1 = q[3] + x * q[2] - y * q[1] + z * q[0];
    const n = Math.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1), known = n > 1e-9 && n <= 1e100;
    const next = [w1, x1, y1, z1];
    for (let j = 0; j < 4; j++) {
      before[k + 3 + j] = now[k + 3 + j];
      if (known) now[k + 3 + j] = Math.floor(next[j] / n * quatUnit + 0.5);
    }
  }

  // predict continues the turn of a pose.
  predict(k) {
    const a = this.now.subarray(k + 3, k + 7), b = this.before, o = k + 3;
    const t = times(a[0], a[1], a[2], a[3], b[o], -b[o + 1], -b[o + 2], -b[o + 3]);
    const p = times(t[0], t[1], t[2], t[3], a[0], a[1], a[2], a[3]);
    const n = Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]), q = this.predicted;
    for (let j = 0; j < 4; j++) q[j] = p[j] / n;
    return q;
  }

  // read writes all poses into out: x, y, z in m, and w, x, y, z of a quaternion of length 1.
  read(out) {
    for (let i = 0, k = 0; i < this.count; i++, k += 7) {
      for (let j = 0; j < 3; j++) out[k + j] = this.now[k + j] * posUnit;
      const n = Math.hypot(this.now[k + 3], this.now[k + 4], this.now[k + 5], this.now[k + 6]) || 1;
      for (let j = 3; j < 7; j++) out[k + j] = this.now[k + j] / n;
    }
    return out;
  }
}

function times(aw, ax, ay, az, bw, bx, by, bz) {
  return [aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw];
}
