import CZeroMQ

/// A CURVE key pair in Z85 text, as ZeroMQ writes it (RFC 32/Z85, 40 characters).
struct KeyPair: Sendable {
    /// Who the owner is to others.
    let publicKey: String
    /// What only the owner knows.
    let secretKey: String

    /// A fresh pair from the system's random source.
    static func generate() throws(BusError) -> KeyPair {
        var publicKey = [CChar](repeating: 0, count: 41)
        var secretKey = [CChar](repeating: 0, count: 41)
        if zmq_curve_keypair(&publicKey, &secretKey) != 0 { throw BusError("make a key pair") }
        return KeyPair(publicKey: text(publicKey), secretKey: text(secretKey))
    }

    /// A key in 32 bytes as text; nil when it has another length.
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
        String(decoding: characters.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
