import GRDB
import Messages
import ServiceRuntime
import Synchronization

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

/// Which feeds get the next beats: those with recent news, in turn if there are very many. A call
/// may have told 100,000 people, and beats to all of them each second would leave no time for
/// alerts.
struct BeatRound {
    /// A feed and its newest position.
    struct Feed {
        let address: AlertFeedAddress
        let head: UInt64
    }

    /// The maximum number of feeds that get a beat at once.
    static let most = 1_000
    /// How long after its last news a feed still gets beats: an hour in milliseconds.
    static let liveliness: Int64 = 3600 * 1000

    /// That of the process.
    static let shared = Mutex(BeatRound())

    /// The last feed that got a beat, and when it had news.
    private var last: (changed: Int64, topic: String) = (0, "")

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: feeds by their last news") { db in
            try db.execute(sql: "CREATE INDEX feedByChange ON feed (changed, topic)")
        }
    }

    /// Finds the feeds after one, through an index.
    static let selection = """
        SELECT topic, organisation, recipient, head, changed FROM feed
        WHERE changed > ?1 AND (changed, topic) > (?2, ?3) ORDER BY changed, topic LIMIT ?4
        """

    /// The feeds whose turn it is, in the order of their last news: whoever gets news while others
    /// have their turns comes after them.
    mutating func next(at now: Int64, _ db: Database) throws -> [Feed] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: Self.selection),
            arguments: [now - Self.liveliness, last.changed, last.topic, Self.most])
        if rows.count == Self.most, let row = rows.last {
            last = (row["changed"], row["topic"])
        } else {
            last = (0, "")
        }
        return rows.map { row in
            Feed(
                address: AlertFeedAddress(
                    organisation: row["organisation"], recipient: row["recipient"]),
                head: UInt64(clamping: row["head"] as Int64))
        }
    }
}
