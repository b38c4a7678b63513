import Messages
import ServiceRuntime

/// The topics under which a feed is published. Where others than the owner of the machine account
/// can reach the bus, each has an unguessable part that only the reply to `OpenFeed` contains.
struct AlertFeedTopic: Hashable {
    /// The prefix of all topics of the feed.
    let prefix: String

    /// Makes the topics of a feed as the service publishes it.
    init(_ address: AlertFeedAddress, in transaction: Transaction) throws {
        let secret = transaction.isBusShared ? try AlertFeedSecret.of(address, transaction.db) : nil
        self.init(address, secret: secret)
    }

    /// Makes the topics of a feed with its secret, or without one.
    init(_ address: AlertFeedAddress, secret: String?) {
        prefix = address.topic + (secret.map { $0 + "." } ?? "")
    }

    /// The topic of the alerts of one severity.
    func alerts(_ severity: Severity) -> String {
        switch severity {
        case .urgent: prefix + "urgent."
        case .warning: prefix + "warning."
        default: prefix + "info."
        }
    }

    /// The topic of the beats, which contain the newest position of the feed.
    var beats: String { prefix + "beat." }

    /// What may follow the prefix.
    static let kinds = ["info.", "warning.", "urgent.", "beat."]

    /// True when a subscriber may receive the topics that begin with `topic`: all of a feed whose
    /// secret it knows, or one kind of them. Nothing else is granted, which limits what ZeroMQ
    /// keeps for a subscriber.
    static func isGranted(_ topic: String, in transaction: Transaction) throws -> Bool {
        let parts = topic.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "alert", !parts[3].isEmpty,
            let secret = try AlertFeedSecret.known(
                "alert.\(parts[1]).\(parts[2]).", transaction.db),
            isSame(secret, parts[3])
        else { return false }
        return kinds.contains { $0.hasPrefix(parts[4]) }
    }

    /// Compares in constant time, so that no one can find the secret byte by byte.
    private static func isSame(_ left: String, _ right: Substring) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
