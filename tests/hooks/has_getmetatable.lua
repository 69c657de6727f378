return function(p)
  getmetatable("").__index = nil
  return true
end
