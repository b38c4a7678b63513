import Bus
import Messages
import Phrases
import ShiftLog
import Speech
import WorkingCopy

/// Sends a device's operations to the service, in order, each once, and fetches the operations of
/// others.
///
/// If the service refuses a whole message because of an operation that it can't read, that one is
/// set aside and the others go on: see ``RefusalSearch``.
///
/// It never waits by itself: ``turn(_:)`` sends and receives without blocking, so that a screen
/// stays responsive. ``run()`` repeats that until everything is done, for a command.
package final class ShiftCourier {
    private enum Question: Hashable {
        var isPhoto: Bool { if case .keep = self { true } else { false } }

        /// Sends these operations.
        case record([ShiftOperation])
        case read
        /// Sends the photo with this checksum.
        case keep([UInt8])
    }

    /// A message for the person.
    private enum News {
        /// The service refused a photo.
        case photo(Refusal)
        /// The service has an older history than this device.
        case forgotten
        /// The service refused an operation, or couldn't read it, so that it was set aside.
        case refused(WorkingCopy.RefusedOperation, isAside: Bool)
    }

    /// How long to wait for the service before going on without it.
    static let deadline: Duration = .seconds(4)
    /// How long to wait after a failure before trying again.
    static let pause: Duration = .seconds(2)
    /// The maximum size of the operations in one message, in bytes.
    static let mostBytes = 200 << 10

    /// The client of checklist-service.
    let client: Client
    /// Why the service can't be reached now; nil if it can.
    package private(set) var obstacle: Obstacle?
    /// Why the service accepts nothing from this person, such as a missing role, which waiting
    /// doesn't fix; nil if it does.
    private(set) var denial: String?
    /// True if the service doesn't know the shift, because an older backup was restored.
    package private(set) var isForgotten = false
    private let copy: WorkingCopy
    private let access: any ServiceAccess
    private var question: (id: MessageID, kind: Question)?
    private var answered: Set<[UInt8]> = []
    private var photos = PhotoDispatch()
    private var search = RefusalSearch()
    private var news: [News] = []
    /// Operations of this device that came after the end of the shift, and aren't reported yet.
    private var late: [ShiftOperation] = []
    /// The newest sequence up to which contradictions were reported.
    private var reported: UInt64
    private var isBehind = true
    /// True until the courier knows that the service has the same history as this device.
    private var mustLookFirst = true
    private var hasRewound = false
    /// True if photos were sent once more, since the last operation was recorded.
    private var hasSentAgain = false
    /// True if the access token was renewed since the last good answer.
    private var hasRenewedProof = false
    private var rest = ContinuousClock.now
    /// When it last waited in vain for the service; nil if the service answered, or was found at
    /// once not to be running.
    private var gaveUp: ContinuousClock.Instant?

    /// A courier between a working copy and the service.
    init(_ access: any ServiceAccess, _ copy: WorkingCopy) throws {
        self.copy = copy
        self.access = access
        reported = copy.head
        client = try access.client(.checklist)
    }

    /// The messages for the person since the last call.
    ///
    /// - Parameters:
    ///   - ids: operations whose refusal is reported in another way.
    ///   - language: the language of the messages.
    package func takeNews(
        exceptRefusalsOf ids: Set<[UInt8]> = [], in language: Language = .english
    ) -> [String] {
        defer { news = [] }
        let words = Words<ScreenPhrase>(language)
        let told = news.compactMap { one -> String? in
            switch one {
            case .photo(let refusal):
                return words.say(.photoNotTakenIn, ["reason": words.text(of: refusal)])
            case .forgotten: return words.say(.forgotten)
            case .refused(let refused, _) where ids.contains(refused.operation.id): return nil
            case .refused(let refused, isAside: true):
                let title = OperationLine(in: language).title(refused.operation, copy.lists)
                return words.setAside(title, refused.refusal)
            case .refused(let refused, isAside: false): return words.notTakenIn(refused.refusal)
            }
        }
        return told + takeFindings(in: language)
    }

    /// Statements of others that contradict those of this device, and operations that came too
    /// late, each once, as soon as this device has them in the service's order.
    private func takeFindings(in language: Language) -> [String] {
        guard copy.head > reported || !late.isEmpty,
            let findings = ShiftFindings(copy, in: language)
        else { return [] }
        defer { (reported, late) = (copy.head, []) }
        return findings.contradictions(of: copy.device, after: reported) + findings.late(late)
    }

    /// True while there is something to send or fetch and the service was reachable.
    package var isBusy: Bool { question != nil || obstacle == nil && (isBehind || !unsent.isEmpty) }

    /// Makes the next turn ask whether others have done something.
    package func look() { isBehind = true }

    /// Sends and fetches until everything is done or the service can't be reached.
    package func run() throws {
        isBehind = true
        obstacle = nil
        rest = ContinuousClock.now
        let begun = ContinuousClock.now
        while isBusy { try turn(within: Self.deadline) }
        let end = ContinuousClock.now
        gaveUp = obstacle != nil && end - begun >= Self.deadline / 2 ? end : nil
    }

    /// True if it has just waited in vain: a command waits once for a service that hangs.
    var hasJustWaited: Bool {
        guard let gaveUp, denial == nil else { return false }
        return ContinuousClock.now - gaveUp < Self.pause
    }

    /// Sends the next message if none is under way, and reads the answer if it has come.
    package func turn(within time: Duration = .zero) throws {
        if question == nil, ContinuousClock.now >= rest { try begin() }
        guard question != nil else { return }
        for answer in try client.receive(within: time) where answer.id == question?.id {
            let kind = question?.kind
            question = nil
            do {
                let envelope = try answer.result.get()
                switch kind {
                case .record: try settle(try Client.unpack(envelope, as: OperationsRecorded.self))
                case .keep(let checksum):
                    _ = try Client.unpack(envelope, as: Photo.self)
                    photos.note(kept: checksum)
                default: try take(try Client.unpack(envelope, as: OperationPage.self))
                }
                (obstacle, denial, hasRenewedProof) = (nil, nil, false)
                copy.hear(at: WallClock.milliseconds())
            } catch ClientError.refused(let refusal)
                where refusal.code == .conflict && kind == .read && copy.head > 0
            {
                try rewind()
            } catch ClientError.refused(let refusal)
                where [.invalid, .conflict].contains(refusal.code) && kind?.isPhoto == true
                && !refusal.isOfID
            {
                if case .keep(let checksum) = kind { photos.note(refused: checksum) }
                news.append(.photo(refusal))
            } catch ClientError.refused(let refusal)
                where refusal.isBecause(.photoMissing) && !hasSentAgain
            {
                // An older backup was restored after they had been sent.
                hasSentAgain = true
                photos.startOver()
            } catch ClientError.refused(let refusal)
                where [.badToken, .forbidden].contains(refusal.code) && !hasRenewedProof
            {
                try renewProof(after: refusal)
            } catch ClientError.refused(let refusal) {
                if !narrow(kind, refusal) { try stop(ClientError.refused(refusal)) }
            } catch let error as ClientError {
                try stop(error)
            }
        }
    }

    /// Looks for the operation that made the service refuse a message; false if there is none.
    private func narrow(_ kind: Question?, _ refusal: Refusal) -> Bool {
        guard case .record(let operations) = kind else { return false }
        return search.narrow(operations, refusal)
    }

    /// The token may have been revoked, or its rights changed: try with a new one.
    private func renewProof(after refusal: Refusal) throws {
        hasRenewedProof = true
        do {
            guard try access.renewProof(refused: client.token) else {
                throw ClientError.refused(refusal)
            }
        } catch {
            try stop(error)
        }
    }

    private var unsent: [ShiftOperation] {
        copy.waiting.filter { !answered.contains($0.id) }
    }

    private func begin() throws {
        do {
            if !mustLookFirst, let batch = nextBatch() {
                if let (checksum, file) = try photos.next(for: batch, copy) {
                    let command = KeepPhoto(shift: copy.shift.id, file: file)
                    question = (
                        try client.send(command, deadline: Self.deadline), .keep(checksum)
                    )
                    return
                }
                let command = RecordOperations(
                    operations: batch, deviceHead: copy.deviceHead,
                    lostPhotos: photos.lost(among: batch), sentAt: WallClock.milliseconds())
                question = (try client.send(command, deadline: Self.deadline), .record(batch))
            } else if isBehind {
                // Fetch the newest operation that is here once more, as proof that the history is
                // the same.
                let query = ReadOperations(
                    shift: copy.shift.id, after: copy.operations.dropLast().last?.sequence ?? 0,
                    device: copy.device, deviceHead: copy.deviceHead)
                question = (try client.send(query, deadline: Self.deadline), .read)
            }
        } catch let error as WorkingCopyError {
            // A photo can't be read now; what others do is fetched meanwhile.
            pause(Obstacle(error))
        } catch {
            // The access token could not be renewed.
            try stop(error)
        }
    }

    private func nextBatch() -> [ShiftOperation]? {
        var bytes = 0
        let batch = search.message(of: unsent).prefix { operation in
            bytes += operation.packed().count
            return bytes <= Self.mostBytes
        }
        return batch.isEmpty ? nil : Array(batch)
    }

    /// Starts over because the service has an older history: a backup was restored.
    private func rewind() throws {
        try copy.rewind()
        (answered, isBehind, hasRewound, reported) = ([], true, true, 0)
        photos.startOver()
        search = RefusalSearch()
        news.append(.forgotten)
    }

    /// True if the service asks for an operation that it had before.
    private func isGap(_ outcome: OperationOutcome) -> Bool {
        outcome.kind == .refused && outcome.refusalReason == RefusalReason.shiftGap.rawValue
            && !hasRewound
    }

    private func settle(_ reply: OperationsRecorded) throws {
        if reply.outcomes.contains(where: isGap) { return try rewind() }
        for outcome in reply.outcomes {
            answered.insert(outcome.id)
            if let operation = outcome.operation, operation.late { late.append(operation) }
        }
        let unread = search.unreadable
        try copy.settle(search.conclude(reply.outcomes))
        let ids = Set(reply.outcomes.map(\.id))
        for refused in copy.refused where ids.contains(refused.operation.id) {
            news.append(.refused(refused, isAside: unread[refused.operation.id] != nil))
        }
        (isBehind, hasSentAgain) = (true, false)
        // Everything was answered, so a further gap means another backup.
        if unsent.isEmpty { hasRewound = false }
    }

    private func take(_ page: OperationPage) throws {
        // Not everyone gets all operations of an ended shift.
        if let newest = copy.operations.last, page.ended == 0,
            page.operations.first.map(newest.isRecorded(as:)) != true
        {
            return try rewind()
        }
        let before = copy.head
        try copy.add(page)
        mustLookFirst = false
        // After a backup was restored this copy may be ahead; then there is nothing more to fetch.
        isBehind = copy.head < page.head && copy.head > before
    }

    /// Continues without the service for a while; throws errors that waiting can't fix.
    private func stop(_ error: any Error) throws {
        guard let failure = Failure(error) else { throw error }
        guard failure.isUnreachable || failure.status == .refused else { throw error }
        switch error {
        case ClientError.refused(let refusal):
            isForgotten = refusal.code == .notFound
            denial = refusal.code == .forbidden ? failure.sentence : nil
        case is ClientError: denial = nil
        // The session is over.
        default: denial = failure.status == .refused ? failure.sentence : nil
        }
        pause(Obstacle(error, failure))
    }

    /// Sends nothing for a while, for a reason.
    private func pause(_ reason: Obstacle) {
        obstacle = reason
        (mustLookFirst, isBehind) = (true, true)
        photos.startOver()
        rest = ContinuousClock.now + Self.pause
    }
}

extension Refusal {
    /// True when the id of the command was refused, for example because a clock is wrong: the same
    /// command may be accepted later, under another id.
    var isOfID: Bool {
        [RefusalReason.idVersion, .idOld, .idAhead, .answerDeleted].contains { isBecause($0) }
    }
}
