return function(p)
  debug.getregistry()
  return true
end
