return function(p)
  p.mover = "black"
  return true
end
