import CSodium
import Credentials
import Messages

/// The key pair with which an archive says how far it reaches.
package struct ArchiveKey {
    private let pair: SigningKey

    /// A new pair.
    package init() { pair = SigningKey() }

    /// The pair of a seed that was kept; nil when it has not 32 bytes.
    package init?(seed: [UInt8]) {
        guard let pair = SigningKey(seed: seed) else { return nil }
        self.pair = pair
    }

    /// No one else may know it: the 32 bytes from which the pair is made.
    package var seed: [UInt8] { pair.seed }

    /// The statement with the key and its signature (Ed25519, RFC 8032).
    package func sign(_ head: ArchiveHead) -> ArchiveHead {
        var head = head
        head.publicKey = pair.publicKey
        head.signature = []
        head.signature = pair.sign(head.packed())
        return head
    }
}

extension ArchiveHead {
    /// True when whoever has the private part of its key has said just this.
    package var isAuthentic: Bool {
        guard signature.count == 64, publicKey.count == 32 else { return false }
        var statement = self
        statement.signature = []
        let bytes = statement.packed()
        return crypto_sign_verify_detached(signature, bytes, UInt64(bytes.count), publicKey) == 0
    }
}
