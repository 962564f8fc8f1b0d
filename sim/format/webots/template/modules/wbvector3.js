// Vectors in space: {x, y, z}.
(function () {
  const make = (x, y, z) => ({x: x, y: y, z: z});
  const minus = (a, b) => make(a.x - b.x, a.y - b.y, a.z - b.z);
  const dot = (a, b) => a.x * b.x + a.y * b.y + a.z * b.z;
  const norm = (v) => Math.sqrt(dot(v, v));
  return {
    minus, dot, norm,
    equal: (a, b) => a.x === b.x && a.y === b.y && a.z === b.z,
    add: (a, b) => make(a.x + b.x, a.y + b.y, a.z + b.z),
    multiply: (v, s) => make(v.x * s, v.y * s, v.z * s),
    distance: (a, b) => norm(minus(a, b)),
    cross: (a, b) => make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x),
    normalize(v) {
      const n = norm(v);
      if (n === 0)
        throw new Error('wbvector3.normalize: the vector has no direction');
      return make(v.x / n, v.y / n, v.z / n);
    }
  };
})();
