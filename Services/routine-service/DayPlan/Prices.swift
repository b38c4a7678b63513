/// A price for each minute of the day, at which every routine bids independently. The sum of all
/// prices and of what the routines gain beyond what they pay is at least the value of any plan
/// (Lagrangian relaxation: Fisher, "The Lagrangian relaxation method for solving integer
/// programming problems", Management Science 27, 1981). Prices are integers, so that the bound is
/// exact.
struct Prices {
    private let tables: [ChoiceTable]
    private let pause: Int
    /// The first minute that has a price, and the one after the last.
    let from: Int
    let until: Int
    private var price: [Int64]
    /// The sum of the prices from each minute to the end.
    private(set) var rest: [Int64]
    /// The most that each routine can gain beyond the prices by beginning at a minute or later.
    private(set) var gains: [[Int64]]
    /// The upper bound of the value of any plan.
    private(set) var bound: Int64 = 0
    /// The number of choices examined.
    private(set) var steps = 0

    init(_ tables: [ChoiceTable], day: OpenDay) {
        self.tables = tables
        pause = day.pause
        from = day.from
        until = max(day.from, day.until) + day.pause + 1
        price = [Int64](repeating: 0, count: until - from + 1)
        rest = price
        gains = tables.map { _ in [] }
        take(price)
    }

    /// Returns what a choice gains beyond the prices of its minutes, including those of the pause
    /// after it.
    @inline(__always)
    private func gain(_ table: ChoiceTable, _ place: Int, from start: Int) -> Int64 {
        table.values[place] - rest[start - from] + rest[Int(table.ends[place]) + pause - from]
    }

    /// Lowers the bound by the subgradient method, in at most `rounds` rounds: minutes that several
    /// routines want get dearer, minutes that none wants get cheaper.
    mutating func improve(rounds: Int, value: Int64, steps limit: Int) {
        var best = price
        var lowest = bound
        var share = 1.0
        var failures = 0
        let allowed = steps + limit
        for _ in 0..<rounds {
            guard lowest > value, steps < allowed else { break }
            let (demand, now) = bids()
            if now < lowest {
                (lowest, best, failures) = (now, price, 0)
            } else {
                failures += 1
                if failures % 5 == 0 { share /= 2 }
            }
            var norm = 0.0
            for minute in price.indices where price[minute] > 0 || demand[minute] > 1 {
                let excess = Double(demand[minute] - 1)
                norm += excess * excess
            }
            guard norm > 0 else { break }
            let length = share * Double(now - value) / norm
            for minute in price.indices {
                let change = (length * Double(demand[minute] - 1)).rounded()
                price[minute] = max(0, price[minute] + Int64(change))
            }
            sum()
        }
        take(best)
    }

    private mutating func sum() {
        var together: Int64 = 0
        for minute in price.indices.reversed() {
            together += price[minute]
            rest[minute] = together
        }
    }

    /// Returns how many routines want each minute at these prices, and the resulting bound.
    private mutating func bids() -> (demand: [Int], bound: Int64) {
        var change = [Int](repeating: 0, count: price.count + 1)
        var bound = rest[0]
        for table in tables {
            let best = best(of: table)
            steps += table.values.count
            guard best.gain > 0 else { continue }
            bound += best.gain
            change[best.from - from] += 1
            change[best.until - from] -= 1
        }
        var demand = change
        var wanted = 0
        for minute in change.indices {
            wanted += change[minute]
            demand[minute] = wanted
        }
        return (demand, bound)
    }

    /// Returns the choice of a routine that gains the most, with the minutes that it takes.
    private func best(of table: ChoiceTable) -> (gain: Int64, from: Int, until: Int) {
        var best: (gain: Int64, from: Int, until: Int) = (0, 0, 0)
        let (values, ends, rest) = (table.values, table.ends, rest)
        for start in table.from..<max(table.from, table.last + 1) {
            let paid = rest[start - from]
            for place in table.places(at: start) {
                let end = Int(ends[place]) + pause
                let gain = values[place] - paid + rest[end - from]
                if gain > best.gain { best = (gain, start, end) }
            }
        }
        return best
    }

    /// Sets the prices and computes everything that follows from them.
    private mutating func take(_ prices: [Int64]) {
        price = prices
        sum()
        bound = rest[0]
        for (number, table) in tables.enumerated() {
            var gains = [Int64](repeating: 0, count: price.count + 1)
            var most: Int64 = 0
            for minute in (from...until).reversed() {
                for place in table.places(at: minute) {
                    most = max(most, gain(table, place, from: minute))
                }
                gains[minute - from] = most
            }
            steps += table.values.count
            self.gains[number] = gains
            bound += most
        }
    }
}
