-- Asks for lets that no rule asks for, and for a counter that no rule asks for.
return function(p)
  return (p:value("seen") + p:value("walked") + p.quiet + #p:value("ran", "black")) % 3 == 2
end
