-- Numbers of the linear congruential generator of Visual Basic, x <- (1140671485 x + 12820163) mod 2^24.
local M, range, state = {}, 2 ^ 24, 0

local function following()
  state = (1140671485 * state + 12820163) % range
  return state
end

local function bounds(low, high, from, to)
  if low == nil then return 0, to end
  if high == nil then return from, low end
  return low, high
end

function M.seed(s) state = s end

function M.real(min, max)
  local low, high = bounds(min, max, 0, 1)
  return low + following() * (high - low) / (range - 1)
end

function M.integer(min, max)
  local low, high = bounds(min, max, 1, range - 1)
  return low + following() % (high - low + 1)
end

return M
