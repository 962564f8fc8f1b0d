-- Vectors in a plane: {x, y}.
local M = {}

local function make(x, y) return { x = x, y = y } end

function M.equal(a, b) return a.x == b.x and a.y == b.y end
function M.add(a, b) return make(a.x + b.x, a.y + b.y) end
function M.minus(a, b) return make(a.x - b.x, a.y - b.y) end
function M.multiply(v, s) return make(v.x * s, v.y * s) end
function M.dot(a, b) return a.x * b.x + a.y * b.y end
function M.cross(a, b) return a.x * b.y - a.y * b.x end
function M.norm(v) return math.sqrt(M.dot(v, v)) end
function M.atan2(v) return math.atan2(v.x, v.y) end
function M.distance(a, b) return M.norm(M.minus(a, b)) end
function M.angle(a, b) return M.atan2(M.minus(a, b)) end

function M.normalize(v)
  local n = M.norm(v)
  if n == 0 then error('wbvector2.normalize: the vector has no direction') end
  return make(v.x / n, v.y / n)
end

-- a + s (b - a) = c + t (d - c), with s and t from 0 to 1; nil: they do not meet.
function M.intersection(a, b, c, d)
  local ab, cd, ac = M.minus(b, a), M.minus(d, c), M.minus(c, a)
  local area = M.cross(ab, cd)
  if area == 0 then return nil end
  local s, t = M.cross(ac, cd) / area, M.cross(ac, ab) / area
  if s < 0 or s > 1 or t < 0 or t > 1 then return nil end
  return make(a.x + s * ab.x, a.y + s * ab.y)
end

return M
