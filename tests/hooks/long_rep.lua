return function(p)
  return ("x"):rep(1000000000) == ""
end
