-- Expressions about which LuaJIT and this library agree: same_as_luajit.py. One in each line; strings between [==[ and ]==] are programs of their own.
local ffi = require "ffi"
ffi.cdef [[
struct pt { int x; double y; }; enum en { A, B = 5, C }; typedef struct { int a; struct pt p; int arr[3]; enum en e; char name[8]; } st;
union un { int i; float f; }; int abs(int); double sqrt(double); unsigned long strlen(const char *);
struct bf { int a : 3; unsigned b : 5; bool c : 1; }; int nosuchfn(int); extern int nosuchvar;
struct vl { int n; int d[?]; }; struct opaque; struct eq { int x; };
typedef float v4 __attribute__((vector_size(16))); struct parts { char c; complex z; float _Complex f; v4 v; };
double complex cexp(double complex); double creal(complex); float crealf(float complex);
]]
local function evaluate(expression)
  local compiled = assert((loadstring or load)("local ffi = require 'ffi' return " .. expression, "=e"))
  local results = { pcall(compiled) }
  for i = 1, 10 do
    if type(results[i]) ~= "nil" then results[i] = tostring(results[i]):gsub("^e:1: ", "") end
  end
  print(expression .. " -> " .. table.concat(results, " | "))
end
local expressions = [==[
ffi.new("int")
ffi.new("int",5)
ffi.new("int",{1,2})
ffi.new("int","x")
ffi.new("int",nil)
ffi.new("int",true)
ffi.new("bool",1)
ffi.new("int",5.7)
ffi.new("int64_t",5)
ffi.new("double",5)
ffi.new("float",5.5)
ffi.new("char",65)
ffi.new("bool",true)
ffi.new("struct pt",1,2)
ffi.new("struct pt",{1,2}).y
ffi.new("struct pt",{y=2}).y
ffi.new("struct pt",1,2,3)
ffi.new("struct pt",{1,2,3})
ffi.new("struct pt",{z=3})
ffi.new("struct pt").z
ffi.new("st").e
ffi.new("st").p
ffi.new("st").arr
ffi.new("st").name
ffi.new("int[3]",1)[2]
ffi.new("int[3]",1,2)[2]
ffi.new("int[3]",{1,2})[2]
ffi.new("int[3]",1,2,3,4)
ffi.new("int[3]",{1,2,3,4})
ffi.new("int[?]",5)
ffi.new("int[?]")
ffi.new("int[?]",-1)
ffi.new("struct vl",5)
ffi.new("struct vl")
ffi.sizeof(ffi.new("struct vl",5))
ffi.sizeof("struct vl",5)
ffi.sizeof("struct vl")
ffi.sizeof("int[?]",5)
ffi.sizeof("int[?]")
ffi.sizeof("void")
ffi.sizeof("struct opaque")
ffi.new("struct opaque")
ffi.new("void")
ffi.new("char[8]","hi")
ffi.string(ffi.new("char[8]","hi"))
ffi.string(ffi.new("char[2]","hixx"),2)
ffi.string(ffi.new("char[?]",3,"ab"))
ffi.new("const char*","hi")
ffi.string(ffi.new("const char*","hi"))
ffi.new("char*","hi")
ffi.new("int*",5)
ffi.new("int*",nil)
ffi.new("int*",ffi.new("int[2]"))
ffi.new("int*",ffi.new("char[2]"))
ffi.new("void*",ffi.new("char[2]"))
ffi.new("char*",ffi.new("void*"))
ffi.cast("int",5.9)
ffi.cast("int*",5)
ffi.cast("int",ffi.cast("void*",5))
ffi.cast("intptr_t",ffi.cast("void*",5))
ffi.cast("int","x")
ffi.cast("enum en","B")
ffi.new("enum en","B")
ffi.new("enum en","ZZ")
ffi.new("enum en",5)
tonumber(ffi.new("enum en",5))
ffi.C.B
ffi.C.zz
ffi.C.abs
ffi.C.abs(-3)
ffi.C.abs()
ffi.C.abs(1,2)
ffi.C.abs("x")
ffi.C.abs({})
ffi.C.abs(nil)
ffi.C.strlen(5)
ffi.C.sqrt("x")
ffi.typeof("int")
ffi.typeof("int*")
ffi.typeof("int[5]")
ffi.typeof("int[?]")
ffi.typeof("int[]")
ffi.typeof("int(*)(int,double)")
ffi.typeof("int(int,double)")
ffi.typeof("const char*")
ffi.typeof("char*const")
ffi.typeof("unsigned char")
ffi.typeof("signed char")
ffi.typeof("int8_t")
ffi.typeof("long")
ffi.typeof("unsigned long long")
ffi.typeof("short")
ffi.typeof("uint16_t")
ffi.typeof("struct pt")
ffi.typeof("st")
ffi.typeof("struct {int x;}")
ffi.typeof("struct pt&")
ffi.typeof("int(*[3])(int)")
ffi.typeof("int*(*)[4]")
ffi.typeof("enum en")
ffi.typeof("volatile int")
ffi.typeof("const struct pt*")
ffi.typeof("long double")
ffi.typeof("foo")
ffi.typeof("int foo")
ffi.typeof("int [")
ffi.typeof("struct nope")
ffi.typeof("struct")
ffi.typeof(5)
ffi.typeof(nil)
ffi.typeof()
ffi.typeof("$*",ffi.typeof"int")
ffi.typeof("$*")
ffi.typeof("int","x")
ffi.typeof("int*")==ffi.typeof("int*")
ffi.typeof("int")(3)
ffi.typeof("struct pt")(1,2).x
tostring(ffi.typeof"int":gsub("x",""))
ffi.new("int").x
ffi.new("int")[0]
ffi.new("int[3]").x
ffi.new("int[3]")["1"]
ffi.new("int[3]")[1.5]
ffi.new("struct pt")[0]
ffi.new("struct pt")[true]
#ffi.new("int[3]")
#ffi.new("struct pt")
ffi.new("struct pt")()
ffi.new("int")()
ffi.new("struct pt").."x"
ffi.new("struct pt")+1
ffi.new("struct pt")<1
-ffi.new("struct pt")
ffi.new("struct pt")==1
ffi.new("struct pt")==ffi.new("struct pt")
ffi.new("struct pt")<ffi.new("struct pt")
ffi.new("int*")<5
ffi.new("int*")+1
ffi.new("int*")-ffi.cast("int*",8)
ffi.cast("int*",8)-ffi.cast("char*",8)
ffi.cast("int*",8)+ffi.cast("int*",8)
ffi.cast("int*",8)<ffi.cast("int*",16)
ffi.cast("int*",8)<ffi.cast("char*",16)
ffi.cast("int*",8)==ffi.cast("char*",8)
ffi.cast("int*",8)*2
ffi.new("int",3)+4
ffi.new("int64_t",3)+4
ffi.new("uint64_t",3)-4
ffi.new("int64_t",7)/2
ffi.new("int64_t",-7)/2
ffi.new("int64_t",-7)%3
ffi.new("int64_t",7)/0
ffi.new("int64_t",2)^10
-ffi.new("int64_t",2)
ffi.new("uint64_t",-1)>5
ffi.new("int64_t",7)+1.5
ffi.new("double",7)+1.5
ffi.new("bool",true)+1
ffi.new("int64_t",7).."x"
ffi.new("int64_t",7)+"1"
ffi.new("int64_t",7)+"x"
ffi.new("int64_t",7)+nil
ffi.new("int64_t",7)+{}
ffi.new("int64_t",7)<{}
ffi.new("int64_t",7)<"x"
ffi.istype("int",5)
ffi.istype("int",ffi.new("int"))
ffi.istype("int",ffi.new("unsigned"))
ffi.istype("struct pt",ffi.new("struct pt[1]")[0])
ffi.istype("struct pt*",ffi.new("struct pt[1]"))
ffi.istype("struct pt",ffi.new("struct pt[1]")+0)
ffi.istype("const int*",ffi.new("int*"))
ffi.istype("void*",ffi.new("int*"))
ffi.istype("int[2]",ffi.new("int[2]"))
ffi.istype("int*",ffi.new("int[2]"))
ffi.istype(ffi.new("int"),ffi.new("int"))
ffi.offsetof("struct pt","y")
ffi.offsetof("struct pt","z")
ffi.offsetof("struct bf","b")
ffi.offsetof("int","b")
ffi.alignof("struct pt")
ffi.alignof("struct opaque")
ffi.sizeof("struct pt")
ffi.sizeof(ffi.new("int[4]"))
ffi.sizeof(5)
ffi.errno()
ffi.errno(5)
ffi.os
ffi.arch
ffi.abi("64bit")
ffi.abi("foo")
ffi.abi()
ffi.fill(ffi.new("int[2]"),8,1)
ffi.fill(5,8,1)
ffi.fill(ffi.new("int[2]"))
ffi.copy(ffi.new("int[2]"),5,4)
ffi.copy(ffi.new("char[8]"),"abc")
ffi.copy(ffi.new("char[8]"),ffi.new("char[8]"))
ffi.copy("abc","abc")
ffi.string(5)
ffi.string("abc")
ffi.string(ffi.new("int[2]"))
ffi.string(ffi.new("int[2]"),8)
ffi.string(ffi.new("struct pt"),4)
ffi.string(ffi.new("void*"),0)
ffi.gc(5,print)
ffi.gc(ffi.new("int"),5)
ffi.gc(ffi.new("int"),nil)
ffi.metatype("int",{})
ffi.metatype("struct pt",5)
ffi.metatype("struct pt*",{})
ffi.load("nosuchlib")
ffi.load(5)
ffi.cdef(5)
ffi.cdef("foo")
ffi.cdef("int x")
ffi.cdef("\n\nint f(int;")
ffi.cdef("struct pt {int z;};")
ffi.cdef("struct { int x")
ffi.cdef("int a[-1];")
ffi.cdef("int abs(double);")
ffi.cdef("struct q2 {void x;};")
ffi.cdef("struct q3 {struct q3 x;};")
ffi.cdef("@")
ffi.cdef("enum qq { A2 = };")
ffi.cdef("static const int KK = 5;")
ffi.cdef("static const int KK2 = 5; enum {KK3=KK2+1, KK4=sizeof(int)*2, KK5=KK3?3:4,KK6=-1};")
ffi.C.KK3 ..",".. ffi.C.KK4 ..","..ffi.C.KK6
ffi.cdef("int x:3;")
ffi.cdef("int f()[3];")
ffi.cdef("foo_t f(int);")
ffi.cdef("#pragma pack(1)\nstruct q7 {char a; int b;};")
ffi.sizeof("struct q7")
ffi.cdef("int f(...,int);")
ffi.cdef("int f(int x[5], int g(int), struct pt);")
ffi.new("struct bf",{1,2,true}).c
ffi.new("struct bf",{7,33,1}).a
ffi.new("const int",5)
ffi.new("const int[2]")
(function() local a=ffi.new("const int[2]") a[0]=1 end)()
(function() local a=ffi.new("struct pt") a.x="s" end)()
(function() local a=ffi.new("struct pt") a.z=1 end)()
(function() local a=ffi.new("struct pt") a.x=nil end)()
(function() local a=ffi.new("struct pt") a.x=true end)()
(function() local a=ffi.new("st") a.p={5,6} return a.p.y end)()
(function() local a=ffi.new("st") a.name="toolongname" return ffi.string(a.name,8) end)()
(function() local a=ffi.new("st") a.name="abc" return ffi.string(a.name) end)()
(function() local a=ffi.new("st") a.arr=5 end)()
(function() local a=ffi.new("st") a.arr={5} return a.arr[2] end)()
(function() local a=ffi.new("st") a.e="B" return a.e end)()
(function() local a=ffi.new("st") a.p=ffi.new("int") end)()
(function() ffi.C.abs=5 end)()
(function() ffi.C.B=5 end)()
ffi.cast("int(*)(int)",function(x) return x end)(5)
ffi.cast("int(*)(int)",5)
ffi.new("int(*)(int)",ffi.C.abs)(-4)
ffi.cast("int(*)(struct pt)",function(x) return x end)
ffi.cast("void(*)()",function() error("oops") end)()
ffi.cast("int(*)()",function() return "x" end)()
ffi.C.abs:free()
pairs(ffi.new("int"))
tonumber(ffi.new("int",5))
tonumber(ffi.new("int64_t",5))
tonumber(ffi.new("int*"))
tonumber(ffi.new("struct pt"))
getmetatable(ffi.new("int"))
getmetatable(ffi.typeof("int"))
type(ffi.C)
ffi.C
ffi.new(ffi.typeof("int"),3)
ffi.new(ffi.new("int",7),3)
ffi.new("union un",{i=5}).i
ffi.new("union un",5).i
ffi.new("union un",{5,6}).i
ffi.new("struct {int a; struct {int b; union {int c; float d;};}; int e;}",{1,2,3,4}).e
ffi.new("struct {int a; struct {int b; int c;} q;}",{1,{2,3}}).q.c
ffi.new("int[2][2]",{{1,2},{3,4}})[1][0]
ffi.new("int[2][2]",1)[1][1]
ffi.new("struct pt[2]",{{1,2},{3,4}})[1].x
ffi.new("struct pt[2]",{{1,2}})[1].x
ffi.new("struct pt",ffi.new("struct pt",5,6)).y
ffi.new("struct pt *",ffi.new("struct pt",5,6)).y
ffi.new("void*",ffi.new("struct pt",5,6))
ffi.new("const char**",{"x"})
ffi.new("const char*[2]",{"x","y"})[1]
ffi.new("uint8_t",300)
ffi.new("uint8_t",-1)
ffi.new("int",2^31)
ffi.new("int",1e20)
ffi.new("uint32_t",-1)
ffi.new("uint64_t",1e19)
ffi.new("int64_t",-1.9)
ffi.new("int",0/0)
ffi.cdef("struct k1 { static const int X = 3; int a; enum { KE1 = 7, KE2 }; struct { static const unsigned char Y = 300, Z = -1; int b; }; };")
ffi.new("struct k1").X
ffi.new("struct k1").Y..","..ffi.new("struct k1").Z
ffi.new("struct k1").KE2
ffi.new("struct k1*").X
ffi.typeof("struct k1").X
ffi.typeof("struct k1*").KE1
ffi.typeof("const struct k1").KE1
ffi.typeof("struct k1").a
ffi.typeof("int").X
ffi.C.X
ffi.C.KE1
(function() ffi.new("struct k1").X=5 end)()
(function() ffi.new("struct k1").KE1=5 end)()
(function() ffi.typeof("struct k1").X=5 end)()
ffi.sizeof("struct k1")
ffi.offsetof("struct k1","X")
ffi.new("struct k1",{5,6}).b
ffi.new("struct k1",{X=6}).a
ffi.cdef("enum kn {KN}; struct k2 { enum kn; int b; }; union k3 { const static int K=1; int b; }; struct k4 { static const int K=9; };")
ffi.new("struct k2").KN
ffi.new("union k3").K
ffi.new("struct k4").K
ffi.cdef("struct k5 { enum kn {M5} e; int b; };")
ffi.cdef("struct k6 { enum {M6} e; int b; };")
ffi.new("struct k6").M6
ffi.C.M6
ffi.cdef("struct k7 { static int K=3; };")
ffi.cdef("struct k8 { static const int K; };")
ffi.cdef("struct k9 { static const double K=1; };")
ffi.cdef("struct k10 { static const int *K=0; };")
ffi.cdef("struct k11 { static const int K=5:3; };")
ffi.cdef("struct k12 { static const int f(void); };")
ffi.cdef("static const double KD=2;")
ffi.cdef("static const float KF=2;")
ffi.cdef("static const char *KP=0;")
ffi.cdef("static const int8_t KC=300; static const unsigned KU=-1;")
ffi.C.KC..","..ffi.C.KU
(function() ffi.metatype("struct k4",{__index={K=1,L=2}}) local s=ffi.new("struct k4") return s.K,s.L end)()
ffi.cast("void*",0)==nil
nil==ffi.new("int*")
ffi.cast("int*",8)==nil
ffi.cast("int*",8)~=nil
ffi.new("int[2]")==nil
ffi.C.abs==nil
ffi.C.abs==ffi.cast("void*",ffi.C.abs)
ffi.new("struct pt")==nil
ffi.new("struct pt")~=nil
ffi.new("int",5)==5
5==ffi.new("int64_t",5)
ffi.new("uint64_t",-1)==-1
ffi.new("int64_t",1)==1.5
ffi.new("double",1.5)==1
ffi.new("double",2.5)~=2.5
ffi.new("int8_t",-1)==255
ffi.new("bool",true)==1
ffi.new("bool",true)==true
ffi.new("int")==false
ffi.new("int64_t",5)=="5"
ffi.new("int64_t",5)=={}
ffi.new("int64_t",5)==setmetatable({},{__eq=function() return true end})
ffi.new("enum en","B")=="B"
"B"==ffi.new("enum en","B")
ffi.new("enum en","B")~="B"
ffi.new("enum en","B")=="A"
ffi.new("enum en","B")=="ZZ"
ffi.new("enum en","B")==5
ffi.new("enum en","A")+"B"
ffi.new("enum en","A")+"ZZ"
"C"-ffi.new("enum en","A")
ffi.new("enum en","B")<"C"
ffi.new("enum en","B")<"ZZ"
ffi.new("int",5)=="B"
ffi.new("char[4]","abc")=="abc"
ffi.typeof("int")=="int"
ffi.typeof("int")==nil
ffi.cast("void*",8)==8
ffi.cast("void*",8)<nil
nil<ffi.cast("void*",8)
ffi.cast("char*",8)<nil
rawequal(ffi.cast("void*",0),nil)
rawequal(ffi.new("int",5),5)
(function() local t={} t[ffi.new("int",5)]=1 return t[5] end)()
(function() local s=ffi.new("struct pt") return s==ffi.cast("struct pt*",s),ffi.cast("struct pt*",s)==s end)()
(function() local p=ffi.cast("int*",0) if p==nil then return 1 end return 2 end)()
ffi.metatype("struct eq",{__eq=function(a,b) return type(b)~="nil" end,__add=function() return "add" end,__lt=function() return true end}) and 1
ffi.new("struct eq")==nil
ffi.new("struct eq")==5
5==ffi.new("struct eq")
ffi.new("struct eq")==ffi.new("struct eq")
ffi.new("struct eq*")==nil
ffi.new("struct eq*")==5
ffi.new("struct eq*")==ffi.new("struct eq")
ffi.new("struct eq*")==ffi.cast("struct eq*",8)
ffi.new("struct eq*")+1
ffi.new("struct eq*")+"x"
ffi.new("struct eq")+1
ffi.new("struct eq*")<ffi.new("struct eq*")
ffi.new("struct eq*")<nil
ffi.sizeof("complex"),ffi.alignof("complex"),ffi.sizeof("complex float"),ffi.alignof("float _Complex")
tostring(ffi.new("complex",1,2)),tostring(ffi.new("complex",1.5,-2)),tostring(ffi.new("complex float",1.5,-2)),tostring(ffi.new("complex"))
tostring(ffi.new("complex",7)),tostring(ffi.new("complex",{1,2})),tostring(ffi.new("complex",{7})),tostring(ffi.new("complex",{re=1}))
ffi.new("complex",1,2,3)
ffi.new("complex","x")
tostring(ffi.new("complex float",ffi.new("complex",1,2)))
ffi.new("complex",1,2).re,ffi.new("complex",1,2).im,ffi.new("complex",1,2)[0],ffi.new("complex",1,2)[3],ffi.new("complex",1,2)[-2]
ffi.new("complex",1,2).x
ffi.new("complex")[""]
(function() local c=ffi.new("complex",1,2) c.re=3 end)()
(function() local c=ffi.new("complex",1,2) c[0]=3 end)()
(function() local c=ffi.new("complex[2]") c[0]=3 c[1]=ffi.new("complex",4,5) return tostring(c[0]),tostring(c[1]),c[1].im end)()
tonumber(ffi.new("complex",3,4)),tonumber(ffi.new("v4",3,4))
tonumber(ffi.new("int",ffi.new("complex",3.5,4))),tonumber(ffi.new("double",ffi.new("complex",3.5,4)))
ffi.new("bool",ffi.new("complex",0,4))
ffi.cast("complex",3)
ffi.cast("int",ffi.new("complex",3,4))
ffi.new("complex",1,2)+1
-ffi.new("complex",1,2)
ffi.new("complex",1,2)<1
ffi.new("complex",1,2)==ffi.new("complex",1,2),ffi.new("complex",1,2)==1,ffi.new("complex")==nil
#ffi.new("complex")
ffi.istype("complex",ffi.new("complex")),ffi.istype("complex float",ffi.new("complex")),ffi.istype("v4",ffi.new("v4"))
tostring(ffi.C.cexp(ffi.new("complex",1,0))),ffi.C.creal(ffi.new("complex",3,4)),ffi.C.crealf(ffi.new("complex float",3,4)),ffi.C.creal(5),ffi.C.creal({1,2})
ffi.C.creal("x")
tostring(ffi.typeof("complex *")),tostring(ffi.typeof("complex float[3]")),tostring(ffi.typeof("v4")),tostring(ffi.typeof("v4 *"))
ffi.sizeof("v4"),ffi.alignof("v4"),ffi.sizeof("struct parts"),ffi.offsetof("struct parts","z"),ffi.offsetof("struct parts","f"),ffi.offsetof("struct parts","v")
(function() local c=ffi.new("struct parts",{1,2,3,4}) return tostring(c.z),tostring(c.f),c.v[0],c.v[1] end)()
(function() local c=ffi.new("struct parts",{1,{2,3},4}) c.v={1,2,3,4} return tostring(c.z),tostring(c.f),c.v[0],c.v[3] end)()
(function() local c=ffi.new("struct parts") c.v=7 c.z={1,2} return tostring(c.z),c.v[0],c.v[3] end)()
(function() local c=ffi.new("struct parts") c.v[1]=7 end)()
(function() local v=ffi.new("v4",5,6) return v[0],v[1],v[2],v[3] end)()
(function() local v=ffi.new("v4",ffi.new("complex",5,6)) return v[0],v[1],v[2],v[3] end)()
ffi.new("v4",1,2,3,4,5)
ffi.new("v4","x")
ffi.new("v4").x
ffi.new("v4",1,2)+1
ffi.cast("float*",ffi.new("v4",1,2,3,4))
ffi.gc(ffi.new("complex"),print)
ffi.fill(ffi.new("complex"),16)
ffi.new("complex")()
]==]
for expression in expressions:gmatch "[^\n]+" do evaluate(expression) end
