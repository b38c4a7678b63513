import Synchronization

/// The rest of a round that was interrupted by a turn of the loop.
enum MirrorRest: Sendable {
    /// The steps to take at the server.
    case write([MirrorStep])
    /// What was read or written is merged again, because the project was changed meanwhile.
    case merge(MirrorTask, MirrorNews, tries: Int)

    /// The number of bytes of notes that count as a thing.
    private static let noteBytes = 200

    /// About how many things it has.
    fileprivate var size: Int {
        switch self {
        case .write(let steps): 100 + steps.count
        case .merge(_, let news, _):
            100 + news.count
                + news.notes.values.reduce(0) { sum, read in
                    read.notes.reduce(sum) { $0 + 1 + $1.text.utf8.count / Self.noteBytes }
                }
        }
    }
}

/// The rests of rounds. After a kill they are computed or read again, and so are those for which
/// there is no room.
final class MirrorRests: Sendable {
    static let shared = MirrorRests()

    /// The maximum size of all rests together. A single one may be larger.
    private let most: Int
    private let rests = Mutex<[String: (remote: Int, logIn: String, rest: MirrorRest)]>([:])

    init(most: Int = 200_000) { self.most = most }

    /// Keeps the rest of a mirror's round, if there is room. Dropping others to make room could
    /// mean that many mirrors drop each other's rests, and none ever goes on.
    ///
    /// - Returns: false if there is none; then the mirror should wait before it begins again.
    @discardableResult func put(_ rest: MirrorRest, of mirror: MirrorRow) -> Bool {
        rests.withLock { rests in
            rests[mirror.project] = nil
            let size = rests.values.reduce(0) { $0 + $1.rest.size }
            guard rests.isEmpty || size + rest.size <= most else { return false }
            rests[mirror.project] = (mirror.remote, mirror.logIn, rest)
            return true
        }
    }

    /// Removes the rest of a mirror that has ended, or can't go on.
    func forget(_ project: String) {
        rests.withLock { $0[project] = nil }
    }

    /// Removes and returns the rest of a mirror's round.
    func take(_ mirror: MirrorRow) -> MirrorRest? {
        guard let rest = rests.withLock({ $0.removeValue(forKey: mirror.project) }),
            rest.remote == mirror.remote, rest.logIn == mirror.logIn
        else { return nil }
        if case .write = rest.rest, mirror.phase != .write { return nil }
        return rest.rest
    }
}
