-- package: lua-luaossl
local digest, hmac, cipher = require "openssl.digest", require "openssl.hmac", require "openssl.cipher"
local bignum, pkey, x509, name, rand = require "openssl.bignum", require "openssl.pkey", require "openssl.x509", require "openssl.x509.name", require "openssl.rand"
local function hex(s) return (s:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end
print(hex(digest.new("sha256"):final "abc"), hex(hmac.new("key", "sha1"):final "data"))
local key, iv = ("k"):rep(16), ("i"):rep(16)
local box = cipher.new("aes-128-cbc"):encrypt(key, iv):final "secret message"
print(hex(box), (cipher.new("aes-128-cbc"):decrypt(key, iv):final(box)))
print(tostring(bignum.new "12345678901234567890" * bignum.new(2)), bignum.new(5) < bignum.new(6), bignum.new(7) == bignum.new(7))
local k = pkey.new { type = "EC", curve = "prime256v1" }
local certificate = x509.new()
local subject = name.new()
subject:add("CN", "example")
certificate:setSubject(subject)
certificate:setIssuer(subject)
certificate:setPublicKey(k)
certificate:setLifetime(1000000, 2000000)
certificate:sign(k)
print(tostring(certificate:getSubject()), certificate:getLifetime(), certificate:isIssuedBy(certificate))
local signed = k:sign(digest.new("sha256"):update "text")
print(k:verify(signed, digest.new("sha256"):update "text"), #rand.bytes(10))
for _ = 1, 200 do digest.new "md5" end
collectgarbage()
