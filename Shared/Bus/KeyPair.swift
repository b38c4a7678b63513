import CZeroMQ

/// A CURVE key pair as Z85 text, ZeroMQ's notation (RFC 32/Z85, 40 characters).
struct KeyPair: Sendable {
    /// The key by which others know the owner.
    let publicKey: String
    /// The key that only the owner has.
    let secretKey: String

    /// Makes a pair from the system's random source.
    static func generate() throws(BusError) -> KeyPair {
        var publicKey = [CChar](repeating: 0, count: 41)
        var secretKey = [CChar](repeating: 0, count: 41)
        if zmq_curve_keypair(&publicKey, &secretKey) != 0 { throw BusError("make a key pair") }
        return KeyPair(publicKey: text(publicKey), secretKey: text(secretKey))
    }

    /// The text of a key of 32 bytes; nil when it has another length.
    static func text(of key: [UInt8]) -> String? {
        guard key.count == 32 else { return nil }
        var characters = [CChar](repeating: 0, count: 41)
        zmq_z85_encode(&characters, key, 32)
        return text(characters)
    }

    /// True when the text can be a key.
    static func isKey(_ text: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 32)
        return text.utf8.count == 40 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && zmq_z85_decode(&bytes, text) != nil
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix(40).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
