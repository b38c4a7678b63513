import Foundation

/// Who is in a key ring at present: it is read again when a file of it has changed.
public struct Peers: Sendable {
    private struct Mark: Sendable, Hashable {
        let name: String
        let file: UInt
        let seconds: Int
        let nanoseconds: Int
    }

    private let ring: KeyRing
    private var marks: [Mark] = []
    private var roles: [String: KeyRing.Role] = [:]
    private var revoked: Set<String> = []

    /// The peers in a ring, every file of which must be readable.
    init(_ ring: KeyRing) throws(ConfigurationError) {
        self.ring = ring
        _ = try ring.entries()
        refresh()
    }

    /// What the owner of a public key is let in to do; nil for a key that is not in the ring or was
    /// revoked.
    func role(of publicKey: String) -> KeyRing.Role? { roles[publicKey] }

    /// Reads the ring again if it has changed. What can't be read lets in no one.
    ///
    /// - Returns: true when someone who was let in no longer is, or in another role.
    @discardableResult
    public mutating func refresh() -> Bool {
        let present = look()
        guard present != marks || marks.isEmpty else { return false }
        let (before, revokedBefore) = (roles, revoked)
        marks = present
        (roles, revoked) = ([:], [])
        for mark in present {
            do {
                let entry = try ring.entry(mark.name)
                if entry.isRevoked {
                    revoked.insert(entry.publicKey)
                } else {
                    roles[entry.publicKey] = entry.role
                }
            } catch { continue }
        }
        // One that came and went since the last look may have been let in in between.
        return !revoked.isSubset(of: revokedBefore)
            || before.contains { roles[$0.key] != $0.value }
    }

    private func look() -> [Mark] {
        let names: [String]
        do { names = try ring.names() } catch { return [] }
        return names.map { name in
            var status = stat()
            stat("\(ring.directory)/\(name).public", &status)
            return Mark(
                name: name, file: status.st_ino, seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
    }
}
