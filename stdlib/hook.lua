-- What a hook is, and what it sees. This file is a description; nothing loads it.
--
-- In a rules file:
--
--     hook storm  is condition "storm.lua" "No sailing in a storm."
--     hook refuge is sites     "refuge.lua"
--     hook tide   is number    "tide.lua"
--     hook swap   is effect    "swap.lua"
--
-- The first three are used as any condition, set or number; the fourth stands alone in a `do`.
-- The script lies beside the rules file. It returns one function. The function gets a view of
-- the position and returns a boolean, a list of sites, a whole number, or a list of effects:
--
--     return function(p)
--       return p:count("ship of north") > 3 and p.turn_count % 5 == 0
--     end
--
-- A script is started afresh for every call: nothing that it keeps lives on. It has no clock, no
-- chance, no files and no way to change the position; `pairs` goes through keys in order. It may
-- use: assert error ipairs pairs rawequal rawget rawlen select tonumber tostring type, the
-- library string without dump, pack and unpack, the library table, and of math: abs ceil floor
-- fmod huge max maxinteger min mininteger modf pi sqrt tointeger type ult.
-- Limits of one call: a million instructions, 8 MiB, a text of 4096 bytes. A script that errs,
-- exceeds them or returns something else is reported with its name, file and line.

-- Fields -----------------------------------------------------------------------------------------
-- p.mover        name of the player to move
-- p.players      list of the players' names, in order of play
-- p.active       list of those still in the game
-- p.starter      who began
-- p.phase        name of the phase, or nil
-- p.dice         list of the numbers left to play;  p.thrown  the throw as it fell
-- p.double       the number of an equal throw, else 0
-- p.turn_count  p.quiet  p.passes                           of the game
-- p.steps  p.dice_used  p.pips_used  p.captured             of this turn

-- Questions --------------------------------------------------------------------------------------
-- p:sites(NAME)             list of the sites of a region, a let, a single site, or of `sites`,
--                           `everywhere`, `empty`, `edge`, `corners`; "home of white" for a
--                           region of a player (without `of`: the mover's)
-- p:pieces(WHAT)            table from site to number; WHAT is "KIND of PLAYER", "KIND",
--                           "pieces of PLAYER" or "pieces"
-- p:count(WHAT [, NAME])    how many, everywhere or on the sites of that name
-- p:at(SITE)                list of { kind =, owner =, count = }
-- p:neighbours(SITE)        list of sites
-- p:state(NAME [, OF])      value of a state: p:state("stake"), p:state("lives", "red")
-- p:label(NAME, SITE)       value of a label
-- p:param(NAME)             value of a param
-- p:value(LET [, PLAYER])   value of a let: a list of sites or players, a number, a boolean
-- p:turns(PLAYER)           turns begun by a player
-- p:last()                  the last step of this turn or nil:
--                           { rule =, origin =, target =, previous =, die =, piece = }
-- p:origin() p:target() p:die() p:here() p:each() p:victim()
--                           the words of the rule that asks, nil where they mean nothing
-- Numbers of points may be written as numbers: p:at(6). Lists of sites hold texts: "6".

-- Effects ----------------------------------------------------------------------------------------
-- The list holds tables of these shapes. All are read from the position as it is and carried out
-- together.
--   { take  = "KIND of PLAYER", at = SITE, n = 2 }                  n left out: all of them
--   { put   = "KIND of PLAYER", from = SITE, on = SITE, n = 1 }
--   { make  = "KIND of PLAYER", at = SITE, into = "KIND" }          or "KIND of PLAYER"
--   { set   = "STATE", of = SITE or PLAYER, to = VALUE }            of left out: the game's
--   { raise = "STATE", of = PLAYER, by = 1 }                        stops at the state's range
--   { lower = "STATE", of = PLAYER, by = 1 }

-- An example: every piece on the edge goes to the pocket `sea`.
return function(p)
  local list = {}
  for _, site in ipairs(p:sites("edge")) do
    for _, piece in ipairs(p:at(site)) do
      list[#list + 1] = { put = piece.kind .. " of " .. piece.owner, from = site, on = "sea" }
    end
  end
  return list
end
