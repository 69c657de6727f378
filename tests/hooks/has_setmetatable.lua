return function(p)
  setmetatable({}, {__gc = 1})
  return true
end
