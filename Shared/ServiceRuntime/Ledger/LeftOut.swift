import Messages

/// The rows that a snapshot lacks because they can't be read. The snapshot names them, so that
/// followers keep what they know of them: a damaged row isn't a deleted one.
///
/// Not Sendable: it belongs to the thread that makes the snapshot.
final class LeftOut {
    /// The maximum number of rows. If more can't be read, e.g. because a later version wrote them,
    /// there is no snapshot, and followers keep everything.
    static let most = 1000

    private let log: Log
    /// Why the first row of each kind can't be read.
    private var reasons: [String: String] = [:]
    /// What is left out of each kind.
    private var subjects: [String: Set<String>] = [:]
    private var count = 0

    init(log: Log) { self.log = log }

    /// Leaves a row out.
    ///
    /// - Parameters:
    ///   - kind: what the row is, for people.
    ///   - subject: the subject of the events about it.
    ///   - reason: why it can't be read.
    /// - Throws: a refusal if it is one row too many.
    func note(_ kind: String, _ subject: String, _ reason: String) throws {
        guard count < Self.most else {
            throw Refusal.conflict(
                "more than \(Self.most) rows can't be read; one of them, of kind \(kind): "
                    + reason.prefix(bytes: 300))
        }
        count += 1
        subjects[kind, default: []].insert(subject)
        guard reasons[kind] == nil else { return }
        reasons[kind] = reason.prefix(bytes: 300)
        log.write(.error, "row left out of a snapshot", [.message: kind, .error: reason])
    }

    /// Passes each subject once to the snapshot, those of a kind together: a new kind is a new text
    /// for the people who are alerted.
    func pass(to receiver: SnapshotReceiver) throws {
        for (kind, subjects) in subjects.sorted(by: { $0.key < $1.key }) {
            let event = SetAside(
                kind: .errand, type: kind.prefix(bytes: 200), reason: reasons[kind] ?? "",
                count: 1)
            for subject in subjects.sorted() { try receiver(event, subject) }
        }
    }
}

extension Sequence<Envelope> {
    /// The subjects of what a snapshot lacks because it can't be read. What is known of them stays.
    public var leftOut: Set<String> {
        Set(filter { $0.type == SetAside.protobufName && !$0.subject.isEmpty }.map(\.subject))
    }
}
