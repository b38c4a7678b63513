import Bus
import Foundation
import Messages
import RideTracking

/// The positions of a ride under way, from the best of several sources.
final class LiveRide: FixSource {
    /// How long the source in use may be silent before the next one takes over.
    static let silence: Duration = .seconds(10)
    /// How far a receiver's clock may be off before the time of arrival is used instead, in
    /// milliseconds.
    static let mostOff: Int64 = 60_000
    /// The least time between two positions that are sent: what the alarm needs, and no more bytes.
    private static let interval: Int64 = 1_000

    private let sources: [LiveSource]
    private let speed: UInt32
    private let origin: Int64
    private let say: (String) -> Void
    private var last: Int64 = .min
    private var used: LiveSource?
    private var isSilent = false
    private var wasOff = false

    /// - Parameters:
    ///   - places: where positions come from, the best first.
    ///   - origin: when the ride begins, in milliseconds since 1970.
    ///   - speed: how many times faster than life the sources are; 1 unless it is a trial.
    ///   - say: tells the person something.
    init(_ places: [LivePlace], origin: Int64, speed: UInt32, _ say: @escaping (String) -> Void) {
        sources = places.map(LiveSource.init)
        (self.origin, self.speed, self.say) = (origin, speed, say)
    }

    var isOver: Bool { sources.allSatisfy(\.isOver) }

    func time(after elapsed: Duration) -> Int64 {
        origin + Int64(elapsed / .milliseconds(1) * Double(speed))
    }

    func take(after elapsed: Duration) -> [Fix] {
        let newest = sources.map { ($0, $0.newest()) }
        let now = ContinuousClock.now
        let best = sources.first { $0.heard.map { now - $0 < Self.silence } ?? false }
        tell(best, after: elapsed)
        guard let best, let fix = newest.first(where: { $0.0 === best })?.1 else { return [] }
        let time = time(of: fix, at: self.time(after: elapsed))
        guard time >= last &+ Self.interval || last == .min else { return [] }
        last = time
        return [Fix(fix, at: time)]
    }

    /// When a position was measured, on the journey's clock.
    private func time(of fix: RideFix, at arrival: Int64) -> Int64 {
        guard speed == 1 else { return arrival }
        let off = fix.time.subtractingReportingOverflow(arrival)
        guard off.overflow || off.partialValue.magnitude > UInt64(Self.mostOff) else {
            return min(fix.time, arrival)
        }
        if !wasOff {
            say("the receiver's clock is more than a minute off; positions count when they arrive")
            wasOff = true
        }
        return arrival
    }

    /// Says when another source takes over, and when all are silent.
    private func tell(_ best: LiveSource?, after elapsed: Duration) {
        if let best {
            if used !== best { say("positions come from \(best.place.text)") }
            (used, isSilent) = (best, false)
        } else if !isSilent, elapsed > Self.silence {
            isSilent = true
            let faults = sources.map { "\($0.place.text): \($0.fault ?? "no position")" }
            say(
                "there are no positions (\(faults.joined(separator: "; "))); the alarm goes on by "
                    + "estimate")
            used = nil
        }
    }
}
