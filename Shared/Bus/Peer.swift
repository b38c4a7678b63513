/// Whose key a message came with, as the key ring of its receiver tells.
public struct Peer: Sendable, Hashable {
    /// Its name in that ring, e.g. `laptop`.
    public let name: String
    /// What it is let in to do.
    public let role: KeyRing.Role

    /// A peer of a ring.
    public init(name: String, role: KeyRing.Role) {
        self.name = name
        self.role = role
    }

    /// The peer of a user id; nil when it is none of ours.
    init?(userID: String) {
        let words = userID.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let role = KeyRing.Role(rawValue: String(words[0])) else {
            return nil
        }
        self.init(name: String(words[1]), role: role)
    }

    /// What the gatekeeper answers in a handshake, and ZeroMQ then says of each message of that
    /// connection.
    var userID: String { "\(role.rawValue) \(name)" }
}
