-- Rotations: by an axis and an angle {x, y, z, a}, unit quaternions {w, x, y, z}, and matrices of nine numbers
-- row by row.
local M = {}

function M.equal(a, b) return a.x == b.x and a.y == b.y and a.z == b.z and a.a == b.a end
function M.isvalid(r) return r.x ~= 0 or r.y ~= 0 or r.z ~= 0 end
function M.isidentity(r) return r.a == 0 end

-- An angle within pi of 0.
function M.normalizeangle(r)
  if r.a < -math.pi or r.a > math.pi then
    r.a = r.a - 2 * math.pi * math.floor(r.a / (2 * math.pi) + 0.5)
  end
end

-- An axis of length 1; the y axis when it has none.
function M.normalizeaxis(r)
  local n = math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z)
  if n == 0 then r.x, r.y, r.z, n = 0, 1, 0, 1 end
  r.x, r.y, r.z = r.x / n, r.y / n, r.z / n
end

function M.normalize(r)
  M.normalizeaxis(r)
  M.normalizeangle(r)
  return r
end

function M.toquaternion(r)
  M.normalize(r)
  local s = math.sin(r.a / 2)
  return { w = math.cos(r.a / 2), x = r.x * s, y = r.y * s, z = r.z * s }
end

function M.fromquaternion(q)
  local n = math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z)
  if n < 0.00005 and q.w > 0 then return { x = 0, y = 1, z = 0, a = 0 } end
  return { x = q.x / n, y = q.y / n, z = q.z / n, a = 2 * math.atan2(n, q.w) }
end

-- Rodrigues: cos a + (1 - cos a) u u' + sin a [u]x.
function M.tomatrix3(r)
  local c, s, x, y, z = math.cos(r.a), math.sin(r.a), r.x, r.y, r.z
  local k = 1 - c
  return {
    k * x * x + c, k * x * y - s * z, k * x * z + s * y,
    k * y * x + s * z, k * y * y + c, k * y * z - s * x,
    k * z * x - s * y, k * z * y + s * x, k * z * z + c
  }
end

-- Shepperd: divides by the largest of the four parts of the quaternion.
function M.frommatrix3(m)
  local trace = m[1] + m[5] + m[9]
  local w, x, y, z = 1 + trace, 1 + 2 * m[1] - trace, 1 + 2 * m[5] - trace, 1 + 2 * m[9] - trace
  local wx, wy, wz = m[8] - m[6], m[3] - m[7], m[4] - m[2]
  local xy, xz, yz = m[2] + m[4], m[3] + m[7], m[6] + m[8]
  local most = math.max(w, x, y, z)
  if most == w then
    x, y, z = wx, wy, wz
  elseif most == x then
    w, y, z = wx, xy, xz
  elseif most == y then
    w, x, z = wy, xy, yz
  else
    w, x, y = wz, xz, yz
  end
  local n = math.sqrt(w * w + x * x + y * y + z * z)
  if w < 0 then n = -n end
  return M.fromquaternion({ w = w / n, x = x / n, y = y / n, z = z / n })
end

function M.combine(a, b)
  local p, q = M.toquaternion(a), M.toquaternion(b)
  return M.fromquaternion({
    w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
    x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
    y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
    z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w
  })
end

function M.rotatevector3bymatrix3(m, v)
  return {
    x = m[1] * v.x + m[2] * v.y + m[3] * v.z,
    y = m[4] * v.x + m[5] * v.y + m[6] * v.z,
    z = m[7] * v.x + m[8] * v.y + m[9] * v.z
  }
end

function M.rotatevector3byrotation(r, v)
  return M.rotatevector3bymatrix3(M.tomatrix3(r), v)
end

function M.rotatevector3byquaternion(q, v)
  return M.rotatevector3byrotation(M.fromquaternion(q), v)
end

return M
