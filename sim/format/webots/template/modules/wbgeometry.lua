-- Points and curves.
local M = {}

function M.circle(radius, div, cx, cy, shift)
  local points = {}
  for i = 0, div do
    local a = 2 * math.pi * i / div + shift
    points[i + 1] = { x = cx + radius * math.cos(a), y = cy + radius * math.sin(a) }
  end
  return points
end

-- A ray along x crosses the sides of a polygon an odd number of times from inside.
function M.ispointinpolygon(x, y, polygon)
  local inside = false
  for i = 1, #polygon do
    local a, b = polygon[i], polygon[i % #polygon + 1]
    if (a.y > y) ~= (b.y > y) and x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) then inside = not inside end
  end
  return inside
end

function M.findclosest2Dpointinarray(reference, points)
  local closest, least = reference, math.huge
  for _, p in ipairs(points) do
    local dx, dy = p.x - reference.x, p.y - reference.y
    if dx * dx + dy * dy < least then closest, least = p, dx * dx + dy * dy end
  end
  return closest
end

-- The signed area of a polygon is positive when it goes around counterclockwise.
function M.islistclockwise2D(points)
  local sum = 0
  for i = 1, #points do
    local a, b = points[i], points[i % #points + 1]
    sum = sum + a.x * b.y - a.y * b.x
  end
  return sum < 0
end

local function beyond(from, to, names)
  local p = {}
  for _, k in ipairs(names) do p[k] = 2 * to[k] - from[k] end
  return p
end

-- A uniform cubic B-spline whose control polygon goes on straight beyond both ends. Every segment is divided
-- into as many parts.
local function spline(points, subdivision, names, first)
  local n = #points
  local all = {}
  for i = 1, n do all[i] = points[i] end
  all[0] = beyond(all[2], all[1], names)
  all[-1] = beyond(all[1], all[0], names)
  all[n + 1] = beyond(all[n - 1], all[n], names)
  all[n + 2] = beyond(all[n], all[n + 1], names)
  local curve = { points[1] }
  for i = first, n - 1 do
    for j = 1, subdivision do
      local t, p = j / subdivision, {}
      local s = 1 - t
      for _, k in ipairs(names) do
        p[k] = (s ^ 3 * all[i - 1][k] + (3 * t ^ 3 - 6 * t ^ 2 + 4) * all[i][k] +
          (3 * s ^ 3 - 6 * s ^ 2 + 4) * all[i + 1][k] + t ^ 3 * all[i + 2][k]) / 6
      end
      curve[#curve + 1] = p
    end
  end
  return curve
end

function M.bspline2D(points, subdivision) return spline(points, subdivision, { 'x', 'y' }, 0) end
function M.bspline3D(points, subdivision) return spline(points, subdivision, { 'x', 'y', 'z' }, 1) end

return M
