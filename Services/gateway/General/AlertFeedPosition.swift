import Messages

/// How far a subscriber has come in a feed of alerts. It drops notices that it has seen, and
/// detects missing ones. It knows no sockets and no clock.
///
/// The notifier counts the notices of a feed from 1 without gaps, so that the next notice or beat
/// reveals whatever was lost on the way.
struct AlertFeedPosition: Hashable {
    /// What to do after something was received.
    struct Outcome: Hashable {
        /// Notices that are new, in order.
        var notices: [AlertNotice] = []
        /// If set, notices are missing: ask for those after this position.
        var missingAfter: UInt64?
        /// True if this is not the feed that was opened: open it again.
        var mustReopen = false
        /// The number of missed notices that the notifier no longer keeps.
        var lost: UInt64 = 0
    }

    /// The number of positions back for which the alert of each notice is remembered.
    static let memory: UInt64 = 500

    /// The last position whose notice was delivered.
    private(set) var sequence: UInt64
    private var early: [UInt64: AlertNotice] = [:]
    private var seen: [UInt64: String] = [:]
    /// The position sent with the query under way; nil if there is none.
    private var asked: UInt64?

    /// The position in a feed that was just opened.
    init(openedAt sequence: UInt64) { self.sequence = sequence }

    /// Handles a notice.
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

    /// Handles a beat, which says how far the feed reaches.
    mutating func receive(_ beat: FeedBeat) -> Outcome {
        if beat.feedSequence < sequence { return Outcome(mustReopen: true) }
        return Outcome(missingAfter: beat.feedSequence > sequence ? ask() : nil)
    }

    /// Handles the notifier's answer with missing notices.
    mutating func receive(_ page: FeedPage) -> Outcome {
        // Notices that came after the query was sent don't indicate another history.
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
            // Nothing follows, although there was more: the notifier no longer keeps it.
            let last = early.keys.min().map { $0 - 1 } ?? page.feedSequence
            outcome.lost += last - sequence
            sequence = last
        }
        outcome.notices += takeDirect()
        if !early.isEmpty || page.feedSequence > sequence { outcome.missingAfter = ask() }
        return outcome
    }

    /// Forgets a query that was not answered, so that the next notice or beat asks again.
    mutating func forgetQuestion() { asked = nil }

    private mutating func takeDirect() -> [AlertNotice] {
        var notices: [AlertNotice] = []
        early = early.filter { $0.key > sequence }
        while let notice = early.removeValue(forKey: sequence &+ 1) {
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

    /// Asks for what follows, to be sure that nothing does.
    ///
    /// - Returns: the position to ask with; nil if a query is already under way.
    mutating func ask() -> UInt64? {
        guard asked == nil else { return nil }
        asked = sequence
        return sequence
    }
}
