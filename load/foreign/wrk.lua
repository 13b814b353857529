-- wrk writes sums alone; its Lua can log each request: one connection a thread, so that the reply belongs to the request before it.
local ffi = require("ffi")
ffi.cdef[[ typedef struct { long sec; long usec; } timeval; int gettimeofday(timeval *, void *); ]]
local t = ffi.new("timeval")
local function now() ffi.C.gettimeofday(t, nil); return tonumber(t.sec) * 1000 + tonumber(t.usec) / 1000 end
local threads = 0
function setup(thread) thread:set("id", threads); threads = threads + 1 end
local sent, out
function init() out = io.open("wrk-" .. id .. ".csv", "w") end
function delay() return 250 + id * 30 end
function request() sent = now(); return wrk.format("GET") end
function response(status) out:write(string.format("%.3f,%.3f,%d\n", sent, now(), status)); out:flush() end
