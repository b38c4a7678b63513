import Messages
import ServiceRuntime

/// The topics under which a feed is published. Where others than the owner of the machine account
/// reach the bus, each has an unguessable part that only the reply to `OpenFeed` has.
struct FeedTopic: Hashable {
    /// Everything of the feed.
    let prefix: String

    /// The topics of a feed as a service publishes it.
    init(_ address: FeedAddress, in transaction: Transaction) throws {
        let secret = transaction.isBusShared ? try FeedSecret.of(address, transaction.db) : nil
        self.init(address, secret: secret)
    }

    /// The topics of a feed with its secret, or without one.
    init(_ address: FeedAddress, secret: String?) {
        prefix = address.topic + (secret.map { $0 + "." } ?? "")
    }

    /// The alerts of one severity.
    func alerts(_ severity: Severity) -> String {
        switch severity {
        case .urgent: prefix + "urgent."
        case .warning: prefix + "warning."
        default: prefix + "info."
        }
    }

    /// The topic of the beats, which say how far the feed reaches.
    var beats: String { prefix + "beat." }

    /// What may follow on the prefix.
    static let kinds = ["info.", "warning.", "urgent.", "beat."]

    /// True when a subscriber may receive what begins so: all of a feed that it was told, or one
    /// kind of it. Nothing else is granted, so that what ZeroMQ keeps of a subscriber is bounded.
    static func isGranted(_ topic: String, in transaction: Transaction) throws -> Bool {
        let parts = topic.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "alert", !parts[3].isEmpty,
            let secret = try FeedSecret.known("alert.\(parts[1]).\(parts[2]).", transaction.db),
            isSame(secret, parts[3])
        else { return false }
        return kinds.contains { $0.hasPrefix(parts[4]) }
    }

    /// Takes the same time wherever the two differ, so that no one finds the secret byte by byte.
    private static func isSame(_ left: String, _ right: Substring) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
