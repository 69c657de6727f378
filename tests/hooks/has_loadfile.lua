return function(p)
  loadfile("x.lua")
  return true
end
