import Bus
import Foundation
import Messages
import RideFile
import RideTracking

/// The positions of a ride under way, from the best of several sources.
final class LiveRide: FixSource {
    /// The time without any position after which the person is warned.
    static let silence: Duration = .seconds(10)
    /// How far a receiver's clock may be off before the time of arrival is used instead, in
    /// milliseconds.
    static let mostOff: Int64 = 60_000
    /// The least time between two positions, in milliseconds.
    private static let apart: Int64 = 1_000

    /// Why positions don't count although they come.
    private enum Defect: String {
        case old =
            "its positions are more than ten minutes old, perhaps because its clock is wrong"
        case coarse = "its positions are too coarse"
    }

    /// A source, and when its newest position that counts arrived; nil before the first.
    private struct Watched {
        let source: any LiveSource
        var heard: ContinuousClock.Instant?
        /// Whether its positions were no newer than those of others for too long.
        var isBehind = false
        /// Why its positions don't count, and how long the ride had lasted when that began; nil if
        /// they do.
        var dropped: (defect: Defect, since: Duration)?
        /// The defects that the person has been told of.
        var told: Set<Defect> = []

        var fault: String { dropped?.defect.rawValue ?? source.fault ?? "no position" }
    }

    private var sources: [Watched]
    private let speed: UInt32
    private let origin: Int64
    private let say: (String) -> Void
    /// The newest position that isn't sent yet.
    private var waiting: Fix?
    /// The time of the last position that was sent, and when it was sent on the journey's clock.
    private var last: (time: Int64, sent: Int64)?
    /// When the alarm comes without another position, on the journey's clock; nil if nothing is
    /// due.
    private var due: Int64?
    /// Whether no alarm comes until a position does.
    private var isUnarmed = false
    /// The number of positions that were sent.
    private var reports: UInt64 = 0
    /// Whether positions that are too old have come, and no others.
    private var hasOld = false
    /// When the last coarse position was sent, on the journey's clock; nil before.
    private var coarseSent: Int64?
    private var used: (any LiveSource)?
    private var isSilent = false
    private var wasOff = false
    /// How long the ride had lasted when positions began to be no newer than the last one that was
    /// sent; nil if they are newer.
    private var behindSince: Duration?
    private var wasBehind = false

    /// - Parameters:
    ///   - places: where positions come from, the best first.
    ///   - origin: when the ride begins, in milliseconds since 1970.
    ///   - speed: how many times faster than real time the sources are; 1 unless it is a trial.
    ///   - say: prints a message for the person.
    init(_ places: [LivePlace], origin: Int64, speed: UInt32, _ say: @escaping (String) -> Void) {
        sources = places.map { Watched(source: $0.makeSource(speed: speed)) }
        (self.origin, self.speed, self.say) = (origin, speed, say)
    }

    var isOver: Bool { sources.allSatisfy(\.source.isOver) }

    func time(after elapsed: Duration) -> Int64 {
        origin + Int64(elapsed / .milliseconds(1) * Double(speed))
    }

    /// The kind of source of the last positions, as statistics name it; empty at first.
    private(set) var kind = ""

    func take(after elapsed: Duration) -> [Fix] {
        let arrival = time(after: elapsed)
        var newest: [ObjectIdentifier: RideFix] = [:]
        var coarse: (fix: RideFix, place: LivePlace)?
        var isOld = false
        for index in sources.indices {
            let source = sources[index].source
            guard let fix = source.newest() else { continue }
            if let defect = defect(of: fix, from: source.place, at: arrival) {
                if sources[index].dropped?.defect != defect {
                    sources[index].dropped = (defect, elapsed)
                }
                if defect == .old { isOld = true }
                if defect == .coarse { coarse = coarse ?? (fix, source.place) }
                continue
            }
            sources[index].dropped = nil
            sources[index].heard = ContinuousClock.now
            if isNewer(Fix(fix, at: time(of: fix, from: source.place, at: arrival))) {
                sources[index].isBehind = false
            }
            newest[ObjectIdentifier(source)] = fix
        }
        let best = best
        if used !== best { behindSince = nil }
        reportSource(best, after: elapsed)
        hasOld = best == nil && (hasOld || isOld)
        if let best, let fix = newest[ObjectIdentifier(best)] {
            let sent = position(fix, from: best.place, at: arrival)
            behindSince = isNewer(sent) ? nil : behindSince ?? elapsed
            waiting = sent
            kind = best.place.source
        }
        reportDropped(best, after: elapsed)
        noteBehind(best, after: elapsed)
        if best == nil, let coarse { return send(coarse.fix, from: coarse.place, at: arrival) }
        guard let fix = waiting, isWanted(fix, at: arrival) else { return [] }
        last = (time: fix.time, sent: arrival)
        waiting = nil
        reports += 1
        return [fix]
    }

    /// The first of the sources that aren't silent, if possible one whose positions are new.
    private var best: (any LiveSource)? {
        let now = ContinuousClock.now
        let heard = sources.filter { watched in
            let silence = max(Self.silence, watched.source.place.silence / Int(speed))
            return watched.heard.map { now - $0 < silence } ?? false
        }
        return (heard.first { !$0.isBehind } ?? heard.first)?.source
    }

    /// Lets the next source take over from one that came back, but whose positions are still no
    /// newer than the last one that was sent: its clock is behind, or they have waited.
    private func noteBehind(_ best: (any LiveSource)?, after elapsed: Duration) {
        guard let best, let since = behindSince, elapsed - since >= best.place.silence,
            let index = sources.firstIndex(where: { $0.source === best })
        else { return }
        sources[index].isBehind = true
    }

    /// Sends a coarse position now and then while none counts: the service alerts the passenger,
    /// who may not look at this terminal.
    private func send(_ fix: RideFix, from place: LivePlace, at arrival: Int64) -> [Fix] {
        guard coarseSent.map({ arrival &- $0 >= ReportInterval.longest }) ?? true else { return [] }
        coarseSent = arrival
        kind = place.source
        return [position(fix, from: place, at: arrival)]
    }

    func takeOld() -> Bool {
        defer { hasOld = false }
        return hasOld
    }

    func note(_ journey: Journey) {
        let begin = journey.clock?.origin ?? journey.started
        let wait = (journey.due &- journey.started) &* Int64(speed)
        due = journey.due > 0 ? begin &+ wait : nil
        isUnarmed = journey.isUnarmed
    }

    /// Whether to send a position now: as often as the alarm needs, and no more often.
    private func isWanted(_ fix: Fix, at now: Int64) -> Bool {
        guard let last else { return true }
        guard isNewer(fix) else { return false }
        let wait: Int64? = due.map { max(0, $0 &- now) }
        // Nothing comes after the last position, so it need not wait for its turn.
        return isOver || now &- last.sent >= ReportInterval.next(untilAlarm: wait, after: reports)
    }

    /// Whether a position is newer than the last one that was sent.
    private func isNewer(_ fix: Fix) -> Bool {
        last.map { fix.time >= $0.time &+ Self.apart } ?? true
    }

    /// Why a position doesn't count; nil if it does.
    private func defect(of fix: RideFix, from place: LivePlace, at arrival: Int64) -> Defect? {
        if speed == 1, place.isDelayed, fix.time < arrival - RideFix.oldest { return .old }
        return fix.isTooCoarse ? .coarse : nil
    }

    /// When a position was measured, on the journey's clock.
    private func time(of fix: RideFix, from place: LivePlace, at arrival: Int64) -> Int64 {
        speed > 1 || isOff(fix, from: place, at: arrival) ? arrival : min(fix.time, arrival)
    }

    /// Whether the clock of a receiver is so far off that its positions count when they arrive. The
    /// clocks of phones and agencies are right, but their positions may have waited.
    private func isOff(_ fix: RideFix, from place: LivePlace, at arrival: Int64) -> Bool {
        guard speed == 1, !place.isDelayed else { return false }
        let off = fix.time.subtractingReportingOverflow(arrival)
        return off.overflow || off.partialValue.magnitude > UInt64(Self.mostOff)
    }

    /// Makes the position that is sent. Says, once, if the receiver's clock is off.
    private func position(_ fix: RideFix, from place: LivePlace, at arrival: Int64) -> Fix {
        if !wasOff, isOff(fix, from: place, at: arrival) {
            say("the receiver's clock is more than a minute off; positions count when they arrive")
            wasOff = true
        }
        return Fix(fix, at: time(of: fix, from: place, at: arrival))
    }

    /// Says when another source takes over, and when all are silent.
    private func reportSource(_ best: (any LiveSource)?, after elapsed: Duration) {
        if let best {
            if used !== best { say("positions come from \(best.place.text)") }
            (used, isSilent) = (best, false)
        } else if !isSilent, elapsed > Self.silence {
            isSilent = true
            let faults = sources.map { "\($0.source.place.text): \($0.fault)" }
            let alarm =
                isUnarmed
                ? "there is no alarm until a position comes" : "the alarm goes on by estimate"
            say("there are no positions (\(faults.joined(separator: "; "))); \(alarm)")
            used = nil
            for index in sources.indices {
                if let dropped = sources[index].dropped {
                    sources[index].told.insert(dropped.defect)
                }
            }
        }
    }

    /// Says, once, when the positions of a source don't count although they come: because they are
    /// too old, too coarse, or no newer than those of the source before.
    private func reportDropped(_ best: (any LiveSource)?, after elapsed: Duration) {
        for index in sources.indices {
            guard let dropped = sources[index].dropped, elapsed - dropped.since >= Self.silence,
                sources[index].told.insert(dropped.defect).inserted
            else { continue }
            let source = sources[index]
            say("\(source.source.place.text) doesn't count: \(source.fault)")
        }
        guard let best, let since = behindSince, !wasBehind,
            elapsed - since >= best.place.silence
        else { return }
        wasBehind = true
        say(
            "\(best.place.text) doesn't count: its positions are no newer than the last one, "
                + "perhaps because its clock is wrong; the alarm goes on by estimate")
    }
}
