return function(p)
  collectgarbage("count")
  return true
end
