return function(p)
  return p:state("live", "white") == 3
end
