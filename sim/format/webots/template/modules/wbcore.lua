local M = {}

function M.tablelength(list)
  local n = 0
  while list[n + 1] ~= nil do n = n + 1 end
  return n
end

function M.deepcopy(v)
  if type(v) ~= 'table' then return v end
  local copy = {}
  for key, value in pairs(v) do copy[M.deepcopy(key)] = M.deepcopy(value) end
  return setmetatable(copy, getmetatable(v))
end

return M
