return function(p)
  os.exit(0)
  return true
end
