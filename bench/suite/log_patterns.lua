-- group: strings
-- Reading a server's log with patterns: match with captures, find, gsub with a table and with a function.
local scale, train = tonumber((...)) or 1, select(2, ...) == "train"

local function make_log(count)
  local methods, pages, lines = { "GET", "POST", "HEAD" }, { "index", "about", "data/list", "login" }, {}
  for i = 1, count do
    lines[i] = string.format('10.0.%d.%d - [%02d/Mar/2024:%02d:%02d] "%s /%s.html?id=%d" %d %d',
      i % 256, i * 7 % 256, i % 28 + 1, i % 24, i * 13 % 60, methods[i % 3 + 1], pages[i % 4 + 1], i,
      i % 9 == 0 and 404 or 200, i * 31 % 5000)
  end
  return lines
end

local log = make_log(train and 6 or 400)
local escapes = { ["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;", ['"'] = "&quot;" }

local function analyse()
  local bytes, missing, posts, escaped_length = 0, 0, 0, 0
  for _, line in ipairs(log) do
    local host, day, method, page, status, size =
      line:match('^([%d.]+) %- %[(%d+)/%a+/.-%] "(%u+) (%S+)" (%d+) (%d+)$')
    assert(host and day)
    bytes = bytes + tonumber(size)
    if status == "404" then missing = missing + 1 end
    if method == "POST" and page:find("login", 1, true) then posts = posts + 1 end
    escaped_length = escaped_length + #line:gsub('[<>&"]', escapes)
    local id = page:gsub("^.*id=(%d+)$", function(digits) return digits % 10 end)
    bytes = bytes + tonumber(id)
  end
  return bytes + missing * 7 + posts * 11 + escaped_length
end

for _ = 1, math.max(1, math.floor(760 * scale)) do
  assert(analyse() == (train and 1112 or 934936))
end
