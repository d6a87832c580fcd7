"""What the Redis server does in one step with the queue of a crawl: scripts in Lua.

``KEY`` is the queue, a sorted set: the number of each request, 8 bytes, and the request
behind it, by priority and then by number. ``KEY:taken:WORKER`` is a hash of what a
worker has in hand, by number, each with its priority before it; ``KEY:workers`` says
until when each worker is taken for alive, by the server's clock. ``KEY:attempts``
counts how often a request was in the hand of a worker that died, ``KEY:given_up`` has
those that were there too often.
"""

from __future__ import annotations

from typing import Final

_COMMON: Final = """
local queue = KEYS[1]
local workers, attempts = queue .. ':workers', queue .. ':attempts'

local function taken_by(worker) return queue .. ':taken:' .. worker end

local function give_back(worker, most)
    local values, given_up = redis.call('HGETALL', taken_by(worker)), {}
    for place = 1, #values, 2 do
        local number, value = values[place], values[place + 1]
        local mark = string.find(value, '|', 1, true)
        local score = string.sub(value, 1, mark - 1)
        local request = string.sub(value, mark + 1)
        if most and redis.call('HINCRBY', attempts, number, 1) >= most then
            redis.call('HDEL', attempts, number)
            redis.call('HSET', queue .. ':given_up', number, request)
            given_up[#given_up + 1] = request
        else
            redis.call('ZADD', queue, score, number .. request)
        end
    end
    redis.call('DEL', taken_by(worker))
    return #values / 2, given_up
end

local function done(worker, first)
    for place = first, #ARGV do
        redis.call('HDEL', taken_by(worker), ARGV[place])
        redis.call('HDEL', attempts, ARGV[place])
    end
end
"""

#: KEYS: queue, fingerprints. ARGV: fingerprint or nothing, score, request. Returns 1,
#: or 0 if the fingerprint was there. So none can be there without its request.
ADD: Final = """
if ARGV[1] ~= '' and redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 0 end
local number = struct.pack('>I8', redis.call('INCR', KEYS[1] .. ':last'))
redis.call('ZADD', KEYS[1], ARGV[2], number .. ARGV[3])
return 1
"""

#: KEYS: queue. ARGV: worker, milliseconds until it is taken for dead, how many deaths a
#: request may see, whether to take a request, how many the worker has in hand, numbers
#: of those that it is done with. Returns the number and the request, or two times
#: nothing; whether the worker was known; how many were taken back; what was given up.
EXCHANGE: Final = (
    _COMMON
    + """
local worker = ARGV[1]
done(worker, 6)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('ZSCORE', workers, worker) and 1 or 0
redis.call('ZADD', workers, string.format('%.0f', now + ARGV[2]), worker)
local back, given_up = 0, {}
-- An answer that got lost on its way has put something into an empty hand.
if ARGV[5] == '0' then back = give_back(worker) end
local over = redis.call('ZRANGEBYSCORE', workers, '-inf', string.format('%.0f', now))
for _, dead in ipairs(over) do
    local count, lost = give_back(dead, tonumber(ARGV[3]))
    back = back + count
    for _, request in ipairs(lost) do given_up[#given_up + 1] = request end
    redis.call('ZREM', workers, dead)
end
local number, request = '', ''
if ARGV[4] == '1' then
    local first = redis.call('ZPOPMIN', queue)
    if first[1] then
        number, request = string.sub(first[1], 1, 8), string.sub(first[1], 9)
        redis.call('HSET', taken_by(worker), number, first[2] .. '|' .. request)
    end
end
return {number, request, known, back, given_up}
"""
)

#: KEYS: queue. Returns how many requests wait or are in the hand of any worker.
PENDING: Final = (
    _COMMON
    + """
local count = redis.call('ZCARD', queue)
for _, worker in ipairs(redis.call('ZRANGE', workers, 0, -1)) do
    count = count + redis.call('HLEN', taken_by(worker))
end
return count
"""
)

#: KEYS: queue. ARGV: worker, numbers of the requests that it is done with. Returns how
#: many it had still in hand.
LEAVE: Final = (
    _COMMON
    + """
done(ARGV[1], 2)
local count = give_back(ARGV[1])
redis.call('ZREM', workers, ARGV[1])
return count
"""
)
