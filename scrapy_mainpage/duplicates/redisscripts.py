"""What the Redis server does in one step: scripts in Lua.

A text is a hash ``PREFIX:text:NAME``. It says whose it is (``by``); one whose item is
still on its way, until when that is believed (``until``, by the server's clock); and
whose it is otherwise, if its page was there before (``kept``).
``PREFIX:age`` has all names in the order of their age. The names of the texts with a
band, or an address, are in the hashes ``PREFIX:band:NUMBER`` and ``PREFIX:address``,
one after another, 16 characters each. A field of a hash takes a third of the memory
that a key of its own would. ``PREFIX:replaced`` has the URLs of texts in whose place
others came, ``PREFIX:replaced:WORKER`` those that a worker is to hear of, and
``PREFIX:replaced:of`` the workers that have not heard of theirs.
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

local function now()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function last_age()
    local last = redis.call('ZREVRANGE', prefix .. ':age', 0, 0, 'WITHSCORES')
    return tonumber(last[2]) or 0
end

-- The end of a claim: a page that was there before is there as before.
local function let_go(name)
    local key = prefix .. ':text:' .. name
    local kept = redis.call('HGET', key, 'kept')
    if not kept then return forget(name) end
    redis.call('HDEL', key, 'until', 'kept')
    redis.call('HSET', key, 'by', kept)
end

local function remember(name, row, by, most_of_place, ...)
    forget(name)
    redis.call('HSET', prefix .. ':text:' .. name, 'url', row[1], 'own', row[2],
        'address', row[3], 'digest', row[4], 'words', row[5], 'sketch', row[6],
        'bands', row[7], 'by', by, ...)
    for _, place in ipairs(places({bands = row[7], own = row[2], address = row[3]})) do
        local names = redis.call('HGET', place[1], place[2]) or ''
        local others = without(names, name)
        others[#others + 1] = name
        local first = math.max(1, #others - most_of_place + 1)
        redis.call('HSET', place[1], place[2], table.concat(others, '', first))
    end
    redis.call('ZADD', prefix .. ':age', last_age() + 1, name)
end
"""

#: KEYS: prefix. ARGV: bands, own, address, how many at most. Returns the age of the
#: newest text of all, and a list for each text that may be alike: name, url, own,
#: address, digest, words, sketch, whose it is, and until when if it is on its way;
#: those that were found in most places first.
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
local texts, time = {}, now()
for number = 1, math.min(#order, tonumber(ARGV[4])) do
    local name = order[number]
    local values = redis.call('HMGET', prefix .. ':text:' .. name,
        'url', 'own', 'address', 'digest', 'words', 'sketch', 'by', 'until')
    values[8] = values[8] or ''
    if values[8] ~= '' and tonumber(values[8]) < time then
        let_go(name)
        values[1], values[7], values[8] = unpack(redis.call('HMGET',
            prefix .. ':text:' .. name, 'url', 'by', 'until'))
        values[8] = values[8] or ''
    end
    if values[1] then
        table.insert(values, 1, name)
        texts[#texts + 1] = values
    end
end
return {tostring(last_age()), texts}
"""
)

#: KEYS: prefix. ARGV: name, url, own, address, digest, words, sketch, bands, how many
#: names a place has at most, the age up to which texts are known, whose the text is,
#: for how many milliseconds. Returns 0 if there is a newer text that may be alike; else
#: the text is there, on its way, and it returns 1.
CLAIM: Final = (
    _COMMON
    + """
local name, age = ARGV[1], prefix .. ':age'
local text = {bands = ARGV[8], own = ARGV[3], address = ARGV[4]}
for _, place in ipairs(places(text)) do
    local names = redis.call('HGET', place[1], place[2]) or ''
    for start = #names - 15, 1, -16 do -- the newest first
        local other = string.sub(names, start, start + 15)
        local score = redis.call('ZSCORE', age, other)
        if score and tonumber(score) <= tonumber(ARGV[10]) then break end
        if score and other ~= name then return 0 end
    end
end
local key = prefix .. ':text:' .. name
local by, on_its_way, kept =
    unpack(redis.call('HMGET', key, 'by', 'until', 'kept'))
if by and not on_its_way then kept = by end
remember(name, {unpack(ARGV, 2, 8)}, ARGV[11], tonumber(ARGV[9]), 'until',
    string.format('%.0f', now() + ARGV[12]))
if kept then redis.call('HSET', key, 'kept', kept) end
return 1
"""
)

#: KEYS: prefix. ARGV: name, whose it is. Ends the claim of a text that is on its way.
RELEASE: Final = (
    _COMMON
    + """
local values = redis.call('HMGET', prefix .. ':text:' .. ARGV[1], 'by', 'until')
if values[1] == ARGV[2] and values[2] then let_go(ARGV[1]) end
"""
)

#: KEYS: prefix. ARGV: name, url, own, address, digest, words, sketch, bands, how many
#: texts at most, how many names a place has at most, whose it is, names of texts in
#: whose place it comes. Returns how many of the oldest were forgotten.
ADD: Final = (
    _COMMON
    + """
local replaced = prefix .. ':replaced'
for number = 12, #ARGV do
    local url, own, by = unpack(redis.call('HMGET',
        prefix .. ':text:' .. ARGV[number], 'url', 'own', 'by'))
    if url and url ~= '' and own ~= ARGV[3] then
        redis.call('SADD', replaced, url)
        if by ~= ARGV[11] then
            redis.call('SADD', replaced .. ':of', by)
            redis.call('RPUSH', replaced .. ':' .. by, url)
        end
    end
    forget(ARGV[number])
end
redis.call('SREM', replaced, ARGV[2])
remember(ARGV[1], {unpack(ARGV, 2, 8)}, ARGV[11], tonumber(ARGV[10]))
local too_many = redis.call('ZCARD', prefix .. ':age') - tonumber(ARGV[9])
if too_many > 0 then
    for _, old in ipairs(redis.call('ZRANGE', prefix .. ':age', 0, too_many - 1)) do
        forget(old)
    end
end
return math.max(0, too_many)
"""
)
