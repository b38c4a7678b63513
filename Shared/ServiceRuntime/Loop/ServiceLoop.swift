import Bus
import CRuntime
import Foundation
import GRDB
import Messages

/// The loop of every service, on one thread: wait, receive, commit, reply and publish.
///
/// What arrives together is committed together: one transaction a turn, one flush of the disk.
/// Nothing leaves the process before its commit.
final class ServiceLoop {
    /// How often a heartbeat is sent, in milliseconds.
    static let beatInterval: Int64 = 1000
    /// The number of pages at which the write-ahead log is copied into the store, after replying.
    /// Writing over existing pages takes half as long to flush as making the file longer; so the
    /// log is kept short while each sender waits for its reply. When many messages arrive together,
    /// frequent copying would cost too much.
    static let checkpointPages = (few: 1000, many: 12_000)
    /// The number of messages from which on a turn counts as busy.
    static let manyMessages = 16

    private let db: Database
    private let log: Log
    private let turn: Turn
    private let desk: CommandDesk
    private let followings: [Following]
    private let timerHandlers: [String: TimerHandler]
    private let failingTimers: FailingTimers
    private let commands: Socket
    private let events: Socket
    private let alerts: Socket?
    private let subscriptions: SubscriptionDesk?
    private var subscribed = EventSubscriptions()
    private var peers: Peers?
    private let jobs: JobRunner
    private let slow: SlowDesk
    private let errands: ErrandDesk
    private let status: StatusBoard
    private let beatHook: (Transaction) throws -> Void
    private let housekeeper: Housekeeper
    private let suspects: Suspects
    private var poller: Poller
    private var nextBeat: Int64 = 0
    /// The published messages that wait for subscribers that do not read.
    private let unread = Unsent()
    private let connections: ConnectionLimit?
    private var cuts = 0
    /// The sockets whose peers are still to be disconnected.
    private var owedCuts: [Socket] = []

    init<S: Service>(
        _ service: S.Type, db: Database, store: Store, connection: Connection,
        configuration: Bus.Configuration, log: Log
    ) throws {
        (self.db, self.log) = (db, log)
        let ledger = try Ledger(db)
        let directory = configuration.dataDirectory
        let record = try CrashRecord(path: "\(directory)/\(S.name.rawValue).crash")
        let suspects = try Suspects(record, db, at: WallClock.milliseconds(), log: log)
        self.suspects = suspects
        let turn = Turn(
            service: S.name, ledger: ledger, timers: Timers(), configuration: configuration)
        self.turn = turn
        let (keys, peers) = try (AccessKeys(), connection.peers())
        self.peers = peers
        // The issuer of tokens applies its own events directly.
        if S.tokenIssuer == S.name { turn.published = keys.apply }
        let producers = Self.follows(S.self, keys).sorted { $0.key.rawValue < $1.key.rawValue }
        followings = try producers.map {
            try Following(
                S.self, producer: $0.key, handlers: $0.value, connection: connection,
                peers: peers, db: db, turn: turn, suspects: suspects, log: log,
                forget: $0.key == S.tokenIssuer
                    ? { try keys.forget(except: $0, $1.db) } : { _, _ in })
        }
        Backups.clear(S.name.rawValue, in: directory)
        jobs = JobRunner(
            handlers: (S.handlers + Backups.handlers(of: S.self)).compactMap(\.job),
            connection: connection, service: S.name, dataDirectory: directory,
            storePath: store.path, suspects: suspects)
        (turn.workerToken, turn.asideNoted) = (jobs.token, S.noteAside)
        let status = StatusBoard(service: S.name, started: WallClock.milliseconds())
        self.status = status
        turn.counted = { status.count($0) }
        slow = try SlowDesk(isNeeded: S.handlers.contains(where: \.isSlow), record: record)
        errands = try ErrandDesk(S.errands, status: status, suspects: suspects, log: log)
        let verifier = TokenVerifier(
            audience: S.name, keys: keys, db: db, isIssuer: S.tokenIssuer == S.name)
        keys.changed = verifier.forget
        desk = CommandDesk(
            S.self, db: db, turn: turn, jobs: jobs, slow: slow, status: status,
            followings: followings,
            doorkeeper: Doorkeeper(
                verifier: verifier, workerToken: jobs.token, connection: connection),
            snapshots: SnapshotMaker(S.self, storePath: store.path, configuration: configuration),
            suspects: suspects, log: log)
        timerHandlers = Dictionary(uniqueKeysWithValues: S.timers.map { ($0.kind, $0) })
        beatHook = S.beat
        (housekeeper, failingTimers) = try (Housekeeper(db, ledger: ledger), FailingTimers(db))
        turn.believed = housekeeper.believed

        commands = try connection.bind(
            .router, as: S.name, .commands, limits: .init(unread: UnreadLimit.messages))
        let limits = Socket.Limits(maximumFrame: 1024)
        events = try connection.bind(.publisher, as: S.name, .events, limits: limits)
        alerts =
            S.hasAlertEndpoint
            ? try connection.bind(.grantingPublisher, as: S.name, .alerts, limits: limits) : nil
        subscriptions = alerts.map {
            SubscriptionDesk($0, status: status, log: log, grants: S.grantsSubscription)
        }
        connections = ConnectionLimit(S.name, at: connection.address)
        poller = Poller([])
        watch()

        try begin(S.self)
        logReady(connection.address.description, store.path)
    }

    private func begin<S: Service>(_: S.Type) throws {
        try turn.ledger.transaction {
            let now = WallClock.milliseconds()
            try S.prepare(systemTransaction(at: now))
            try jobs.resume(systemTransaction(at: now))
        }
        finishTurn()
        jobs.startNext(db)
    }

    private func logReady(_ address: String, _ path: String) {
        log.write(
            .info, "ready",
            [
                .version: stewardVersion, .bus: address, .data: path,
                .sequence: String(turn.ledger.head),
            ])
    }

    private func watch() {
        poller = Poller(
            [commands, events] + (alerts.map { [$0] } ?? [])
                + followings.flatMap(\.sockets)
                + slow.workers.map(\.socket) + errands.sockets)
    }

    /// The events that the service follows, and its issuer's keys and revocations.
    private static func follows<S: Service>(
        _: S.Type, _ keys: AccessKeys
    ) -> [ServiceName: [EventHandler]] {
        guard S.tokenIssuer != S.name else { return S.follows }
        return S.follows.merging([S.tokenIssuer: keys.handlers]) { $0 + $1 }
    }

    func run() throws -> Never {
        // The kernel maps 64 KiB around each piece of code that runs. What only the start needed
        // would stay mapped: half of what an idle service holds.
        start_pages_give_back()
        while true {
            let now = WallClock.milliseconds()
            let next = min(nextBeat, try turn.timers.next(db)) - now
            let longest = jobs.runningCount > 0 ? JobRunner.reportInterval : Self.beatInterval
            try poller.wait(milliseconds: Int(max(0, min(next, longest))))
            do { try turnOnce(at: WallClock.milliseconds()) } catch {
                // The environment failed, not the act under way.
                suspects.rest()
                throw error
            }
        }
    }

    private func turnOnce(at now: Int64) throws {
        // Only from sockets that the poller reports: finding another one empty costs two system
        // calls, while the sender waits.
        try drainSubscriptions(at: now)
        let hasMessages = poller.isReadable(commands)
        var hasNews = false
        for following in followings where following.sockets.contains(where: poller.isReadable) {
            if try following.receive(at: now) { hasNews = true }
        }
        let isSlowDone = try slow.receive()
        let isErrandDone = try errands.receive()
        // A beat that is too far ahead was scheduled before the clock was set back.
        let isBeat = now >= nextBeat || nextBeat - now > Self.beatInterval
        let isTimerDue = try turn.timers.areDue(at: now, db)
        guard
            hasNews || hasMessages || isBeat || isTimerDue
                || jobs.runningCount > 0 || isSlowDone || isErrandDone
        else { return }

        var replies: [Reply] = []
        try turn.ledger.transaction {
            // Before events and commands, which could set them again by times worked out while the
            // clock was ahead.
            try fire(turn.timers.takeSetAhead(at: now, db), at: now)
            for following in followings { try following.apply(at: now) }
            replies = try desk.answer(from: hasMessages ? commands : nil, at: now)
            // After the messages: one that was waiting may have postponed the timer.
            try fire(turn.timers.take(at: now, db), at: now)
            if jobs.runningCount > 0 { try jobs.publishProgress(systemTransaction(at: now)) }
            try errands.settle(systemTransaction(at: now))
            if isBeat {
                try failingTimers.beat(systemTransaction(at: now))
                try beatHook(systemTransaction(at: now))
                try desk.beat(systemTransaction(at: now))
            }
        }

        try desk.send(replies, to: commands)
        try publish()
        desk.log.write()
        finishTurn()
        if isBeat { try beat(at: now) }
        jobs.startNext(db)
        try slow.startNext()
        try errands.begin()
        try housekeeper.erase()
        // Once a second at most: what waited for disconnected peers is freed a moment later.
        if desk.unsent.total > UnreadLimit.atMost, turn.isBusShared, cuts == 0 {
            try cutOff([commands])
        }
        let isBusy = desk.handledInTurn >= Self.manyMessages
        try housekeeper.checkpoint(
            over: isBusy ? Self.checkpointPages.many : Self.checkpointPages.few)
    }

    private func finishTurn() {
        if turn.mustErase { housekeeper.mustErase = true }
        for action in turn.afterCommit { action() }
        turn.clear()
    }

    private func systemTransaction(at now: Int64) -> Transaction {
        let id = turn.ids.next(at: now)
        return Transaction(
            db: db, now: now, principal: .system, id: id, correlation: id, turn: turn)
    }

    /// Reads subscriptions, and disconnects all subscribers when ZeroMQ would have to keep too much
    /// of them.
    private func drainSubscriptions(at now: Int64) throws {
        if poller.isReadable(events), try subscribed.read(from: events), turn.isBusShared {
            try cutOff([events])
        }
        if let alerts, poller.isReadable(alerts),
            try subscriptions?.attend(systemTransaction(at: now)) == true
        {
            try cutOff([alerts])
            subscriptions?.reset()
        }
    }

    /// Disconnects revoked peers on both sides: those that came to this service, and the services
    /// that it follows.
    private func lookAtKeys() throws {
        guard peers != nil else { return }
        let isAnyoneOut = peers?.refresh() == true
        var isAnyNew = false
        for following in followings {
            guard let peers, try following.renew(by: peers) else { continue }
            isAnyNew = true
        }
        if isAnyNew { watch() }
        guard isAnyoneOut, turn.isBusShared else { return }
        try cutOff([commands, events] + (alerts.map { [$0] } ?? []))
        subscriptions?.reset()
    }

    private func limitConnections() {
        guard let count = connections?.enforce(), count > 0 else { return }
        status.count("connections.cut", by: UInt64(count))
        log.write(.warning, "connections of one address cut off", [.count: String(count)])
    }

    /// Makes every peer connect again and prove its key again, because ZeroMQ asks for it only
    /// then. What is lost with the connections is requested again, as after a restart.
    private func cutOff(_ sockets: [Socket]) throws {
        owedCuts += sockets.filter { socket in !owedCuts.contains { $0 === socket } }
        try payCuts()
    }

    /// Disconnects the peers that could not be disconnected before because no descriptors were
    /// left.
    private func payCuts() throws {
        defer { watch() }
        while let socket = owedCuts.first {
            do throws(BusError) { try socket.reopen() } catch {
                guard error.isShortage else { throw error }
                log.write(.error, "peers not cut off", [.error: "\(error)"])
                return
            }
            owedCuts.removeFirst()
            if socket === events { subscribed = EventSubscriptions() }
        }
        cuts += 1
    }

    private func fire(_ timers: [Timers.Due], at now: Int64) throws {
        for timer in timers {
            let transaction = systemTransaction(at: now)
            guard let handler = timerHandlers[timer.kind] else { continue }
            guard timer.due <= now || handler.runsAtAnyTime else {
                try turn.timers.restart(timer, at: now, db)
                continue
            }
            let act = "timer \(timer.kind) \(timer.subject)"
            if let reason = suspects.reason(against: act) {
                try putAside(timer, reason: reason, transaction)
                try suspects.clear(act, db)
                continue
            }
            suspects.begin(act)
            var failure: String?
            do {
                try turn.attempt { try handler.handle(timer.subject, timer.due, transaction) }
            } catch let error where !Outage.isOutage(error) {
                // It is tried again: a promised alarm is not dropped because of a defect.
                try turn.timers.set(
                    timer.kind, timer.subject, now + Timers.retryInterval, at: now, db)
                status.count("timers.failed")
                log.write(.error, "timer failed", [.message: timer.kind, .error: "\(error)"])
                failure = "\(error)"
            }
            try failingTimers.note(timer, failure: failure, transaction)
            try suspects.clear(act, db)
        }
        suspects.rest()
    }

    /// Makes a dead letter of a timer that ends the process each time it fires.
    private func putAside(
        _ timer: Timers.Due, reason: String, _ transaction: Transaction
    ) throws {
        let envelope = Envelope(
            id: transaction.id.bytes, type: timer.kind, source: turn.service.rawValue,
            subject: timer.subject, time: timer.due)
        try DeadLetter.keep(
            envelope, from: turn.service.rawValue, reason: reason, at: transaction.now, db)
        status.count("timers.setAside")
        log.write(.error, "timer put aside", [.message: timer.kind, .error: reason])
        try transaction.noteAside(.letter, timer.kind, reason: reason, log: log)
    }

    /// Publishes after the commit, and only then. A follower that misses an event asks for a
    /// replay.
    private func publish() throws {
        for (topic, envelope) in turn.events { try publish(envelope, topic, on: events) }
        if let alerts {
            for (topic, envelope) in turn.deliveries { try publish(envelope, topic, on: alerts) }
        }
        if unread.total >= UnreadLimit.ofAll, turn.isBusShared, cuts == 0 {
            try cutOff([events] + (alerts.map { [$0] } ?? []))
            subscriptions?.reset()
        }
    }

    /// Publishes unless too much waits for subscribers that do not read; followers then request
    /// what they miss. ZeroMQ's own limit counts messages, whatever their size.
    private func publish(_ envelope: [UInt8], _ topic: String, on socket: Socket) throws {
        guard unread.total < UnreadLimit.ofAll else { return status.count("events.unsent") }
        try socket.send(envelope, to: Array(topic.utf8), counting: unread)
    }

    private func beat(at now: Int64) throws {
        nextBeat = now + Self.beatInterval
        let ledger = turn.ledger
        let id = turn.ids.next(at: now).bytes
        let heartbeat = Envelope(
            id: id, type: Heartbeat.protobufName, source: turn.service.rawValue, time: now,
            sequence: ledger.head, epoch: ledger.epoch, correlationId: id,
            data: Heartbeat(version: stewardVersion).packed())
        try events.send([Array(Heartbeat.topic.utf8), heartbeat.packed()])
        for following in followings { try following.beat(at: now) }
        try housekeeper.prune(at: now, sparing: jobs.running?.id)
        turn.believed = housekeeper.believed
        desk.log.logNumbers()
        subscriptions?.logRefused()
        unread.forgetIdle()
        limitConnections()
        if !owedCuts.isEmpty { try payCuts() }
        try lookAtKeys()
        if cuts > 0 { log.write(.warning, "peers cut off", [.count: String(cuts)]) }
        cuts = 0
    }
}
