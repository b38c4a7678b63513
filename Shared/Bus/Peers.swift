import Foundation

/// The current contents of a key ring, read again when one of its files has changed.
public struct Peers: Sendable {
    private struct Mark: Sendable, Hashable {
        let name: String
        let file: UInt
        let seconds: Int
        let nanoseconds: Int
    }

    private let ring: KeyRing
    private var marks: [Mark] = []
    private var peers: [String: Peer] = [:]
    private var keys: [String: String] = [:]
    private var revoked: Set<String> = []

    /// Reads the ring, every file of which must be readable.
    init(_ ring: KeyRing) throws(ConfigurationError) {
        self.ring = ring
        _ = try ring.entries()
        refresh()
    }

    /// The owner of a public key; nil for a key that is not in the ring or was revoked.
    func peer(of publicKey: String) -> Peer? { peers[publicKey] }

    /// The public key of a process; nil when it has none, or only a revoked one.
    public func key(of process: String) -> String? { keys[process] }

    /// Reads the ring again if it has changed. A malformed file lets nobody in; while the folder
    /// can't be read or no descriptors are left, nothing changes.
    ///
    /// - Returns: true when a peer that was let in no longer is, or has another name or role.
    @discardableResult
    public mutating func refresh() -> Bool {
        guard let present = look(), present != marks || marks.isEmpty else { return false }
        let (before, revokedBefore) = (peers, revoked)
        (peers, keys, revoked) = ([:], [:], [])
        for mark in present {
            do {
                let entry = try ring.entry(mark.name)
                revoked.formUnion(entry.revokedKeys)
                if !entry.isRevoked {
                    peers[entry.publicKey] = Peer(name: entry.name, role: entry.role)
                    keys[entry.name] = entry.publicKey
                }
            } catch {
                guard Self.isShortage(ring.directory) else { continue }
                // Not everything could be read; the next refresh tries again.
                (peers, revoked) = (before, revokedBefore)
                keys = Dictionary(
                    before.map { ($0.value.name, $0.key) }, uniquingKeysWith: { $1 })
                return false
            }
        }
        marks = present
        // A copy of an old file, or one under another name, doesn't bring a revoked key back.
        peers = peers.filter { !revoked.contains($0.key) }
        keys = keys.filter { !revoked.contains($0.value) }
        // A key that was added and revoked since the last refresh may have been used in between.
        return !revoked.isSubset(of: revokedBefore)
            || before.contains { peers[$0.key] != $0.value }
    }

    /// True when no file at all can be opened at the moment.
    private static func isShortage(_ directory: String) -> Bool {
        let file = open(directory, O_RDONLY | O_CLOEXEC)
        guard file < 0 else {
            close(file)
            return false
        }
        return [EMFILE, ENFILE, ENOMEM].contains(errno)
    }

    /// The state of each file; nil while the folder can't be read.
    private func look() -> [Mark]? {
        let names: [String]
        do { names = try ring.names() } catch { return nil }
        return names.map { name in
            var status = stat()
            stat("\(ring.directory)/\(name).public", &status)
            return Mark(
                name: name, file: status.st_ino, seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
    }
}
