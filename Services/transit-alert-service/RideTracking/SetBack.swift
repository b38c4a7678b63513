import Foundation

extension Ride {
    /// The newest of the times by which the ride judges positions; nil before the first one.
    private var newest: Int64? { [lastFix, estimate?.time].compactMap(\.self).max() }

    /// Moves the ride's times back so that the newest one is now, because they were taken from a
    /// clock that was ahead and has been set back. Otherwise no position would count, and no alarm
    /// be due, until that time comes again.
    ///
    /// Nothing is learned from what it has passed so far.
    ///
    /// - Parameters:
    ///   - now: the present time in milliseconds since 1970.
    ///   - latest: only if its newest time is later than this one.
    /// - Returns: true if it was moved.
    package mutating func setBack(to now: Int64, ifAfter latest: Int64) -> Bool {
        guard let newest, newest > max(latest, now) else { return false }
        let length = newest - now
        gate.setBack(by: length)
        match.setBack(by: length)
        recent.setBack(by: length)
        estimate?.time -= length
        rest?.time -= length
        nearest?.time -= length
        if passings != nil { passings = Passings() }
        (readyDue, nowDue) = (readyDue.map { $0 - length }, nowDue.map { $0 - length })
        (lastFix, lastShown) = (lastFix.map { $0 - length }, lastShown.map { $0 - length })
        straySince = straySince.map { $0 - length }
        coarseSince = coarseSince.map { $0 - length }
        return true
    }
}

extension LandmarkGuide {
    /// Announces landmarks again if the last one was announced by a clock that was ahead.
    package mutating func setBack(to now: Int64) { last = last.map { min($0, now) } }
}
