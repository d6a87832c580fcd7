-- The operations of the shared store, each in one step of the server.
-- KEYS: prefix. ARGV: the name of an operation, then its arguments.
--
-- An entry is a hash PREFIX:text:NAME with its worker ("by"). One whose item is still in
-- the pipelines has the time until which its claim holds ("until", by the server's
-- clock), and the former worker if the entry was there before ("kept"). PREFIX:age has
-- all names in the order of their age. The names of the texts with a band, or an address,
-- are in the hashes PREFIX:band:NUMBER and PREFIX:address, one after another, 16
-- characters each: a field of a hash takes a third of the memory of a key of its own.
-- PREFIX:replaced has the URLs of replaced entries, PREFIX:replaced:WORKER those that a
-- worker has not asked for yet, PREFIX:replaced:of the workers with such a list.
--
-- A row is a list: name, url, own, address, digest, words, sketch, bands, subject.

local prefix = KEYS[1]
local operations = {}

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

-- End a claim: an entry that was there before is restored.
local function release(name)
    local key = prefix .. ':text:' .. name
    local kept = redis.call('HGET', key, 'kept')
    if not kept then return forget(name) end
    redis.call('HDEL', key, 'until', 'kept')
    redis.call('HSET', key, 'by', kept)
end

local function remember(row, by, max_per_place, ...)
    local name = row[1]
    forget(name)
    redis.call('HSET', prefix .. ':text:' .. name, 'url', row[2], 'own', row[3],
        'address', row[4], 'digest', row[5], 'words', row[6], 'sketch', row[7],
        'bands', row[8], 'subject', row[9], 'by', by, ...)
    for _, place in ipairs(places({bands = row[8], own = row[3], address = row[4]})) do
        local names = redis.call('HGET', place[1], place[2]) or ''
        local others = without(names, name)
        others[#others + 1] = name
        local first = math.max(1, #others - tonumber(max_per_place) + 1)
        redis.call('HSET', place[1], place[2], table.concat(others, '', first))
    end
    redis.call('ZADD', prefix .. ':age', last_age() + 1, name)
end

-- Returns the age of the newest entry of all, and a list for each entry that may be alike:
-- name, url, own, address, digest, words, sketch, subject, worker, and until when it is
-- claimed. Those found in most places come first.
function operations.find(bands, own, address, limit)
    local hits, order = {}, {}
    for _, place in ipairs(places({bands = bands, own = own, address = address})) do
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
    for number = 1, math.min(#order, tonumber(limit)) do
        local name = order[number]
        local values = redis.call('HMGET', prefix .. ':text:' .. name,
            'url', 'own', 'address', 'digest', 'words', 'sketch', 'subject', 'by', 'until')
        values[9] = values[9] or ''
        if values[9] ~= '' and tonumber(values[9]) < time then
            release(name)
            values[1], values[8], values[9] = unpack(redis.call('HMGET',
                prefix .. ':text:' .. name, 'url', 'by', 'until'))
            values[9] = values[9] or ''
        end
        if values[1] then
            table.insert(values, 1, name)
            texts[#texts + 1] = values
        end
    end
    return {tostring(last_age()), texts}
end

-- Returns 0 if an entry newer than *age* may be alike; else claims the row, and returns 1.
function operations.claim(by, max_per_place, age, milliseconds, ...)
    local row = {...}
    local name, ages = row[1], prefix .. ':age'
    for _, place in ipairs(places({bands = row[8], own = row[3], address = row[4]})) do
        local names = redis.call('HGET', place[1], place[2]) or ''
        for start = #names - 15, 1, -16 do -- the newest first
            local other = string.sub(names, start, start + 15)
            local score = redis.call('ZSCORE', ages, other)
            if score and tonumber(score) <= tonumber(age) then break end
            if score and other ~= name then return 0 end
        end
    end
    local key = prefix .. ':text:' .. name
    local owner, pending, kept = unpack(redis.call('HMGET', key, 'by', 'until', 'kept'))
    if owner and not pending then kept = owner end
    remember(row, by, max_per_place, 'until', string.format('%.0f', now() + milliseconds))
    if kept then redis.call('HSET', key, 'kept', kept) end
    return 1
end

-- Ends the claim of a pending entry.
function operations.release(by, name)
    local values = redis.call('HMGET', prefix .. ':text:' .. name, 'by', 'until')
    if values[1] == by and values[2] then release(name) end
end

-- Adds a row in the place of the entries whose names follow it; returns how many of the
-- oldest were forgotten.
function operations.add(by, max_per_place, max_entries, ...)
    local row, replaced = {unpack({...}, 1, 9)}, prefix .. ':replaced'
    for _, old in ipairs({unpack({...}, 10)}) do
        local url, own, other = unpack(redis.call('HMGET',
            prefix .. ':text:' .. old, 'url', 'own', 'by'))
        if url and url ~= '' and own ~= row[3] then
            redis.call('SADD', replaced, url)
            if other ~= by then
                redis.call('SADD', replaced .. ':of', other)
                redis.call('RPUSH', replaced .. ':' .. other, url)
            end
        end
        forget(old)
    end
    redis.call('SREM', replaced, row[2])
    remember(row, by, max_per_place)
    local too_many = redis.call('ZCARD', prefix .. ':age') - tonumber(max_entries)
    if too_many > 0 then
        for _, old in ipairs(redis.call('ZRANGE', prefix .. ':age', 0, too_many - 1)) do
            forget(old)
        end
    end
    return math.max(0, too_many)
end

return operations[ARGV[1]](unpack(ARGV, 2))
