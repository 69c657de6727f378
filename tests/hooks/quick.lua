-- Depends on much of what a script may see: where men stand, the step, the counters, the throw.
return function(p)
  local n = p:count("man") + p.steps + p.turn_count + p.quiet + #p.dice + #p.thrown
  local last = p:last()
  if last then n = n + #last.rule + (last.origin and #p:neighbours(last.origin) or 0) end
  if p:target() then n = n + #p:neighbours(p:target()) end
  if p:here() then n = n + #p:neighbours(p:here()) end
  return (n + p.captured + p:turns(p.mover)) % 3 ~= 0
end
