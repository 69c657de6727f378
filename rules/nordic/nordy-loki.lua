-- The ship under the konung and the ship of Loki change places (LOKI-42). In the simple variant any of the four
-- ships that spell Loki may go; this script takes the first one in board order (LOKI-52).
return function(p)
  local function own_ship(site)
    return site == "centre" and "loki_ship" or p:label("rune", site)
  end

  local function ship_at(site)
    local ship = p:state("berth", site)
    return ship == "own" and own_ship(site) or ship
  end

  local function deck()                       -- whose ship changes places
    if p:param("variant") == "simple" then return p:sites("loki_ships")[1] end
    local konung = p:pieces("konung of " .. p.mover)
    for _, site in ipairs(p:sites("sites")) do
      if (konung[site] or 0) > 0 then return site end
    end
  end

  local here, there = deck(), nil
  for _, site in ipairs(p:sites("everywhere")) do
    if ship_at(site) == "loki_ship" then there = site end
  end
  if not here or not there or here == there then return {} end

  local effects = {}
  local function moor(site, ship, side)
    effects[#effects + 1] = { set = "berth", of = site, to = ship == own_ship(site) and "own" or ship }
    if p:param("loki_ends_game") == "no" then -- else nobody will sail again, and the ships lie as they are
      effects[#effects + 1] = { set = "ship", of = site, to = side }
    end
  end
  moor(there, ship_at(here), p:state("ship", here))
  moor(here, "loki_ship", "upright")
  return effects
end
