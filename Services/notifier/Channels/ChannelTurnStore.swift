import GRDB

/// Where a channel is in the store.
struct ChannelPlace {
    /// The topic of its feed.
    let feed: String
    let name: String
    /// Whether the channel was put off before the clock was set back.
    var wasPutOff = false

    init(_ row: Row, wasPutOff: Bool = false) {
        (feed, name, self.wasPutOff) = (row["feed"], row["name"], wasPutOff)
    }
}

/// Which channel delivers something next.
extension KeptChannel {
    /// A channel that has something to deliver now; one with something urgent first.
    ///
    /// - Parameters:
    ///   - failing: whether its last attempt has failed or was slow: those that work don't wait for
    ///     those that don't.
    ///   - most: how many deliveries of one owner may be under way by such channels.
    ///   - now: the present time in milliseconds since 1970.
    ///   - db: the store.
    static func due(
        failing: Bool, most: Int, at now: Int64, _ db: Database
    ) throws -> ChannelPlace? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT feed, name FROM channel
                WHERE isFailing = :failing AND urgent = :urgent AND next <= :now AND \(hasTurn)
                ORDER BY next LIMIT 1
                """)
        for urgent in [true, false] {
            let row = try Row.fetchOne(
                statement,
                arguments: ["failing": failing, "urgent": urgent, "now": now, "most": most])
            if let row { return ChannelPlace(row) }
        }
        return nil
    }

    /// SQL that is true unless the owner of a channel has too many deliveries under way by channels
    /// of its kind, which others would have to wait for.
    private static let hasTurn = """
        (SELECT count(*) FROM delivery JOIN channel AS other
            ON other.feed = delivery.feed AND other.name = delivery.channel
        WHERE delivery.feed = channel.feed AND delivery.state = 2
            AND other.isFailing = :failing) < :most
        """

    /// The longest that a channel waits after a failure, in milliseconds: as long as a server may
    /// ask for.
    static let longestPause: Int64 = 3_600_000

    /// A channel that was put off while the clock was ahead, at a time that is still to come; one
    /// with something urgent first. Channels that wait as they should aren't read, however many
    /// there are.
    static func putOff(
        failing: Bool, most: Int, at now: Int64, _ db: Database
    ) throws -> ChannelPlace? {
        // The signs + keep SQLite from reading all that wait.
        let itself = "+urgent = :urgent AND +isFailing = :failing AND next > :now AND \(hasTurn)"
        let statements = [
            """
            SELECT channel.feed, channel.name FROM delivery AS waiting CROSS JOIN channel
                ON channel.feed = waiting.feed AND channel.name = waiting.channel
            WHERE waiting.state = 1 AND waiting.isUrgent = :urgent AND waiting.changed > :now
                AND waiting.due > :now AND isFailing = :failing AND next > :now AND \(hasTurn)
            ORDER BY waiting.changed LIMIT 1
            """,
            "SELECT feed, name FROM channel WHERE calm > :now + 60000 AND \(itself) LIMIT 1",
            """
            SELECT feed, name FROM channel WHERE blocked > :now + \(longestPause) AND \(itself)
            LIMIT 1
            """,
        ]
        for urgent in [true, false] {
            for sql in statements {
                let row = try Row.fetchOne(
                    db.cachedStatement(sql: sql),
                    arguments: ["failing": failing, "urgent": urgent, "now": now, "most": most])
                if let row { return ChannelPlace(row, wasPutOff: true) }
            }
        }
        return nil
    }
}
