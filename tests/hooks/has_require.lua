return function(p)
  require("os")
  return true
end
