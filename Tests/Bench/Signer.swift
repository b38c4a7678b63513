import Bus
import CSodium
import Messages
import ServiceRuntime

/// Signs tokens in place of account-service.
struct Signer {
    private let audience: ServiceName
    private var publicKey = [UInt8](repeating: 0, count: 32)
    private var secretKey = [UInt8](repeating: 0, count: 64)

    /// A signer of tokens for one service.
    init(audience: ServiceName) {
        self.audience = audience
        crypto_sign_keypair(&publicKey, &secretKey)
    }

    /// Makes the service's store by starting its program, and writes the key into it.
    func makeKnown(in scratch: Scratch, by program: String) throws {
        let first = try Child(program, scratch)
        first.stop()
        let hex = { (bytes: [UInt8]) in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        BareSQLite.run(
            "\(scratch.directory)/\(audience.rawValue).sqlite",
            """
            INSERT INTO accessKey (id, key, ends)
            VALUES (x'\(hex(Array(publicKey.prefix(8))))', x'\(hex(publicKey))', 0)
            """)
    }

    /// A token of a member of the crew.
    func token(_ account: String) -> [UInt8] {
        let now = WallClock.milliseconds()
        let claims = Claims(
            keyId: Array(publicKey.prefix(8)), account: account, name: account,
            organisation: "bench", grants: [Grant(role: .crew, site: "here")],
            audience: audience.rawValue, issued: now, expires: now + 600_000,
            authEpoch: 1, session: "session"
        ).packed()
        var signature = [UInt8](repeating: 0, count: 64)
        crypto_sign_detached(&signature, nil, claims, UInt64(claims.count), secretKey)
        return AccessToken(claims: claims, signature: signature).packed()
    }
}
