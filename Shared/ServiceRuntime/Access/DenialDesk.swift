import Messages

/// Sums up messages that were denied because of who sent them, for an audit. However many are
/// denied, little is published: the first for a sender and type immediately, the rest as a count
/// when the minute is over.
struct DenialDesk {
    /// How long denials are added up: a minute in milliseconds.
    static let window: Int64 = 60_000
    /// The maximum number of pairs of sender and type that are counted separately within a window;
    /// the rest is one number. So at most 21 events are published a minute.
    static let toldApart = 10

    private struct Subject: Hashable {
        let account: String
        let organisation: String
        let key: String
        let type: String

        func denied(_ count: UInt64) -> AccessDenied {
            AccessDenied(
                account: account, organisation: organisation, key: key, type: type, count: count)
        }
    }

    /// The subjects published in this window, each with the number of further denials.
    private var more: [Subject: UInt64] = [:]
    private var rest: UInt64 = 0
    private var end: Int64 = 0

    /// Counts a denied message.
    ///
    /// - Returns: the event to publish immediately; nil when it is published later.
    mutating func note(_ type: String, of sender: Principal, at now: Int64) -> AccessDenied? {
        if more.isEmpty { end = now + Self.window }
        let subject = Subject(
            account: sender.account, organisation: sender.organisation,
            key: sender.peer?.name ?? "", type: type)
        if let count = more[subject] {
            more[subject] = count + 1
            return nil
        }
        guard more.count < Self.toldApart else {
            rest += 1
            return nil
        }
        more[subject] = 0
        return subject.denied(1)
    }

    /// The numbers to publish now that the window is over; empty while it is open. Call it each
    /// second.
    mutating func numbers(at now: Int64) -> [AccessDenied] {
        // A window that ends too far ahead was opened before the clock was set back.
        guard !more.isEmpty, now >= end || end - now > Self.window else { return [] }
        defer { (more, rest) = ([:], 0) }
        let several = Subject(account: "", organisation: "", key: "", type: "")
        return more.filter { $0.value > 0 }.map { $0.key.denied($0.value) }
            + (rest > 0 ? [several.denied(rest)] : [])
    }
}
