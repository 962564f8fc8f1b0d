// 4 × 4 matrices in column order, as WebGL has them.

export function perspective(fovy, aspect, near, far) {
  const f = 1 / Math.tan(fovy / 2), m = new Float32Array(16);
  m[0] = f / aspect; m[5] = f; m[10] = (far + near) / (near - far); m[11] = -1; m[14] = 2 * far * near / (near - far);
  return m;
}

export function orthographic(half, near, far) {
  const m = new Float32Array(16);
  m[0] = 1 / half; m[5] = 1 / half; m[10] = 2 / (near - far); m[14] = (far + near) / (near - far); m[15] = 1;
  return m;
}

export function multiply(a, b) {
  const m = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
    let s = 0;
    for (let k = 0; k < 4; k++) s += a[4 * k + r] * b[4 * c + k];
    m[4 * c + r] = s;
  }
  return m;
}

// lookAt is the view from eye to a point, with z up.
export function lookAt(eye, at, up = [0, 0, 1]) {
  const z = unit([eye[0] - at[0], eye[1] - at[1], eye[2] - at[2]]);
  let x = cross(up, z);
  if (Math.hypot(...x) < 1e-6) x = cross([0, 1, 0], z);
  x = unit(x);
  const y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

// rigid is the matrix of a pose at p[k…]: x, y, z, and w, x, y, z of a quaternion.
export function rigid(p, k = 0, m = new Float32Array(16), o = 0) {
  const w = p[k + 3], x = p[k + 4], y = p[k + 5], z = p[k + 6];
  m[o] = 1 - 2 * (y * y + z * z); m[o + 1] = 2 * (x * y + w * z); m[o + 2] = 2 * (x * z - w * y); m[o + 3] = 0;
  m[o + 4] = 2 * (x * y - w * z); m[o + 5] = 1 - 2 * (x * x + z * z); m[o + 6] = 2 * (y * z + w * x); m[o + 7] = 0;
  m[o + 8] = 2 * (x * z + w * y); m[o + 9] = 2 * (y * z - w * x); m[o + 10] = 1 - 2 * (x * x + y * y); m[o + 11] = 0;
  m[o + 12] = p[k]; m[o + 13] = p[k + 1]; m[o + 14] = p[k + 2]; m[o + 15] = 1;
  return m;
}

// within writes the matrix of a pose b at b[j…] in the frame of a pose a at a[k…].
export function within(a, k, b, j, m, o) {
  const w = a[k + 3], x = a[k + 4], y = a[k + 5], z = a[k + 6], v = rotate(w, x, y, z, b[j], b[j + 1], b[j + 2]);
  const bw = b[j + 3], bx = b[j + 4], by = b[j + 5], bz = b[j + 6];
  return rigid([v[0] + a[k], v[1] + a[k + 1], v[2] + a[k + 2], w * bw - x * bx - y * by - z * bz, w * bx + x * bw + y * bz - z * by,
    w * by - x * bz + y * bw + z * bx, w * bz + x * by - y * bx + z * bw], 0, m, o);
}

export function rotate(w, x, y, z, a, b, c) {
  const u = 2 * (y * c - z * b), v = 2 * (z * a - x * c), t = 2 * (x * b - y * a);
  return [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
}

export function apply(m, p) {
  return [m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12], m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
    m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14], m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15]];
}

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = a => { const n = Math.hypot(a[0], a[1], a[2]) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };
export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

// inverseRigid is the inverse of a rotation with a translation.
export function inverseRigid(m) {
  const t = [m[12], m[13], m[14]], r = new Float32Array(16);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) r[4 * i + j] = m[4 * j + i];
  r[12] = -(m[0] * t[0] + m[1] * t[1] + m[2] * t[2]);
  r[13] = -(m[4] * t[0] + m[5] * t[1] + m[6] * t[2]);
  r[14] = -(m[8] * t[0] + m[9] * t[1] + m[10] * t[2]);
  r[15] = 1;
  return r;
}
