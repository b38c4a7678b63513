import GRDB
import Messages
import ServiceRuntime

/// How often an account may exchange refresh tokens. For each exchange, the hash of the used token
/// is kept for a year, and a record of the answer for a day. Whoever exchanges has no access token,
/// so no other limit applies.
enum RefreshAllowance {
    /// 12,000 at once, and as many each day: enough for 75 boards that are always open, each of
    /// which exchanges every nine minutes.
    static let table = AllowanceTable(
        name: "refreshAllowance", migration: "account: how often tokens are exchanged",
        limit: Allowance.Limit(most: 12_000, period: 24 * 3_600_000))

    /// Counts an exchange by an account, even a repeated one.
    ///
    /// - Throws: a `Refusal` that says how long to wait; then it is not counted.
    static func use(_ account: String, at now: Int64, _ db: Database) throws {
        var allowance = try table.allowance(of: account, db)
        let wait = allowance.wait(for: 1, at: now)
        guard wait == 0 else {
            let seconds = (wait + 999) / 1000
            throw Refusal.conflict(
                "the tokens of the account were exchanged too often lately; nothing was changed, "
                    + "try again in \(seconds) seconds"
            ).because(.answersLimit, ["seconds": "\(seconds)"])
        }
        allowance.use(1, at: now)
        try table.keep(allowance, of: account, at: now, db)
    }
}
