/// Positions that are too old to say where the vehicle is. The ride never sees them.
extension Ride {
    /// Notes that a device has sent a position that is too old to count. A ride with no others
    /// would be silent.
    ///
    /// - Parameter time: when it came, in milliseconds since 1970.
    /// - Returns: the signal that only such positions have come for a minute.
    package mutating func noteOld(at time: Int64) -> [Signal] {
        guard !isOver, !given.contains(.now) else { return [] }
        // A later time was noted before the clock was set back.
        let since = min(oldSince ?? time, time)
        oldSince = since
        let silence = lastFix.map { time - $0 } ?? .max
        guard time - since >= Rules.oldTime, silence >= Rules.longestReport, mayReport(.old)
        else { return [] }
        return [give(.old(isArmed: timerDue != nil))]
    }

    /// Notes that a position has come that isn't too old.
    ///
    /// - Returns: the signal that positions count again.
    package mutating func noteFresh() -> [Signal] {
        oldSince = nil
        guard !isOver, !given.contains(.now), isReported(.old) else { return [] }
        return [give(.fresh)]
    }
}
