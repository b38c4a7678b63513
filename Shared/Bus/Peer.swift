/// The owner of the key that a message came with, according to the receiver's key ring.
public struct Peer: Sendable, Hashable {
    /// Its name in that ring, e.g. `laptop`.
    public let name: String
    /// What its key lets it do.
    public let role: KeyRing.Role

    /// Makes a peer.
    public init(name: String, role: KeyRing.Role) {
        self.name = name
        self.role = role
    }

    /// Reads a user id; nil when the gatekeeper did not make it.
    init?(userID: String) {
        let words = userID.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let role = KeyRing.Role(rawValue: String(words[0])) else {
            return nil
        }
        self.init(name: String(words[1]), role: role)
    }

    /// The text that the gatekeeper answers in a handshake and that ZeroMQ then attaches to each
    /// message of that connection.
    var userID: String { "\(role.rawValue) \(name)" }
}
