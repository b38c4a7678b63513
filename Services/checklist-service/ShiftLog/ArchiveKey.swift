import CSodium
import Messages

/// The Ed25519 key pair with which an archive signs how far it reaches.
package struct ArchiveKey: Hashable, Sendable {
    /// The public key: 32 bytes.
    package let publicKey: [UInt8]
    private let secretKey: [UInt8]

    /// Makes the pair of a secret seed of 32 bytes; nil for another length.
    package init?(seed: [UInt8]) {
        guard seed.count == 32 else { return nil }
        Self.prepare()
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
        (self.publicKey, self.secretKey) = (publicKey, secretKey)
    }

    private static let isReady = sodium_init() >= 0

    /// Initializes libsodium, once for the process.
    fileprivate static func prepare() {
        precondition(isReady, "libsodium can't be made ready: the system gives no random numbers")
    }

    /// The head with this key and its signature over all other fields.
    package func signed(_ head: ArchiveHead) -> ArchiveHead {
        var head = head
        head.publicKey = publicKey
        head.signature = []
        let message = head.packed()
        var signature = [UInt8](repeating: 0, count: 64)
        crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
        head.signature = signature
        return head
    }
}

extension ArchiveHead {
    /// True when the key in the head has signed it.
    package var isSigned: Bool {
        guard publicKey.count == 32, signature.count == 64 else { return false }
        ArchiveKey.prepare()
        var unsigned = self
        unsigned.signature = []
        let message = unsigned.packed()
        return crypto_sign_verify_detached(
            signature, message, UInt64(message.count), publicKey) == 0
    }
}
