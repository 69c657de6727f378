return function(p)
  print("x")
  return true
end
