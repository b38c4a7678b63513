/// The minutes of the day that no appointment blocks.
struct OpenTime {
    /// For each minute, the first free one at or after it.
    private let free: [Int]
    /// For each minute, the first blocked one at or after it; beyond the day when there is none.
    private let blocked: [Int]

    init(_ appointments: [DayAppointment]) {
        let end = DayLimits.lastMinute + 1
        var isBlocked = [Bool](repeating: false, count: end)
        for appointment in appointments {
            let from = max(0, appointment.span.from - appointment.preparation)
            for minute in from..<max(from, min(end, appointment.span.until)) {
                isBlocked[minute] = true
            }
        }
        var free = [Int](repeating: end, count: end + 1)
        var blocked = [Int](repeating: 2 * end, count: end + 1)
        for minute in isBlocked.indices.reversed() {
            free[minute] = isBlocked[minute] ? free[minute + 1] : minute
            blocked[minute] = isBlocked[minute] ? minute : blocked[minute + 1]
        }
        self.free = free
        self.blocked = blocked
    }

    /// Returns the first blocked minute at or after a minute of the day.
    func nextBlocked(from minute: Int) -> Int { blocked[minute] }

    /// Returns the earliest beginning, not before a minute, of a free stretch that ends by a limit;
    /// nil when there is none.
    func start(from minute: Int, lasting minutes: Int, until limit: Int) -> Int? {
        var start = minute
        while start + minutes <= limit {
            start = free[start]
            if start + minutes > limit { return nil }
            if blocked[start] - start >= minutes { return start }
            start = blocked[start]
        }
        return nil
    }

    /// Returns the latest such beginning.
    func lastStart(from minute: Int, lasting minutes: Int, until limit: Int) -> Int? {
        var start = limit - minutes
        while start >= minute {
            if self.start(from: start, lasting: minutes, until: limit) == start { return start }
            start -= 1
        }
        return nil
    }

    /// Returns the free stretches of a span.
    func stretches(of span: MinuteSpan) -> [MinuteSpan] {
        var found: [MinuteSpan] = []
        var minute = span.from
        while minute < span.until {
            let from = free[minute]
            guard from < span.until else { break }
            let until = min(blocked[from], span.until)
            found.append(MinuteSpan(from: from, until: until))
            minute = until
        }
        return found
    }
}
