return function(p)
  pcall(error)
  return true
end
