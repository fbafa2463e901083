-- A small Markdown to HTML translator: headings, paragraphs, lists, code blocks, quotes, emphasis, links.
--
--   mangata examples/markdown.lua [file.md]
--   mangata --profile-paths examples/markdown.lua
--
-- Without a file it translates a text of its own eight thousand times and prints the result of the last one.
-- The loop over the lines in `translate` is one long chain of questions ("is it a heading? is it a list?"); the
-- path profile shows which answers are the common ones, and so in which order one should ask.

local sample = [[
# The moon's road

On a calm night the moon draws a *road of light* on the water. In Swedish it is called
**mangata**; in this house it is a [virtual machine](https://example.org/mangata?a=1&b=2).

## What to look for

- a narrow band near the horizon
- a wide one near the shore
- `glitter` where the waves are < 1 m high

## How to draw it

```
for wave = 1, #waves do
  if waves[wave].slope > 0.3 then glitter(wave) end
end
```

> The path is not on the water.
> It is in the eye, & every eye sees its own.

The end.
]]

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

local function escape(text)
  return (text:gsub("[&<>]", entities))
end

--- Translates what may stand inside a line. Code comes first: nothing inside it means anything else.
local function inline(text)
  local pieces, position = {}, 1
  while position <= #text do
    local start, stop, code = text:find("`([^`]+)`", position)
    local plain = escape(text:sub(position, (start or 0) - 1))
    plain = plain:gsub("%[([^%]]+)%]%(([^%)]+)%)", '<a href="%2">%1</a>')
    plain = plain:gsub("%*%*([^*]+)%*%*", "<strong>%1</strong>")
    plain = plain:gsub("%*([^*]+)%*", "<em>%1</em>")
    pieces[#pieces + 1] = plain
    if not start then break end
    pieces[#pieces + 1] = "<code>" .. escape(code) .. "</code>"
    position = stop + 1
  end
  return table.concat(pieces)
end

--- `open` is the element we are inside of ("p", "ul", "pre", "blockquote"), or nil between two of them.
local function translate(text)
  local html, open = {}, nil

  local function emit(line)
    html[#html + 1] = line
  end

  local function enter(element)
    if open == element then return end
    if open then emit("</" .. open .. ">") end
    if element then emit("<" .. element .. ">") end
    open = element
  end

  for line in text:gmatch("([^\n]*)\n") do
    if line:sub(1, 3) == "```" then
      if open == "pre" then enter(nil) else enter("pre") end
    elseif open == "pre" then
      emit(escape(line))
    elseif line == "" then
      enter(nil)
    elseif line:sub(1, 1) == "#" then
      local marks, title = line:match("^(#+)%s*(.*)")
      enter(nil)
      emit(string.format("<h%d>%s</h%d>", #marks, inline(title), #marks))
    elseif line:match("^[-*] ") then
      enter("ul")
      emit("<li>" .. inline(line:sub(3)) .. "</li>")
    elseif line:sub(1, 2) == "> " then
      enter("blockquote")
      emit(inline(line:sub(3)))
    else
      enter("p")
      emit(inline(line))
    end
  end
  enter(nil)
  return table.concat(html, "\n")
end

if arg and arg[1] then
  local file = assert(io.open(arg[1]))
  print(translate(file:read("a") .. "\n"))
  file:close()
else
  local html
  for _ = 1, 8000 do
    html = translate(sample)
  end
  print(html)
end
