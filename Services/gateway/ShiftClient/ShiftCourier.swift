import Bus
import Messages
import Speech
import WorkingCopy

/// Brings a device's operations to the service, in order, each once, and takes in the operations of
/// the others.
///
/// It never waits by itself: ``turn(_:)`` sends what is to be sent and takes what has come, so that
/// a screen stays awake meanwhile. ``run()`` does it to the end for a command.
package final class ShiftCourier {
    private enum Question: Hashable {
        case record
        case read
    }

    /// How long to wait for the service before going on without it.
    static let deadline: Duration = .seconds(4)
    /// How long to wait after a failure before trying again.
    static let pause: Duration = .seconds(2)
    /// The most operations and bytes of one message: what the service takes.
    static let most = 500
    static let mostBytes = 200 << 10

    /// The client of checklist-service.
    let client: Client
    /// Why the service can't be reached now; nil when it can.
    package private(set) var obstacle: String?
    /// Why the service takes nothing of what this person does, for example for want of a role:
    /// waiting doesn't mend that. Nil when it may.
    private(set) var denial: String?
    /// True when the service doesn't know the shift: a backup of before it was restored.
    package private(set) var isForgotten = false
    /// When the service was heard the last time, milliseconds since 1970; 0 for never.
    private(set) var lastHeard: Int64 = 0
    private let copy: WorkingCopy
    private let access: any ServiceAccess
    private var question: (id: MessageID, kind: Question)?
    private var answered: Set<[UInt8]> = []
    /// What is to be told, and of which operation of this device when one was refused.
    private var news: [(text: String, refused: [UInt8]?)] = []
    private var isBehind = true
    /// True until it is known that the service has the history that this device has.
    private var mustLookFirst = true
    private var hasRewound = false
    /// True when the proof of who asks was renewed since the last good answer.
    private var hasRenewedProof = false
    private var rest = ContinuousClock.now

    /// A courier between a working copy and the service.
    init(_ access: any ServiceAccess, _ copy: WorkingCopy) throws {
        self.copy = copy
        self.access = access
        client = try access.client(.checklist)
    }

    /// What the person has to be told since the last time.
    ///
    /// - Parameter ids: of operations whose refusal is reported in another way.
    package func takeNews(exceptRefusalsOf ids: Set<[UInt8]> = []) -> [String] {
        defer { news = [] }
        return news.filter { one in !(one.refused.map(ids.contains) ?? false) }.map(\.text)
    }

    /// True while something is to be sent or fetched and the service was reachable.
    package var isBusy: Bool { question != nil || obstacle == nil && (isBehind || !unsent.isEmpty) }

    /// Asks at the next turn whether others have done something.
    package func look() { isBehind = true }

    /// Sends and fetches until everything is done or the service can't be reached.
    package func run() throws {
        isBehind = true
        obstacle = nil
        rest = ContinuousClock.now
        while isBusy { try turn(within: Self.deadline) }
    }

    /// One turn: sends what is next when nothing is under way, and takes the answer if it is there.
    package func turn(within time: Duration = .zero) throws {
        if question == nil, ContinuousClock.now >= rest { try begin() }
        guard question != nil else { return }
        for answer in try client.receive(within: time) where answer.id == question?.id {
            let kind = question?.kind
            question = nil
            do {
                let envelope = try answer.result.get()
                if kind == .record {
                    try settle(try Client.unpack(envelope, as: OperationsRecorded.self))
                } else {
                    try take(try Client.unpack(envelope, as: OperationPage.self))
                }
                (obstacle, denial, hasRenewedProof) = (nil, nil, false)
                lastHeard = WallClock.milliseconds()
            } catch ClientError.refused(let refusal)
                where refusal.code == .conflict && kind == .read && copy.head > 0
            {
                try rewind()
            } catch ClientError.refused(let refusal)
                where [.badToken, .forbidden].contains(refusal.code) && !hasRenewedProof
            {
                try renewProof(after: refusal)
            } catch let error as ClientError {
                try stop(error)
            }
        }
    }

    /// The proof may have been revoked, or what it allows has changed: the newest one decides.
    private func renewProof(after refusal: Refusal) throws {
        hasRenewedProof = true
        do {
            guard try access.renewProof() else { throw ClientError.refused(refusal) }
        } catch {
            try stop(error)
        }
    }

    private func tell(_ text: String, refused id: [UInt8]? = nil) { news.append((text, id)) }

    private var unsent: [ShiftOperation] {
        copy.waiting.filter { !answered.contains($0.id) }
    }

    private func begin() throws {
        do {
            if !mustLookFirst, let batch = nextBatch() {
                let command = RecordOperations(operations: batch, deviceHead: copy.deviceHead)
                question = (try client.send(command, deadline: Self.deadline), .record)
            } else if isBehind {
                // The newest one that is here comes once more, as a proof that the history is the
                // same.
                let query = ReadOperations(
                    shift: copy.shift.id, after: copy.operations.dropLast().last?.sequence ?? 0,
                    device: copy.device, deviceHead: copy.deviceHead)
                question = (try client.send(query, deadline: Self.deadline), .read)
            }
        } catch {
            // The proof of who asks could not be renewed.
            try stop(error)
        }
    }

    private func nextBatch() -> [ShiftOperation]? {
        var bytes = 0
        let batch = unsent.prefix(Self.most).prefix { operation in
            bytes += operation.packed().count
            return bytes <= Self.mostBytes
        }
        return batch.isEmpty ? nil : Array(batch)
    }

    /// The service has a history of before: a backup was restored.
    private func rewind() throws {
        try copy.rewind()
        (answered, isBehind, hasRewound) = ([], true, true)
        tell("the service has forgotten something; this device sends it again")
    }

    /// True when the service wants an operation that it had already.
    private func isGap(_ outcome: OperationOutcome) -> Bool {
        outcome.kind == .refused && outcome.refusalReason == RefusalReason.shiftGap.rawValue
            && !hasRewound
    }

    private func settle(_ reply: OperationsRecorded) throws {
        if reply.outcomes.contains(where: isGap) { return try rewind() }
        for outcome in reply.outcomes {
            answered.insert(outcome.id)
            switch outcome.kind {
            case .conflict:
                tell(
                    "someone else had marked “\(title(outcome.operation))” differently; it counts "
                        + "as not ok if either said so, until it is reviewed")
            case .refused:
                tell("not taken in: \(outcome.refusal.printable)", refused: outcome.id)
            default: break
            }
        }
        try copy.settle(reply.outcomes)
        isBehind = true
        // All was answered: the next gap is that of another backup.
        if unsent.isEmpty { hasRewound = false }
    }

    private func take(_ page: OperationPage) throws {
        // Of an ended shift not everyone gets all.
        if let newest = copy.operations.last, page.ended == 0,
            page.operations.first?.id != newest.id
        {
            return try rewind()
        }
        let before = copy.head
        try copy.take(page)
        mustLookFirst = false
        // The copy of before a restored backup may be ahead: then nothing more is to be had.
        isBehind = copy.head < page.head && copy.head > before
    }

    private func title(_ operation: ShiftOperation?) -> String {
        guard case .mark(let mark) = operation?.change else { return "a task" }
        let list = copy.lists.first { $0.id == mark.list }
        let task = list?.sections.flatMap(\.tasks).first { $0.id == mark.task }
        return (task?.title ?? mark.task).printable
    }

    /// Goes on without the service for a while; throws what waiting can't mend.
    private func stop(_ error: any Error) throws {
        guard let failure = Failure(error) else { throw error }
        guard failure.isUnreachable || failure.status == .refused else { throw error }
        obstacle = failure.sentence
        switch error {
        case ClientError.refused(let refusal):
            isForgotten = refusal.code == .notFound
            denial = refusal.code == .forbidden ? failure.sentence : nil
        case is ClientError: denial = nil
        // The log-in is over.
        default: denial = failure.status == .refused ? failure.sentence : nil
        }
        (mustLookFirst, isBehind) = (true, true)
        rest = ContinuousClock.now + Self.pause
    }
}
