return function(p)
  return p:count("man of red") > 0
end
