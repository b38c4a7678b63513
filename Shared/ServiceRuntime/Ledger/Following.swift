import Bus
import Foundation
import GRDB
import Messages

/// Follows one producer: each of its events is applied once and in order, or put aside as a dead
/// letter, in the transaction that moves the cursor.
final class Following {
    /// How long to wait for an answer to a replay before asking again, in milliseconds.
    static let replayPatience: Int64 = 1000
    /// How often to report the position to the producer, in milliseconds.
    static let reportInterval: Int64 = 5000
    /// How long a producer, which sends a heartbeat each second, may be silent before its host is
    /// looked up again, in milliseconds.
    static let silence: Int64 = 3000
    /// How long to apply nothing after a snapshot that can't be applied, in milliseconds.
    static let snapshotPause: Int64 = 60_000
    /// How long to apply nothing when too much was put aside already, in milliseconds.
    static let fullPause: Int64 = 60_000
    /// How long a producer may refuse to send what is missing until that is reported: ten minutes,
    /// in milliseconds. Putting a large state together takes part of that time.
    static let refusalPatience: Int64 = 600_000

    let producer: ServiceName
    private let link: ProducerLink
    private let handlers: [String: [EventHandler]]
    let forget: (ServiceName, [Envelope], Transaction) throws -> Void
    let db: Database
    let turn: Turn
    let log: Log
    let suspects: Suspects
    private var hasLetters: Bool
    /// When it was last reported that nothing is applied, because too much was put aside, a
    /// snapshot can't be applied or the producer refuses to send any, in milliseconds since 1970;
    /// nil while nothing keeps events from being applied.
    var stopReported: Int64?
    /// Reports why nothing is applied; nil when there is nothing new to report.
    private var report: ((Transaction) throws -> Void)?
    /// When the producer began to refuse to send what is missing, in milliseconds since 1970; nil
    /// if it hasn't since something was applied.
    private var refusedSince: Int64?

    private var epoch: UInt64
    private var cursor: UInt64
    /// The id of the event at the cursor; empty when it is not known.
    private var newest: [UInt8]
    private var head: UInt64 = 0
    private var heard: Int64 = 0
    private var askedAt: Int64?
    /// The period in which nothing is applied.
    private var held: Range<Int64> = 0..<0
    /// The ids of the replays requested since the position last moved. An answer to an older one,
    /// or a second answer to the same one, would lead back to where it was asked.
    private var questions: [[UInt8]] = []
    static let questionsKept = 60
    private var reported: (time: Int64, sequence: UInt64?) = (0, nil)
    private var arrived: [Envelope] = []
    private var page: ReplayPage?
    private var snapshot = SnapshotAssembly()

    init<S: Service>(
        _: S.Type, producer: ServiceName, handlers: [EventHandler], connection: Connection,
        peers: Peers?, db: Database, turn: Turn, suspects: Suspects, log: Log,
        forget: @escaping ([Envelope], Transaction) throws -> Void
    ) throws {
        self.producer = producer
        self.handlers = Dictionary(grouping: handlers, by: \.type)
        self.forget = { producer, present, transaction in
            try forget(present, transaction)
            try S.forget(producer, except: present, transaction)
        }
        self.db = db
        self.turn = turn
        self.log = log
        self.suspects = suspects
        hasLetters = try DeadLetter.exists(from: producer.rawValue, db)
        let row = try Row.fetchOne(
            db, sql: "SELECT epoch, sequence, event FROM cursor WHERE producer = ?",
            arguments: [producer.rawValue])
        epoch = UInt64(clamping: row?["epoch"] as Int64? ?? 0)
        cursor = UInt64(clamping: row?["sequence"] as Int64? ?? 0)
        newest = [UInt8](row?["event"] as Data? ?? Data())
        link = try ProducerLink(to: producer, by: connection, peers: peers, log: log)
    }

    /// The sockets to the producer; none while it has no key.
    var sockets: [Socket] { link.sockets }

    /// Follows the key of the producer: see ``ProducerLink/renew(by:)``.
    func renew(by peers: Peers) throws -> Bool { try link.renew(by: peers) }

    /// How far the follower has come, for the status.
    var status: ServiceStatus.Cursor {
        ServiceStatus.Cursor(
            producer: producer.rawValue, sequence: cursor, head: max(head, cursor), heard: heard)
    }

    /// Applies nothing for a time in milliseconds. Events that arrive meanwhile are requested
    /// afterwards.
    func hold(for time: Int64, at now: Int64) { held = now..<now + time }

    /// Receives what has arrived, without touching the store.
    ///
    /// - Returns: true when `apply` has something to do.
    func receive(at now: Int64) throws -> Bool {
        while arrived.count < TurnLimits.messages, let frames = try link.events?.receive() {
            guard frames.count == 2,
                let envelope = Self.unpack(frames[1]), envelope.source == producer.rawValue
            else { continue }
            heard = now
            if held.contains(now) {
                if envelope.epoch == epoch { head = max(head, envelope.sequence) }
                continue
            }
            if envelope.epoch != epoch || envelope.sequence > cursor {
                arrived.append(envelope)
            } else if isDoubtful(envelope) {
                // The message may only be late. The producer knows, and will answer.
                askForReplay(at: now)
            }
        }
        while page == nil, let frames = try link.commands?.receive() {
            guard frames.count == 1, let reply = Self.unpack(frames[0]) else { continue }
            if reply.type == Refusal.protobufName { noteRefusal(reply, at: now) }
            guard reply.type == ReplayPage.protobufName else { continue }
            heard = now
            if held.contains(now) { continue }
            let answer: ReplayPage
            do { answer = try ReplayPage(unpacking: reply.data) } catch { continue }
            guard questions.contains(reply.causationId) else {
                if answer.epoch == epoch { head = max(head, answer.head) }
                continue
            }
            head = answer.head
            questions.removeAll(keepingCapacity: true)
            askedAt = nil
            if answer.snapshot {
                do throws(SnapshotAssembly.TooLarge) { page = try snapshot.add(answer) } catch {
                    giveUpSnapshot(at: now)
                    continue
                }
                if page == nil { askForReplay(at: now) }
            } else if !answer.events.isEmpty || answer.epoch != epoch {
                page = answer
            } else {
                (refusedSince, stopReported) = (nil, nil)
            }
        }
        return page != nil || !arrived.isEmpty || report != nil
    }

    /// Records that the producer refuses to send what is missing. `apply` reports it if that lasts:
    /// what the producer publishes would otherwise be lost without notice.
    private func noteRefusal(_ reply: Envelope, at now: Int64) {
        guard !held.contains(now), questions.contains(reply.causationId) else { return }
        let reason =
            Refusal.readable(Data(reply.data))?.message ?? "its refusal can't be read"
        // The clock may have been set back.
        let since = min(refusedSince ?? now, now)
        refusedSince = since
        guard now - since >= Self.refusalPatience else { return }
        report = { [producer, log] in
            try $0.noteRefused(producer.rawValue, reason: reason.prefix(bytes: 3000), log: log)
        }
    }

    /// Stops requesting a snapshot that is too large, for a while. `apply` reports it.
    private func giveUpSnapshot(at now: Int64) {
        log.write(
            .error, "snapshot is too large",
            [.producer: producer.rawValue, .count: String(Snapshot.mostBytes)])
        hold(for: Self.snapshotPause, at: now)
        report = { [producer, log] in try $0.noteTooLarge(producer.rawValue, log: log) }
    }

    /// True when a message of the same history shows that the producer has published less than was
    /// applied here, or something else.
    private func isDoubtful(_ envelope: Envelope) -> Bool {
        if envelope.type == Heartbeat.protobufName { return envelope.sequence < cursor }
        return envelope.sequence == cursor && !newest.isEmpty && envelope.id != newest
    }

    /// True when an event follows the last one applied, both by its number and by the id it names.
    private func isNext(_ event: Envelope) -> Bool {
        event.sequence == cursor &+ 1
            && (event.previous.isEmpty || newest.isEmpty || event.previous == newest)
    }

    /// Applies what was received, inside the transaction of the turn.
    func apply(at now: Int64) throws {
        let (oldEpoch, oldCursor) = (epoch, cursor)
        if let report {
            self.report = nil
            try reportStop(at: now, report)
        }
        if let page {
            try apply(page, at: now)
            (self.page, refusedSince) = (nil, nil)
        }
        for event in arrived {
            head = event.epoch == epoch ? max(head, event.sequence) : event.sequence
            guard event.epoch == epoch, event.type != Heartbeat.protobufName else { continue }
            if isNext(event), try !apply(event, as: act(event), at: now) { break }
        }
        let isBehind = arrived.contains {
            $0.epoch != epoch || $0.sequence > cursor
        }
        arrived.removeAll(keepingCapacity: true)
        suspects.rest()
        if (epoch, cursor) != (oldEpoch, oldCursor) {
            questions.removeAll(keepingCapacity: true)
            refusedSince = nil
            try turn.ledger.moveCursor(
                of: producer.rawValue, epoch: epoch, sequence: cursor, event: newest)
        }
        if isBehind || head > cursor { turn.afterCommit.append { [self] in askForReplay(at: now) } }
    }

    private func apply(_ page: ReplayPage, at now: Int64) throws {
        let events = page.events.compactMap(Self.unpackKept)
        guard page.snapshot else {
            // What was applied so far is also part of the producer's present history: its answer
            // shows it.
            if events.first.map(isNext) ?? (page.head == cursor) { epoch = page.epoch }
            for event in events where isNext(event) {
                guard try apply(event, as: act(event), at: now) else { return }
            }
            return
        }
        guard try !DeadLetter.isFull(from: producer.rawValue, db) else {
            return try stop(at: ReplayPage.protobufName, reason: "a snapshot has come", at: now)
        }
        guard try deleteApplied(except: events, at: now) else { return }
        log.write(
            .notice, "snapshot taken",
            [.producer: producer.rawValue, .sequence: String(page.snapshotSequence)])
        if hasLetters {
            try DeadLetter.noteSnapshot(page.snapshotSequence, from: producer.rawValue, db)
        }
        // Each snapshot numbers the same state differently.
        for event in events {
            _ = try apply(
                event, as: "state \(producer.rawValue) \(event.type) \(event.subject)", at: now,
                isWhole: true)
        }
        (epoch, cursor, newest) = (page.epoch, page.snapshotSequence, [])
        stopReported = nil
    }

    private func act(_ event: Envelope) -> String {
        "event \(producer.rawValue) \(event.epoch) \(event.sequence)"
    }

    /// Applies an event, or puts it aside if it can't be applied.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - act: what is recorded while it is applied.
    ///   - now: the time, in milliseconds since 1970.
    ///   - isWhole: true for a part of a snapshot, which is applied as a whole.
    /// - Returns: false if it can't be applied, and too much was put aside already.
    private func apply(
        _ event: Envelope, as act: String, at now: Int64, isWhole: Bool = false
    ) throws -> Bool {
        func putAside(reason: String) throws -> Bool {
            guard try isWhole || !DeadLetter.isFull(from: producer.rawValue, db) else {
                try stop(at: event.type, reason: reason, at: now)
                return false
            }
            try self.putAside(event, reason: reason, at: now)
            return true
        }
        // Without a handler there is nothing to undo, and nothing that could end the process.
        let isHandled = handlers[event.type] != nil
        if isHandled, let reason = suspects.reason(against: act) {
            guard try putAside(reason: reason) else { return false }
        } else if isHandled {
            suspects.begin(act)
            do {
                try turn.attempt { try handle(event, at: now) }
                if hasLetters { try DeadLetter.note(event, from: producer.rawValue, db) }
            } catch let error where !Outage.isOutage(error) {
                guard try putAside(reason: "\(error)") else { return false }
            }
        }
        try suspects.clear(act, db)
        (cursor, newest) = (event.sequence, event.id)
        stopReported = nil
        return true
    }

    /// Applies one event; also called to retry a dead letter.
    func handle(_ event: Envelope, at now: Int64) throws {
        guard let handlers = handlers[event.type] else { return }
        let id = MessageID(bytes: event.id) ?? turn.ids.next(at: now)
        let transaction = Transaction(
            db: db, now: now, principal: .system, id: id,
            correlation: MessageID(bytes: event.correlationId) ?? id, turn: turn)
        for handler in handlers { try handler.handle(event, transaction) }
    }

    private func putAside(_ event: Envelope, reason: String, at now: Int64) throws {
        let reason = reason.prefix(bytes: 4000)
        log.write(
            .error, "dead letter",
            [
                .producer: producer.rawValue, .sequence: String(event.sequence),
                .message: event.type, .error: reason,
            ])
        try DeadLetter.keep(event, from: producer.rawValue, reason: reason, at: now, db)
        hasLetters = true
        let id = turn.ids.next(at: now)
        let transaction = Transaction(
            db: db, now: now, principal: .system, id: id, correlation: id, turn: turn)
        try transaction.noteAside(.letter, event.type, reason: reason, log: log)
    }

    /// Requests what is missing, and reports the position. Called each second.
    func beat(at now: Int64) throws {
        // Its host may have a new address, as a recreated container does.
        if abs(now - heard) >= Self.silence { for socket in sockets { socket.renewRoute() } }
        if head > cursor { askForReplay(at: now) }
        if reported.sequence != cursor || abs(now - reported.time) >= Self.reportInterval {
            reported = (now, cursor)
            try send(limit: 0, at: now)
        }
    }

    private func askForReplay(at now: Int64) {
        guard !held.contains(now) else { return }
        if let askedAt, (0..<Self.replayPatience).contains(now - askedAt) { return }
        do {
            let question = try send(limit: UInt32(ReplayDesk.pageEvents), at: now)
            questions = questions.suffix(Self.questionsKept - 1) + [question]
            askedAt = now
        } catch {
            log.write(
                .warning, "replay not asked",
                [.producer: producer.rawValue, .error: "\(error)"])
        }
    }

    /// - Returns: the id of the request.
    @discardableResult
    private func send(limit: UInt32, at now: Int64) throws -> [UInt8] {
        let replay = Replay(
            follower: turn.service.rawValue, epoch: epoch, after: cursor, limit: limit,
            snapshotSequence: snapshot.sequence, part: snapshot.next, afterId: newest)
        let id = turn.ids.next(at: now).bytes
        let envelope = Envelope(
            id: id, type: Replay.protobufName, source: turn.service.rawValue, time: now,
            correlationId: id, data: replay.packed())
        try link.commands?.send([envelope.packed()])
        return id
    }
}
