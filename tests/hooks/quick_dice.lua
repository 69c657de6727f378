return function(p)
  local n = #p.dice + p.dice_used * 2 + p.pips_used + p.turn_count + p:count("ship", "off")
  for i, die in ipairs(p.thrown) do n = n + i * die end
  if p:die() then n = n + p:die() end
  local last = p:last()
  if last then n = n + (last.die or 0) end
  return n % 4 ~= 0
end
