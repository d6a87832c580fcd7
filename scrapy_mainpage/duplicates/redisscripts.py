"""What the Redis server does in one step: scripts in Lua.

A text is a hash ``PREFIX:text:NAME``; ``PREFIX:age`` has all names in the order of
their age. The names of the texts with a band, or an address, are in the hashes
``PREFIX:band:NUMBER`` and ``PREFIX:address``, one after another, 16 characters each. A
field of a hash takes a third of the memory that a key of its own would.
"""

from __future__ import annotations

from typing import Final

_COMMON: Final = """
local prefix = KEYS[1]

local function places(text)
    local found = {}
    for number = 0, #text.bands / 8 - 1 do
        local band = string.sub(text.bands, number * 8 + 1, number * 8 + 8)
        found[#found + 1] = {prefix .. ':band:' .. number, band}
    end
    for _, address in ipairs({text.own, text.address}) do
        if address ~= '0' then
            found[#found + 1] = {prefix .. ':address', address}
        end
    end
    return found
end

local function without(names, name)
    local left = {}
    for start = 1, #names, 16 do
        local other = string.sub(names, start, start + 15)
        if other ~= name then left[#left + 1] = other end
    end
    return left
end

local function forget(name)
    local key = prefix .. ':text:' .. name
    local values = redis.call('HMGET', key, 'bands', 'own', 'address')
    if not values[1] then return end
    local text = {bands = values[1], own = values[2], address = values[3]}
    for _, place in ipairs(places(text)) do
        local names = redis.call('HGET', place[1], place[2])
        local left = names and table.concat(without(names, name)) or ''
        if left == '' then
            redis.call('HDEL', place[1], place[2])
        else
            redis.call('HSET', place[1], place[2], left)
        end
    end
    redis.call('DEL', key)
    redis.call('ZREM', prefix .. ':age', name)
end
"""

#: KEYS: prefix. ARGV: bands, own, address, how many at most. Returns a list for each
#: text that may be alike: name, url, own, address, digest, words, sketch; those that
#: were found in most places first.
FIND: Final = (
    _COMMON
    + """
local hits, order = {}, {}
for _, place in ipairs(places({bands = ARGV[1], own = ARGV[2], address = ARGV[3]})) do
    local names = redis.call('HGET', place[1], place[2]) or ''
    for start = 1, #names, 16 do
        local name = string.sub(names, start, start + 15)
        if not hits[name] then order[#order + 1] = name end
        hits[name] = (hits[name] or 0) + 1
    end
end
table.sort(order, function(a, b)
    if hits[a] ~= hits[b] then return hits[a] > hits[b] end
    return a < b
end)
local texts = {}
for number = 1, math.min(#order, tonumber(ARGV[4])) do
    local name = order[number]
    local values = redis.call('HMGET', prefix .. ':text:' .. name,
        'url', 'own', 'address', 'digest', 'words', 'sketch')
    if values[1] then
        table.insert(values, 1, name)
        texts[#texts + 1] = values
    end
end
return texts
"""
)

#: KEYS: prefix. ARGV: name, url, own, address, digest, words, sketch, bands, how many
#: texts at most, how many names a place has at most, names to forget. Returns how many
#: of the oldest were forgotten.
ADD: Final = (
    _COMMON
    + """
for number = 11, #ARGV do forget(ARGV[number]) end
local name = ARGV[1]
forget(name)
redis.call('HSET', prefix .. ':text:' .. name, 'url', ARGV[2], 'own', ARGV[3],
    'address', ARGV[4], 'digest', ARGV[5], 'words', ARGV[6], 'sketch', ARGV[7],
    'bands', ARGV[8])
for _, place in ipairs(places({bands = ARGV[8], own = ARGV[3], address = ARGV[4]})) do
    local names = redis.call('HGET', place[1], place[2]) or ''
    local others = without(names, name)
    others[#others + 1] = name
    local first = math.max(1, #others - tonumber(ARGV[10]) + 1)
    redis.call('HSET', place[1], place[2], table.concat(others, '', first))
end
local last = redis.call('ZREVRANGE', prefix .. ':age', 0, 0, 'WITHSCORES')
redis.call('ZADD', prefix .. ':age', (tonumber(last[2]) or 0) + 1, name)
local too_many = redis.call('ZCARD', prefix .. ':age') - tonumber(ARGV[9])
if too_many > 0 then
    for _, old in ipairs(redis.call('ZRANGE', prefix .. ':age', 0, too_many - 1)) do
        forget(old)
    end
end
return math.max(0, too_many)
"""
)
