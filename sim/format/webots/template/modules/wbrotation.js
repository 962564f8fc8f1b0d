// Rotations: by an axis and an angle {x, y, z, a}, unit quaternions {w, x, y, z}, and matrices of nine numbers
// row by row.
(function () {
  const isIdentity = (r) => r.a === 0;
  // The same rotation with an axis of length 1 (the y axis when it has none) and an angle within ±π.
  const normalize = (r) => {
    const n = Math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
    const axis = n > 0 ? {x: r.x / n, y: r.y / n, z: r.z / n} : {x: 0, y: 1, z: 0};
    let a = r.a;
    if (a < -Math.PI || a > Math.PI)
      a -= 2 * Math.PI * Math.round(a / (2 * Math.PI));
    return {x: axis.x, y: axis.y, z: axis.z, a: a};
  };
  const toQuaternion = (r) => {
    const u = normalize(r), s = Math.sin(u.a / 2);
    return {w: Math.cos(u.a / 2), x: u.x * s, y: u.y * s, z: u.z * s};
  };
  const fromQuaternion = (q) => {
    const n = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z), a = 2 * Math.atan2(n, q.w);
    if (n < 0.00005 && q.w > 0)
      return {x: 0, y: 1, z: 0, a: 0};
    return {x: q.x / n, y: q.y / n, z: q.z / n, a: a};
  };
  // Rodrigues: cos a + (1 − cos a) u uᵀ + sin a [u]×.
  const toMatrix3 = (r) => {
    const c = Math.cos(r.a), s = Math.sin(r.a), k = 1 - c, {x, y, z} = r;
    return [k * x * x + c, k * x * y - s * z, k * x * z + s * y,
      k * y * x + s * z, k * y * y + c, k * y * z - s * x,
      k * z * x - s * y, k * z * y + s * x, k * z * z + c];
  };
  // Shepperd: divides by the largest of the four parts of the quaternion.
  const fromMatrix3 = (m) => {
    const trace = m[0] + m[4] + m[8];
    const q = {w: 1 + trace, x: 1 + 2 * m[0] - trace, y: 1 + 2 * m[4] - trace, z: 1 + 2 * m[8] - trace};
    const wx = m[7] - m[5], wy = m[2] - m[6], wz = m[3] - m[1], xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7];
    const most = Math.max(q.w, q.x, q.y, q.z);
    let v;
    if (most === q.w)
      v = {w: most, x: wx, y: wy, z: wz};
    else if (most === q.x)
      v = {w: wx, x: most, y: xy, z: xz};
    else if (most === q.y)
      v = {w: wy, x: xy, y: most, z: yz};
    else
      v = {w: wz, x: xz, y: yz, z: most};
    const n = (v.w < 0 ? -1 : 1) * Math.sqrt(v.w * v.w + v.x * v.x + v.y * v.y + v.z * v.z);
    return fromQuaternion({w: v.w / n, x: v.x / n, y: v.y / n, z: v.z / n});
  };
  const combine = (a, b) => {
    const p = toQuaternion(a), q = toQuaternion(b);
    return fromQuaternion({
      w: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
      x: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      y: p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
      z: p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w
    });
  };
  const rotateVector3ByMatrix3 = (m, v) => ({
    x: m[0] * v.x + m[1] * v.y + m[2] * v.z,
    y: m[3] * v.x + m[4] * v.y + m[5] * v.z,
    z: m[6] * v.x + m[7] * v.y + m[8] * v.z
  });
  const rotateVector3ByRotation = (r, v) => rotateVector3ByMatrix3(toMatrix3(normalize(r)), v);
  return {
    isIdentity, normalize, toQuaternion, fromQuaternion, toMatrix3, fromMatrix3, combine, rotateVector3ByMatrix3,
    rotateVector3ByRotation,
    equal: (a, b) => a.x === b.x && a.y === b.y && a.z === b.z && a.a === b.a,
    rotateVector3ByQuaternion: (q, v) => rotateVector3ByRotation(fromQuaternion(q), v)
  };
})();
