-- The first ship of the mover on the board goes back to the bar; every third turn a store grows.
return function(p)
  local list = {}
  for point = 1, 12 do
    for _, piece in ipairs(p:at(point)) do
      if piece.owner == p.mover then
        list[1] = { put = "ship of " .. p.mover, from = point, on = "bar", n = 1 }
        if p.turn_count % 3 == 0 then list[2] = { raise = "store", of = p.mover, by = 1 } end
        return list
      end
    end
  end
  return list
end
