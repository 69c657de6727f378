return function(p)
  return p:count("mann") > 0
end
