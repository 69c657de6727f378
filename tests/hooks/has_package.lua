return function(p)
  package.loadlib("x", "y")
  return true
end
