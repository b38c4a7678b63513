import CSodium

/// An Ed25519 key pair.
package struct SigningKey: Hashable, Sendable {
    /// The public key: 32 bytes.
    package let publicKey: [UInt8]
    /// The secret seed from which the pair is made: 32 bytes.
    package let seed: [UInt8]
    private let secretKey: [UInt8]

    /// Makes a new pair.
    package init() { self.init(checked: Sodium.randomBytes(32)) }

    /// Makes the pair of a stored seed; nil when it does not have 32 bytes.
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

    /// The id by which a token names the key that signed it.
    package var id: [UInt8] { Array(publicKey.prefix(8)) }

    /// The signature of a message: 64 bytes.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
        return signature
    }
}
