return function(p)
  while true do end
end
