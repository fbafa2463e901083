-- Lists whose metatable has neither __len nor __newindex are read, measured and appended to like any others, until it gets them.
local cls={} cls.__index=cls
local function push(t,v) t[#t+1]=v end
local function new() return setmetatable({},cls) end
local sum=0
for r=1,4000 do
  local l=new()
  for i=1,20 do push(l,i) end
  for i=1,#l+1 do local v=l[i]; if v then sum=sum+v end end
end
print(sum)
-- expect: 840000
-- later the class gets metamethods
local l=new(); for i=1,10 do l[i]="x" end; l[5]=nil
local function get(t,i) return t[i] end
for i=1,100000 do get(l,5) end
cls.__index=function(t,k) return "I"..tostring(k) end
print(get(l,5), get(l,11))
-- expect: I5	I11
cls.__len=function() return 77 end
print(#l)
-- expect: 77
push(l,1)
print(rawget(l,78))
-- expect: 1
cls.__newindex=function(t,k,v) rawset(t,k,"N"..tostring(v)) end
l[5]="z"
print(l[5]) push(l,3)
-- expect: Nz
print(l[78], rawlen(l))
-- expect: 3	10
local q=setmetatable({},cls) cls.__len=nil; for i=1,1000 do push(q,i) end
print(q[1],q[1000],#q)
-- expect: N1	N1000	1000
