return function(p)
  local n = p.turn_count % 19 + p.steps + p.pips_used
  for i, die in ipairs(p.thrown) do n = n + i * die end
  return n % 19
end
