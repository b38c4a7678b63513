import Messages

extension AllowanceTable {
    /// How many mails each account may order from a service: 500 together, and one more every 7.2
    /// seconds. Each recipient counts.
    static let mails = AllowanceTable(
        name: "mailAllowance", migration: "steward: how many mails an account may order",
        limit: Allowance.Limit(most: 500, period: 3600 * 1000))
}

extension Allowance {
    /// Uses up part of an allowance of mails.
    ///
    /// - Throws: a `Refusal` that says how long to wait; then nothing is used up.
    mutating func useMails(_ count: Int, at now: Int64) throws(Refusal) {
        let count = Int64(clamping: count)
        guard count <= limit.most else {
            throw .invalid("these are \(count) mails; at most \(limit.most) may be sent at once")
                .because(.mailLimit)
        }
        let wait = wait(for: count, at: now)
        guard wait == 0 else {
            let minutes = (wait + 59_999) / 60_000
            throw .conflict(
                "you have sent many mails lately; there is room for \(count) more in \(minutes) "
                    + "minutes"
            ).because(.mailLimit, ["minutes": "\(minutes)"])
        }
        use(count, at: now)
    }
}

extension Transaction {
    /// Counts mails that the asker orders, each recipient of each mail. Mails that a service orders
    /// by itself are not counted.
    ///
    /// - Throws: a `Refusal` with the reason ``RefusalReason/mailLimit`` when the asker has ordered
    ///   too many lately.
    public func countMails(_ count: Int) throws {
        guard let allowance = try allowance(after: count) else { return }
        try AllowanceTable.mails.keep(allowance, of: principal.account, at: now, db)
    }

    /// Refuses as ``countMails(_:)`` does, before any work for them is started, and counts nothing.
    public func requireMails(_ count: Int) throws { _ = try allowance(after: count) }

    private func allowance(after count: Int) throws -> Allowance? {
        guard principal.kind != .system else { return nil }
        var allowance = try AllowanceTable.mails.allowance(of: principal.account, db)
        try allowance.useMails(count, at: now)
        return allowance
    }
}
