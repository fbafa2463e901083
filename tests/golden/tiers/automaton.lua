-- A state that the loop's branches test: contexts by facts, one for each state.
local text = ("ab12 cd,3 "):rep(20000)
local words, numbers, state = 0, 0, 0
for i = 1, #text do
  local c = text:byte(i)
  if state == 0 then
    if c >= 97 then state = 1 words = words + 1
    elseif c >= 48 and c <= 57 then state = 2 numbers = numbers + 1 end
  elseif state == 1 then
    if c < 97 then state = 0 end
  else
    if c < 48 or c > 57 then state = 0 end
  end
end
print(words, numbers)
