-- package: lua-expat
local lxp = require "lxp"
local depth, log = 0, {}
local parser = lxp.new {
  StartElement = function(_, name, attributes) log[#log + 1] = name .. "(" .. (attributes.id or "") .. ")" depth = depth + 1 end,
  EndElement = function(_, name) log[#log + 1] = "/" .. name depth = depth - 1 end,
  CharacterData = function(_, text) log[#log + 1] = text end,
}
print(parser:parse "<a id='1'><b>te" == parser, parser:parse "xt</b><c/></a>" == parser)
print(parser:parse() == parser, parser:close() == parser)
print(table.concat(log, " "), depth)
print(lxp.new({}):parse "<a></b>")
local failing = lxp.new { StartElement = function(p, name) error("in callback: " .. name, 0) end }
print(pcall(failing.parse, failing, "<x/>"))
print(pcall(lxp.new, { Nonsense = 1 }))
local lom = require "lxp.lom"
local tree = lom.parse "<r><i k='v'>1</i><i/></r>"
print(tree.tag, #tree, tree[1].attr.k, tree[1][1])
