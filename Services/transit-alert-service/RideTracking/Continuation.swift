import Foundation

extension Ride {
    /// Continues the ride after its stop was passed: to a stop ahead on the line that the vehicle
    /// is on, or to the next one. A stop is named by its id, by its station's, or by its own name,
    /// which may stand for several stops elsewhere.
    ///
    /// - Returns: the stop that it continues to.
    /// - Throws: ``Unusable`` when the stop wasn't passed, or isn't ahead.
    package mutating func goOn(to stop: String?, on lines: [Line]) throws(Unusable) -> Line.Stop {
        guard isOver else {
            throw Unusable(
                description: "the stop has not been passed; finish the journey and begin another")
        }
        guard let id = line, let along, let ridden = lines.first(where: { $0.id == id }) else {
            throw Unusable(description: "the vehicle's line is not known; begin another journey")
        }
        let ahead = ridden.stops.filter { $0.along > along + Rules.atStop }
        guard let next = ahead.first else {
            throw Unusable(description: "the line ends here; get off")
        }
        guard let wanted = stop.map({ Self.named($0, among: ahead) }) ?? next else {
            throw Unusable(
                description: "stop \(stop ?? "") is not ahead on this line; the next is \(next.id)")
        }
        target = wanted.id
        // The other lines count as long as they go there too.
        candidates = candidates.map { id in
            let serves = lines.first { $0.id == id }?.calls(at: wanted.id).isEmpty == false
            return serves ? id : ""
        }
        match.restart(keeping: Set(candidates.indices.filter { !candidates[$0].isEmpty }))
        given = []
        (estimate, readyDue, nowDue, forecast) = (nil, nil, nil, nil)
        (fixesBehind, strayFixes, strayNear, straySince) = (0, 0, 0, nil)
        (coarseSince, oldSince) = (nil, nil)
        arm(from: along, to: wanted, on: ridden)
        return wanted
    }

    /// Gives no further signals, unless the ride continues to another stop.
    ///
    /// - Throws: ``Unusable`` when it hasn't signalled to get off.
    package mutating func fallSilent() throws(Unusable) {
        guard isOver || given.contains(.now) else {
            throw Unusable(
                description: "it is not time to get off yet; finish the journey if you need no "
                    + "alarm")
        }
        if !isOver { given.append(.passed) }
        estimate = nil
    }

    private static func named(_ name: String, among stops: [Line.Stop]) -> Line.Stop? {
        stops.first { $0.id == name || $0.station == name }
            ?? stops.first {
                $0.name.compare(name, options: [.caseInsensitive, .diacriticInsensitive])
                    == .orderedSame
            }
    }

    /// Sets the timers from where the vehicle was last seen.
    private mutating func arm(from along: Double, to stop: Line.Stop, on line: Line) {
        guard let index = candidates.firstIndex(of: line.id), let lastFix,
            let call = line.calls(at: stop.id).first(where: { line.stops[$0].along > along })
        else { return }
        let remaining = line.pace.remaining(
            from: along, to: call, at: lastFix, isStanding: false,
            recentSpeed: recent.metresPerSecond(at: along, lastFix))
        estimate = Estimate(
            time: lastFix, line: index, call: call, along: along, metres: stop.along - along,
            typical: remaining.typical)
        readyDue = lastFix + Int64(max(0, remaining.cautious * 1_000 - Double(notice)))
        nowDue = lastFix + Int64(max(0, nowWait(remaining)) * 1_000)
    }
}
