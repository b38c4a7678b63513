/// How many of something there are at once, in total, for each account and for each log-in. An
/// account may have a thousand log-ins, and must not take what others need: the last ones are for
/// accounts that have few, so that two accounts together can't take everything either.
struct LogInCount {
    /// The streams of open pages. A house full of boards is one account, and a site has at most 50.
    static let streams = LogInCount(
        most: 500, mostOfAccount: 300, mostOfOne: 6, last: 100, few: 50)
    /// The drawings that wait. A small plan takes milliseconds, the largest some seconds.
    static let drawings = LogInCount(most: 16, mostOfAccount: 8, mostOfOne: 6, last: 4, few: 2)

    private struct Owner {
        let logIn: [UInt8]
        let account: String
    }

    private let most: Int
    private let mostOfAccount: Int
    private let mostOfOne: Int
    /// How many are left only to accounts with fewer than `few`.
    private let last: Int
    private let few: Int
    private var owners: [UInt64: Owner] = [:]
    private var counts: [[UInt8]: Int] = [:]
    private var accounts: [String: Int] = [:]
    private var newest: UInt64 = 0

    private init(most: Int, mostOfAccount: Int, mostOfOne: Int, last: Int, few: Int) {
        (self.most, self.mostOfAccount, self.mostOfOne) = (most, mostOfAccount, mostOfOne)
        (self.last, self.few) = (last, few)
    }

    /// Counts one more.
    ///
    /// - Parameters:
    ///   - logIn: the log-in that wants it.
    ///   - account: the id of its account.
    /// - Returns: its number, from 1; nil if there are too many.
    mutating func begin(_ logIn: [UInt8], of account: String) -> UInt64? {
        let own = accounts[account, default: 0]
        guard owners.count < (own < few ? most : most - last), own < mostOfAccount,
            counts[logIn, default: 0] < mostOfOne
        else { return nil }
        newest += 1
        owners[newest] = Owner(logIn: logIn, account: account)
        counts[logIn, default: 0] += 1
        accounts[account, default: 0] += 1
        return newest
    }

    /// Counts one less.
    mutating func end(_ number: UInt64) {
        guard let owner = owners.removeValue(forKey: number) else { return }
        let (count, all) = (counts[owner.logIn] ?? 1, accounts[owner.account] ?? 1)
        counts[owner.logIn] = count > 1 ? count - 1 : nil
        accounts[owner.account] = all > 1 ? all - 1 : nil
    }
}
