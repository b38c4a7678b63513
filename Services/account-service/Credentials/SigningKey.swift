import CSodium

/// An Ed25519 key pair.
package struct SigningKey: Hashable, Sendable {
    /// Anyone may know it: 32 bytes.
    package let publicKey: [UInt8]
    /// No one else may know it: the 32 bytes from which the pair is made.
    package let seed: [UInt8]
    private let secretKey: [UInt8]

    /// A new pair.
    package init() { self.init(checked: Sodium.randomBytes(32)) }

    /// The pair of a seed that was kept; nil when it has not 32 bytes.
    package init?(seed: [UInt8]) {
        guard seed.count == 32 else { return nil }
        self.init(checked: seed)
    }

    private init(checked seed: [UInt8]) {
        Sodium.prepare()
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
        (self.publicKey, self.secretKey, self.seed) = (publicKey, secretKey, seed)
    }

    /// By what a token names the key that signed it.
    package var id: [UInt8] { Array(publicKey.prefix(8)) }

    /// The signature of a message: 64 bytes.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
        return signature
    }
}
