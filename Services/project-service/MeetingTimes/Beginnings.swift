import Calendars

/// The times at which a meeting may begin, according to a request.
///
/// The beginnings that suit a person are periods: from the start of the person's work until the
/// meeting's length before its end, without those at which the meeting would overlap a busy time.
struct Beginnings {
    var window: TimeSpan
    var length: Int64
    var before: Int64
    var after: Int64
    var usesTentative: Bool
    /// The number of seconds by which each period of work is extended at both ends.
    var overtime: Int64 = 0

    init(_ request: MeetingRequest) {
        window = request.window
        length = request.length
        before = request.before
        after = request.after
        usesTentative = request.usesTentative
    }

    /// A copy of the rules with a change.
    func with(_ change: (inout Beginnings) -> Void) -> Beginnings {
        var changed = self
        change(&changed)
        return changed
    }

    /// The beginnings at which a person works throughout the meeting.
    func working(_ person: Attendee) -> [TimeSpan] {
        let work = person.working.compactMap { span -> TimeSpan? in
            guard let near = span.clipped(to: nearby) else { return nil }
            return TimeSpan(near.start - overtime, near.end + overtime)
        }
        return TimeSpan.union(work).compactMap { span in
            guard let inside = span.clipped(to: window), inside.length >= length else {
                return nil
            }
            return TimeSpan(inside.start, inside.end - length + 1)
        }
    }

    /// The beginnings at which the meeting, or the buffer around it, overlaps a busy time.
    func busy(_ person: Attendee, kinds: (BusyTime.Kind) -> Bool) -> [TimeSpan] {
        TimeSpan.union(
            person.busy.compactMap { time in
                guard kinds(time.kind), !time.span.isEmpty,
                    let near = time.span.clipped(to: nearby)
                else { return nil }
                return TimeSpan(near.start - length - after + 1, near.end + before)
            })
    }

    /// The beginnings that suit a person.
    func suiting(_ person: Attendee) -> [TimeSpan] {
        let taken = busy(person) { !usesTentative || $0 != .tentative }
        return TimeSpan.subtracting(taken, from: working(person))
    }

    /// The window extended by what is near enough to matter.
    var nearby: TimeSpan { TimeSpan(window.start - 172_800, window.end + 172_800) }
}

/// The beginnings on a request's grid.
struct Grid {
    let anchor: Int64
    let step: Int64

    init(_ request: MeetingRequest) {
        anchor = request.anchor
        step = request.step
    }

    /// The first beginning not before an instant.
    func first(_ instant: Int64) -> Int64 {
        let rest = (instant - anchor) % step
        return rest == 0 ? instant : instant + (rest < 0 ? -rest : step - rest)
    }

    /// The first beginning in the periods; nil when there is none.
    func first(in spans: [TimeSpan]) -> Int64? {
        for span in spans {
            let beginning = first(span.start)
            if beginning < span.end { return beginning }
        }
        return nil
    }

    /// All beginnings in periods that are sorted and don't touch.
    func all(in spans: [TimeSpan]) -> [Int64] {
        spans.flatMap { stride(from: first($0.start), to: $0.end, by: Int64.Stride(step)) }
    }
}

/// Tests increasing instants for being in one of several sorted periods.
struct Sweep {
    private let spans: [TimeSpan]
    private var index = 0

    init(_ spans: [TimeSpan]) { self.spans = spans }

    mutating func contains(_ instant: Int64) -> Bool {
        while index < spans.count, spans[index].end <= instant { index += 1 }
        return index < spans.count && spans[index].start <= instant
    }
}
