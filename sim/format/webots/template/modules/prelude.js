// What the interpreter does at once, and here is counted step by step; and what Webots has for all templates.
(function () {
  const define = (owner, name, value) => Object.defineProperty(owner, name,
    {value: value, writable: true, configurable: true, enumerable: false});

  define(Array, 'from', (source, map) => {
    const list = [];
    if (source[Symbol.iterator]) {
      for (const item of source)
        list.push(map ? map(item, list.length) : item);
    } else {
      for (let i = 0; i < source.length; ++i)
        list.push(map ? map(source[i], i) : source[i]);
    }
    return list;
  });

  const flatten = (list, depth, into) => {
    for (const item of list) {
      if (Array.isArray(item) && depth > 0)
        flatten(item, depth - 1, into);
      else
        into.push(item);
    }
    return into;
  };
  define(Array.prototype, 'flat', function (depth = 1) { return flatten(this, depth, []); });
  define(Array.prototype, 'flatMap', function (map) { return flatten(this.map(map), 1, []); });

  const quiet = () => {};

  // One that is bound again and again would call itself in the interpreter, where nothing counts.
  define(Object.getPrototypeOf(quiet), 'bind', function (of, ...first) {
    return (...others) => this.apply(of, [...first, ...others]);
  });

  const quote = (text) => '"' + text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t') + '"';
  const stringify = (value, indent, margin) => {
    if (value !== null && typeof value === 'object' && typeof value.toJSON === 'function')
      value = value.toJSON();
    if (typeof value === 'string')
      return quote(value);
    if (typeof value === 'number')
      return isFinite(value) ? String(value) : 'null';
    if (typeof value === 'boolean' || value === null)
      return String(value);
    if (typeof value !== 'object')
      return undefined;
    const inner = margin + indent;
    const parts = [];
    if (Array.isArray(value)) {
      for (const item of value)
        parts.push(stringify(item, indent, inner) ?? 'null');
    } else {
      for (const key of Object.keys(value)) {
        const text = stringify(value[key], indent, inner);
        if (text !== undefined)
          parts.push(quote(key) + (indent ? ': ' : ':') + text);
      }
    }
    const open = Array.isArray(value) ? '[' : '{', close = Array.isArray(value) ? ']' : '}';
    if (!indent || parts.length === 0)
      return open + parts.join(',') + close;
    return open + '\n' + inner + parts.join(',\n' + inner) + '\n' + margin + close;
  };
  define(JSON, 'stringify', (value, replacer, indent = '') =>
    stringify(value, typeof indent === 'number' ? ' '.repeat(Math.min(indent, 10)) : String(indent).slice(0, 10), ''));

  // The clock stands still, so that a template makes the same every time.
  define(globalThis, 'Date', class Date {
    static now() { return 0; }
    getTime() { return 0; }
    valueOf() { return 0; }
    toISOString() { return '1970-01-01T00:00:00.000Z'; }
    toString() { return this.toISOString(); }
  });

  const loud = (...texts) => __say(texts.join(' '));
  define(globalThis, 'console', {log: quiet, info: quiet, debug: quiet, warn: loud, error: loud});
  define(globalThis, 'wbfile', {
    fileExists: () => false,
    readTextFile: (path) => { throw new Error('wbfile.readTextFile: templates read no files here: ' + path); },
    writeTextFile: (name) => { __say('wbfile.writeTextFile: templates write no files here: ' + name); return false; }
  });
})();
