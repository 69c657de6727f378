return function(p)
  return p:state("lives") == 3
end
