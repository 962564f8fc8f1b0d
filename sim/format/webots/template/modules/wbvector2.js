// Vectors in a plane: {x, y}.
(function () {
  const make = (x, y) => ({x: x, y: y});
  const minus = (a, b) => make(a.x - b.x, a.y - b.y);
  const dot = (a, b) => a.x * b.x + a.y * b.y;
  const cross = (a, b) => a.x * b.y - a.y * b.x;
  const norm = (v) => Math.sqrt(dot(v, v));
  return {
    minus, dot, cross, norm,
    equal: (a, b) => a.x === b.x && a.y === b.y,
    add: (a, b) => make(a.x + b.x, a.y + b.y),
    multiply: (v, s) => make(v.x * s, v.y * s),
    distance: (a, b) => norm(minus(a, b)),
    // The angle of a − b, from the y axis.
    angle: (a, b) => Math.atan2(a.x - b.x, a.y - b.y),
    normalize(v) {
      const n = norm(v);
      if (n === 0)
        throw new Error('wbvector2.normalize: the vector has no direction');
      return make(v.x / n, v.y / n);
    },
    // a + s (b − a) = c + t (d − c), with s and t from 0 to 1.
    intersection(a, b, c, d) {
      const ab = minus(b, a), cd = minus(d, c), ac = minus(c, a), area = cross(ab, cd);
      if (area === 0)
        return null;
      const s = cross(ac, cd) / area, t = cross(ac, ab) / area;
      return s < 0 || s > 1 || t < 0 || t > 1 ? null : make(a.x + s * ab.x, a.y + s * ab.y);
    }
  };
})();
