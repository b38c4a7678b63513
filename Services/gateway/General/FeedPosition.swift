import Messages

/// How far a subscriber has come in a feed of alerts: drops what it has seen, and notices what it
/// has missed. It knows no sockets and no clock.
///
/// The notifier counts the notices of a feed from 1 without gaps, so that whatever is lost on the
/// way shows itself in the next notice or beat.
struct FeedPosition: Hashable {
    /// What is to be done after something was received.
    struct Outcome: Hashable {
        /// Notices that are new, in order.
        var notices: [AlertNotice] = []
        /// Set when something is missing: ask for what follows on this position.
        var missingAfter: UInt64?
        /// True when the feed is not the one that was opened: open it anew.
        var mustReopen = false
        /// How many notices the notifier does not keep any more.
        var lost: UInt64 = 0
    }

    /// How many positions back a notice is recognized by its alert.
    static let memory: UInt64 = 500

    /// The last position that was handed on.
    private(set) var sequence: UInt64
    private var early: [UInt64: AlertNotice] = [:]
    private var seen: [UInt64: String] = [:]
    /// The position after which was asked, until the answer comes.
    private var asked: UInt64?

    /// The position of a feed that was just opened.
    init(openedAt sequence: UInt64) { self.sequence = sequence }

    /// A notice came in.
    mutating func receive(_ notice: AlertNotice) -> Outcome {
        let number = notice.feedSequence
        if number <= sequence {
            // The same position with another alert: the notifier's history was replaced.
            let isOther = seen[number].map { $0 != notice.alert?.id } ?? false
            return Outcome(mustReopen: isOther)
        }
        early[number] = notice
        let notices = takeDirect()
        return Outcome(notices: notices, missingAfter: early.isEmpty ? nil : ask())
    }

    /// The feed said how far it reaches.
    mutating func receive(_ beat: FeedBeat) -> Outcome {
        if beat.feedSequence < sequence { return Outcome(mustReopen: true) }
        return Outcome(missingAfter: beat.feedSequence > sequence ? ask() : nil)
    }

    /// The notifier answered what was missing.
    mutating func receive(_ page: FeedPage) -> Outcome {
        // What came since the question was asked is no sign of another history.
        let after = asked ?? 0
        asked = nil
        if page.feedSequence < after { return Outcome(mustReopen: true) }
        var outcome = Outcome()
        for notice in page.notices where notice.feedSequence > sequence {
            outcome.lost += notice.feedSequence - sequence - 1
            take(notice)
            outcome.notices.append(notice)
        }
        if page.notices.isEmpty, page.feedSequence > sequence {
            // Nothing follows, although there was more: it is not kept any longer.
            let next = early.keys.min() ?? (page.feedSequence + 1)
            outcome.lost += next - sequence - 1
            sequence = next - 1
        }
        outcome.notices += takeDirect()
        if !early.isEmpty || page.feedSequence > sequence { outcome.missingAfter = ask() }
        return outcome
    }

    /// What was asked for did not come; the next notice or beat asks again.
    mutating func forgetQuestion() { asked = nil }

    private mutating func takeDirect() -> [AlertNotice] {
        var notices: [AlertNotice] = []
        early = early.filter { $0.key > sequence }
        while let notice = early.removeValue(forKey: sequence + 1) {
            take(notice)
            notices.append(notice)
        }
        return notices
    }

    private mutating func take(_ notice: AlertNotice) {
        sequence = notice.feedSequence
        seen[sequence] = notice.alert?.id ?? ""
        seen[sequence &- Self.memory] = nil
    }

    /// Asks what follows, to be sure that nothing does.
    ///
    /// - Returns: the position to ask with; nil when a question is on its way already.
    mutating func ask() -> UInt64? {
        guard asked == nil else { return nil }
        asked = sequence
        return sequence
    }
}
