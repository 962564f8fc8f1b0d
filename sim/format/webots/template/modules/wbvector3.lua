-- Vectors in space: {x, y, z}.
local M = {}

local function make(x, y, z) return { x = x, y = y, z = z } end

function M.equal(a, b) return a.x == b.x and a.y == b.y and a.z == b.z end
function M.add(a, b) return make(a.x + b.x, a.y + b.y, a.z + b.z) end
function M.minus(a, b) return make(a.x - b.x, a.y - b.y, a.z - b.z) end
function M.multiply(v, s) return make(v.x * s, v.y * s, v.z * s) end
function M.dot(a, b) return a.x * b.x + a.y * b.y + a.z * b.z end
function M.norm(v) return math.sqrt(M.dot(v, v)) end
function M.distance(a, b) return M.norm(M.minus(a, b)) end

function M.cross(a, b)
  return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
end

function M.normalize(v)
  local n = M.norm(v)
  if n == 0 then error('wbvector3.normalize: the vector has no direction') end
  return make(v.x / n, v.y / n, v.z / n)
end

return M
