import Bus
import GRDB
import Messages
import ServiceRuntime

/// What has happened to alerts that report failures.
extension Alert {
    /// How the keys of the notifier's alerts begin that say whom alerts don't reach.
    static let unreachedKeys = "unreached/"

    /// True if the alert says whom alerts don't reach. In a carer's feed that shows whom the carer
    /// cares for.
    var namesUnreached: Bool {
        source == ServiceName.notifier.rawValue && key.hasPrefix(Self.unreachedKeys)
    }

    /// True if the owner of a feed has acknowledged an alert of a source with this key between two
    /// times.
    static func wasAcknowledged(
        _ key: String, from source: String, of feed: AlertFeedAddress, since: Int64,
        until now: Int64, _ db: Database
    ) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM alert WHERE feed = ? AND state <> 1 AND closed BETWEEN ? AND ?
                    AND state = ? AND source = ? AND key = ?)
                """)
        return try Bool.fetchOne(
            statement,
            arguments: [
                feed.topic, since, now, AlertState.acknowledged.rawValue, source, key,
            ]) ?? false
    }

    /// The keys that begin with a text, which ends with an ASCII character, of a source's open
    /// alerts.
    static func openKeys(
        from source: String, beginningWith text: String, _ db: Database
    ) throws -> [String] {
        let last = text.utf8.last ?? 0
        let end = String(text.dropLast()) + String(Unicode.Scalar(last + 1))
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT key FROM alert
                WHERE source = ? AND key >= ? AND key < ? AND state = 1 ORDER BY key
                """)
        return try String.fetchAll(statement, arguments: [source, text, end])
    }
}
