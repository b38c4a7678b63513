import Bus
import CSodium
import Messages
import TestSupport

@testable import ToyMessages

/// A key pair of an account-service, with which tests sign access tokens.
struct Authority {
    private(set) var publicKey = [UInt8](repeating: 0, count: 32)
    private var secretKey = [UInt8](repeating: 0, count: 64)

    /// The same pair for the same seed.
    init(seed: UInt8 = 1) {
        crypto_sign_seed_keypair(
            &publicKey, &secretKey, [UInt8](repeating: seed, count: 32))
    }

    /// Claims that the toy service accepts.
    func claims(
        _ account: String = "ann", grants: [Grant] = [], audience: ServiceName = .transitAlert,
        issued: Int64 = 0, life: Int64 = 600_000, authEpoch: UInt64 = 1, session: String = "s1",
        caresFor: [String] = []
    ) -> Claims {
        let issued = WallClock.milliseconds() + issued
        return Claims(
            keyId: Array(publicKey.prefix(8)), account: account, name: account, organisation: "o",
            grants: grants, audience: audience.rawValue, issued: issued, expires: issued + life,
            authEpoch: authEpoch, session: session, caresFor: caresFor)
    }

    func sign(_ claims: Claims) -> [UInt8] {
        let bytes = claims.packed()
        var signature = [UInt8](repeating: 0, count: 64)
        crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), secretKey)
        return AccessToken(claims: bytes, signature: signature).packed()
    }

    /// The usual token of an account.
    func token(
        _ account: String = "ann", grants: [Grant] = [], audience: ServiceName = .transitAlert
    ) -> [UInt8] {
        sign(claims(account, grants: grants, audience: audience))
    }
}

extension Toys {
    /// Starts the toy that publishes keys, and makes it publish one.
    func startAccounts(_ authority: Authority = Authority()) throws -> Client {
        try launchAccounts(authority).client
    }

    /// The same, with its process.
    func launchAccounts(
        _ authority: Authority = Authority()
    ) throws -> (program: Program, client: Client) {
        // A client that has just connected sends twice, and a denied message isn't remembered, so
        // ask something harmless first.
        _ = try balance()
        let program = try system.start("toy-accounts")
        let accounts = try system.client(of: .account)
        _ = try accounts.ask(KeyPublished(publicKey: authority.publicKey), for: Raised.self)
        try eventually("the key is known") { try !keys().isEmpty }
        return (program, accounts)
    }

    /// The ids of the keys that the toy service knows.
    func keys() throws -> [[String]] {
        try system.query(.transitAlert, "SELECT id FROM accessKey")
    }

    /// The refusal of a deposit with this token; nil if it was accepted.
    func refusal(with token: [UInt8]) throws -> Refusal? {
        try client.refusal(of: Deposit(account: "a", amount: 1), as: token)
    }
}

extension Refusal {
    /// The refusal of every bad token, whatever is wrong with it.
    static let badToken = Refusal(
        code: .badToken, message: "the access token is not valid here; log in again"
    ).because(.tokenInvalid)
}
