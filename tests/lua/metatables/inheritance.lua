-- Classes by metatables: construction, inheritance, super calls, overriding, multiple levels.
local Animal = {} Animal.__index = Animal
function Animal.new(name) return setmetatable({name = name}, Animal) end
function Animal:speak() return self.name .. ' makes ' .. self:sound() end
function Animal:sound() return 'noise' end
local Dog = setmetatable({}, {__index = Animal}) Dog.__index = Dog
function Dog.new(name) local d = Animal.new(name) return setmetatable(d, Dog) end
function Dog:sound() return 'woof' end
local Puppy = setmetatable({}, {__index = Dog}) Puppy.__index = Puppy
Puppy.__tostring = function(p) return 'puppy ' .. p.name end
function Puppy:sound() return Dog.sound(self) .. '!' end
local pets = {Animal.new('cat'), Dog.new('rex'), setmetatable({name = 'bit'}, Puppy)}
for round = 1, 2 do for _, pet in ipairs(pets) do print(pet:speak()) end end
-- expect: cat makes noise
-- expect: rex makes woof
-- expect: bit makes woof!
-- expect: cat makes noise
-- expect: rex makes woof
-- expect: bit makes woof!
print(tostring(pets[3]), rawget(Dog, 'speak'), Dog.speak == Animal.speak)  -- expect: puppy bit	nil	true
function Dog:sound() return 'WOOF' end
print(pets[2]:speak(), pets[3]:speak())  -- expect: rex makes WOOF	bit makes WOOF!
pets[2].sound = function() return 'own' end
print(pets[2]:speak())  -- expect: rex makes own
setmetatable(pets[1], Puppy)
print(pets[1]:speak())  -- expect: cat makes WOOF!
