/// Positions that say too little about where the vehicle is.
extension RideFix {
    /// Whether the fix is too coarse to count: within a larger radius than 100 m.
    package var isTooCoarse: Bool { !((accuracy ?? 0) <= Rules.worstAccuracy) }
}

extension Ride {
    /// Notes whether a position is too coarse to count. A ride with no others would be silent.
    ///
    /// - Returns: the signal that none has counted for a minute, or that one counts again.
    package mutating func noteAccuracy(of fix: RideFix) -> [Signal] {
        guard !isOver, !given.contains(.now) else { return [] }
        guard fix.isTooCoarse else {
            coarseSince = nil
            return isReported(.coarse) ? [give(.precise)] : []
        }
        let since = coarseSince ?? fix.time
        coarseSince = since
        guard fix.time - since >= Rules.coarseTime, mayReport(.coarse) else { return [] }
        return [give(.coarse(isArmed: timerDue != nil))]
    }
}
