return function(p)
  dofile("x.lua")
  return true
end
