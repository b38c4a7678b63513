import Calendars

@testable import MeetingTimes

/// Finds times for meetings by examining every five minutes of each person. All times are multiples
/// of five minutes.
struct MeetingJudge {
    static let unit: Int64 = 300
    var request: MeetingRequest
    var length: Int64
    var before: Int64
    var after: Int64
    var usesTentative: Bool
    var overtime: Int64 = 0

    init(_ request: MeetingRequest) {
        self.request = request
        length = request.length
        before = request.before
        after = request.after
        usesTentative = request.usesTentative
    }

    /// Every beginning in the window.
    var grid: [Int64] {
        stride(from: request.window.start, to: request.window.end, by: 60).filter {
            ($0 - request.anchor) % request.step == 0 && $0 + length <= request.window.end
        }
    }

    func works(_ person: Attendee, _ beginning: Int64) -> Bool {
        let moments = stride(from: beginning, to: beginning + length, by: Int64.Stride(Self.unit))
        return moments.allSatisfy { moment in
            person.working.contains { span in
                span.start - overtime <= moment && moment < span.end + overtime
            }
        }
    }

    func isTaken(
        _ person: Attendee, from start: Int64, to end: Int64, by kinds: Set<BusyTime.Kind>
    ) -> Bool {
        let moments = stride(from: start, to: end, by: Int64.Stride(Self.unit))
        return moments.contains { moment in
            person.busy.contains { time in
                kinds.contains(time.kind) && time.span.start <= moment && moment < time.span.end
            }
        }
    }

    func suits(_ person: Attendee, _ beginning: Int64) -> Bool {
        let kinds: Set<BusyTime.Kind> =
            usesTentative ? [.busy, .unavailable] : [.tentative, .busy, .unavailable]
        return works(person, beginning)
            && !isTaken(
                person, from: beginning - before, to: beginning + length + after, by: kinds)
    }

    func beginnings(_ people: [Attendee]) -> [Int64] {
        grid.filter { beginning in people.allSatisfy { suits($0, beginning) } }
    }

    /// The reasons against a beginning, worst first.
    func rank(_ people: [Attendee], _ beginning: Int64) -> [Int64] {
        let coming = people.filter { $0.isRequired || suits($0, beginning) }
        let missed = people.filter { !$0.isRequired && !suits($0, beginning) }
        let unsure = coming.filter {
            usesTentative
                && isTaken(
                    $0, from: beginning - before, to: beginning + length + after, by: [.tentative])
        }
        let off = coming.map { person -> Int64 in
            var day = person.working.filter { $0.start <= beginning && beginning < $0.end }
            // Extend the day by spans less than four hours away.
            while let more = person.working.first(where: { span in
                !day.contains(span)
                    && day.contains {
                        span.start - $0.end < 14_400 && $0.start - span.end < 14_400
                    }
            }) { day.append(more) }
            let first = day.map(\.start).min() ?? 0
            let last = day.map(\.end).max() ?? 0
            return abs((beginning + beginning + length) - (first + last)) / 120
        }
        let worst = zip(off, coming).map { $0 + $1.burden }.max() ?? 0
        return [
            Int64(missed.reduce(0) { $0 + ($1.weight ?? 0) }), Int64(unsure.count), worst,
            off.reduce(0, +), beginning,
        ]
    }
}
