import GRDB
import Messages
import ServiceRuntime
import Synchronization

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
