/// Searches for the best day, minute by minute, over the sets of routines that may be done by then.
///
/// A state is a minute, a set of done routines and the value so far. Routines whose time has passed
/// are removed from the sets, so that a usual day has few different sets and all of them are
/// searched (dynamic programming, exact). A state is dropped if, by the bound of `Prices`, it can't
/// lead to more than the best plan known. When too many states remain, those with the highest bound
/// are kept, and the next pass keeps more; the result is then good, but not proven.
struct DaySearch {
    /// A routine that is done after those before it.
    private struct Entry {
        var done: UInt64
        var value: Int64
        /// The most that the remaining routines could gain when it began.
        var hope: Int64
        /// The entry of the previous routine, and the next entry that becomes ready in the same
        /// minute; -1 when there is none.
        var before: Int32
        var next: Int32
        var routine: Int16
        var start: Int16
        var end: Int16
    }

    private struct State {
        var done: UInt64
        var value: Int64
        /// The most that the remaining routines can gain.
        var hope: Int64
        var entry: Int32
    }

    /// The most that a remaining routine can gain beyond the prices.
    private struct Hope {
        let routine: UInt64
        let gain: Int64
    }

    /// One way to do a routine.
    private struct Offer {
        let end: Int
        let value: Int64
        /// How far it falls short of the most that was hoped for.
        let loss: Int64
    }

    /// An entry by what it may lead to.
    private struct Rank {
        let value: Int64
        let hope: Int64
        let place: Int32
    }

    /// A routine with its place in the day.
    struct Step {
        /// The index of its table.
        let routine: Int
        let start: Int
        let end: Int
    }

    private let day: OpenDay
    private let tables: [ChoiceTable]
    private var prices: Prices
    private let limit: Int
    private(set) var steps: Int
    private(set) var value: Int64 = 0
    private(set) var best: [Step] = []
    private(set) var isProven = false
    private var entries: [Entry] = []
    private var heads: [Int32]
    /// The number of entries that become ready in each minute.
    private var counts: [Int]
    /// The places of dropped entries, for reuse.
    private var dropped: [Int32] = []
    private var table = StateTable()
    private var thinned = StateTable()
    /// Lists in the making; kept so that their memory is used again.
    private var gathered: [State] = []
    private var hopes: [Hope] = []
    private var offered: [Offer] = []
    private var ranks: [Rank] = []

    /// The maximum number of entries in a pass; it bounds the memory.
    private static let mostEntries = 400_000
    /// The width of the widest pass.
    private static let widest = 32_768

    init(_ day: OpenDay, _ tables: [ChoiceTable], limit: Int) {
        self.day = day
        self.tables = tables
        self.limit = limit
        prices = Prices(tables, day: day)
        steps = tables.reduce(0) { $0 + $1.steps }
        heads = [Int32](repeating: -1, count: prices.until - prices.from + 1)
        counts = heads.map { _ in 0 }
    }

    /// Searches until a plan is proven the best or the effort is used up.
    mutating func run() {
        var width = 8
        var isWhole = false
        while !isWhole, prices.bound >= value + Value.minute {
            isWhole = pass(width: width)
            guard !isWhole, total < limit, width < Self.widest,
                entries.count < Self.mostEntries
            else { break }
            if width < 1_000 {
                prices.improve(rounds: 40, value: value, steps: (limit - total) / 4)
            }
            width *= 4
        }
        let isCut = tables.contains { $0.isCut }
        isProven = !isCut && (isWhole || prices.bound < value + Value.minute)
        steps = total
    }

    private var total: Int { steps + prices.steps }

    /// Makes one pass over the day with at most `width` states a minute. Returns false when it
    /// dropped states that might have led to more.
    private mutating func pass(width: Int) -> Bool {
        entries.removeAll(keepingCapacity: true)
        dropped.removeAll(keepingCapacity: true)
        for minute in heads.indices { (heads[minute], counts[minute]) = (-1, 0) }
        var isWhole = true
        var states = [State(done: 0, value: 0, hope: 0, entry: -1)]
        if let current = day.current { states = begin(current) }
        for minute in day.from...max(day.from, day.until) {
            guard total < limit, entries.count < Self.mostEntries else { return false }
            let closed = closed(at: minute)
            let isDue = heads[minute - day.from] >= 0 || closed.changes || minute % 8 == 0
            if isDue || minute == day.from {
                gather(&states, at: minute, closed: closed.mask)
                if states.count > width {
                    isWhole = false
                    states.sort {
                        ($0.value + $0.hope, $1.done) > ($1.value + $1.hope, $0.done)
                    }
                    states.removeSubrange(width...)
                    steps += 4 * states.count
                }
            }
            if !expand(states, at: minute, width: width) { isWhole = false }
        }
        return isWhole
    }

    /// Lets the current routine continue before another begins, or leaves out the rest of it.
    private mutating func begin(_ current: Int) -> [State] {
        let state = State(done: 0, value: 0, hope: 0, entry: -1)
        for start in tables[current].from..<max(tables[current].from, tables[current].last + 1) {
            offer(current, at: start)
            for place in offered.indices { push(state, current, start, offered[place]) }
        }
        return [State(done: 1 << UInt64(current), value: 0, hope: 0, entry: -1)]
    }

    /// Returns the routines that can no longer begin at a minute, and whether one of them could a
    /// minute before.
    private func closed(at minute: Int) -> (mask: UInt64, changes: Bool) {
        var mask: UInt64 = 0
        var changes = false
        for (number, table) in tables.enumerated() where table.last < minute {
            mask |= 1 << UInt64(number)
            changes = changes || table.last == minute - 1
        }
        return (mask, changes)
    }

    /// Replaces the states of a minute by those that wait and those that become ready: the best for
    /// each set of done routines that can still begin, without those that can't lead to more.
    private mutating func gather(_ states: inout [State], at minute: Int, closed: UInt64) {
        gathered.removeAll(keepingCapacity: true)
        table.clear(atLeast: states.count)
        hopes.removeAll(keepingCapacity: true)
        for number in tables.indices {
            let gain = prices.gains[number][minute - day.from]
            if gain > 0 { hopes.append(Hope(routine: 1 << UInt64(number), gain: gain)) }
        }
        for state in states { add(state, closed: closed) }
        var next = heads[minute - day.from]
        while next >= 0 {
            let entry = entries[Int(next)]
            add(
                State(done: entry.done, value: entry.value, hope: 0, entry: next), closed: closed)
            next = entry.next
        }
        let enough = value + Value.minute - prices.rest[minute - day.from]
        states.removeAll(keepingCapacity: true)
        for state in gathered where state.value + state.hope >= enough { states.append(state) }
    }

    private mutating func add(_ state: State, closed: UInt64) {
        steps += 1
        let done = state.done & ~closed
        if let place = table.place(of: done, gathered.count) {
            if gathered[place].value < state.value {
                gathered[place].value = state.value
                gathered[place].entry = state.entry
            }
            return
        }
        var hope: Int64 = 0
        for one in hopes where done & one.routine == 0 { hope += one.gain }
        gathered.append(State(done: done, value: state.value, hope: hope, entry: state.entry))
    }

    /// Begins each possible routine from each state of a minute. Returns false when it dropped
    /// entries that might have led to more.
    private mutating func expand(_ states: [State], at minute: Int, width: Int) -> Bool {
        var isWhole = true
        let now = prices.rest[minute - day.from]
        for number in tables.indices {
            offer(number, at: minute)
            guard let least = offered.lazy.map(\.loss).min() else { continue }
            let bit = UInt64(1) << UInt64(number)
            for state in states where state.done & bit == 0 {
                steps += 1
                let spare = state.value + now + state.hope - value - Value.minute
                guard spare >= least else { continue }
                steps += offered.count
                for place in offered.indices where spare >= offered[place].loss {
                    let offer = offered[place]
                    push(state, number, minute, offer)
                    let slot = offer.end + day.pause - day.from
                    if counts[slot] > 4 * width + 64, !thin(slot, to: 2 * width + 32) {
                        isWhole = false
                    }
                }
            }
        }
        return isWhole
    }

    /// Drops entries that become ready in a minute: duplicates of a set of done routines with less
    /// value, then those with the least hope. Returns false when it dropped any of the latter.
    private mutating func thin(_ slot: Int, to most: Int) -> Bool {
        ranks.removeAll(keepingCapacity: true)
        thinned.clear(atLeast: counts[slot])
        var next = heads[slot]
        while next >= 0 {
            let place = next
            let entry = entries[Int(place)]
            next = entry.next
            let rank = Rank(value: entry.value, hope: entry.hope, place: place)
            guard let known = thinned.place(of: entry.done, ranks.count) else {
                ranks.append(rank)
                continue
            }
            let other = ranks[known]
            if (entry.value, other.place) > (other.value, place) {
                dropped.append(other.place)
                ranks[known] = rank
            } else {
                dropped.append(place)
            }
        }
        steps += 4 * counts[slot]
        let isWhole = ranks.count <= most
        if !isWhole {
            ranks.sort { ($0.value + $0.hope, $1.place) > ($1.value + $1.hope, $0.place) }
            for rank in ranks[most...] { dropped.append(rank.place) }
            ranks.removeSubrange(most...)
        }
        heads[slot] = -1
        for rank in ranks {
            entries[Int(rank.place)].next = heads[slot]
            heads[slot] = rank.place
        }
        counts[slot] = ranks.count
        return isWhole
    }

    /// Finds the ways to do a routine that begin at a minute.
    private mutating func offer(_ number: Int, at minute: Int) {
        offered.removeAll(keepingCapacity: true)
        let places = tables[number].places(at: minute)
        guard !places.isEmpty else { return }
        let most = prices.gains[number][minute - day.from] + prices.rest[minute - day.from]
        for place in places {
            let end = Int(tables[number].ends[place])
            let gain = tables[number].values[place]
            let rest = prices.rest[end + day.pause - day.from]
            offered.append(Offer(end: end, value: gain, loss: most - gain - rest))
        }
    }

    /// Adds a routine after a state.
    private mutating func push(_ state: State, _ number: Int, _ start: Int, _ offer: Offer) {
        let reached = state.value + offer.value
        let slot = offer.end + day.pause - day.from
        let entry = Entry(
            done: state.done | 1 << UInt64(number), value: reached,
            hope: state.hope - prices.gains[number][start - day.from], before: state.entry,
            next: heads[slot], routine: Int16(number), start: Int16(start), end: Int16(offer.end))
        let place: Int
        if let free = dropped.popLast() {
            place = Int(free)
            entries[place] = entry
        } else {
            place = entries.count
            entries.append(entry)
        }
        heads[slot] = Int32(place)
        counts[slot] += 1
        if reached > value {
            value = reached
            best = steps(to: place)
        }
    }

    private func steps(to last: Int) -> [Step] {
        var found: [Step] = []
        var place = Int32(last)
        while place >= 0 {
            let entry = entries[Int(place)]
            found.append(
                Step(routine: Int(entry.routine), start: Int(entry.start), end: Int(entry.end)))
            place = entry.before
        }
        return found.reversed()
    }
}

/// A map from a set of done routines to its index in a list: open addressing with linear probing.
private struct StateTable {
    private var keys = [UInt64](repeating: 0, count: 64)
    private var places = [Int32](repeating: -1, count: 64)
    private var count = 0

    /// Removes all keys, and makes room for `wanted` of them.
    mutating func clear(atLeast wanted: Int) {
        if keys.count < 4 * wanted {
            var size = keys.count
            while size < 4 * wanted { size *= 2 }
            keys = [UInt64](repeating: 0, count: size)
            places = [Int32](repeating: -1, count: size)
        } else {
            for index in places.indices { places[index] = -1 }
        }
        count = 0
    }

    /// Returns the index of a set, or nil when it is new and now has the given index.
    mutating func place(of key: UInt64, _ new: Int) -> Int? {
        if let place = look(key, new) { return place }
        count += 1
        if 2 * count > keys.count { grow() }
        return nil
    }

    private mutating func look(_ key: UInt64, _ new: Int) -> Int? {
        var slot = Int((key &* 0x9e37_79b9_7f4a_7c15) >> 32) & (keys.count - 1)
        while places[slot] >= 0 {
            if keys[slot] == key { return Int(places[slot]) }
            slot = (slot + 1) & (keys.count - 1)
        }
        keys[slot] = key
        places[slot] = Int32(new)
        return nil
    }

    private mutating func grow() {
        let old = (keys, places)
        keys = [UInt64](repeating: 0, count: 2 * old.0.count)
        places = [Int32](repeating: -1, count: 2 * old.0.count)
        for slot in old.0.indices where old.1[slot] >= 0 {
            _ = look(old.0[slot], Int(old.1[slot]))
        }
    }
}
