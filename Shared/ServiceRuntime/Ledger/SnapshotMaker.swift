import Bus
import Foundation
import GRDB
import Messages
import Synchronization

/// Makes snapshots on a separate thread, one at a time. It reads the store in one transaction of
/// its own, so that the state, the sequence and the epoch belong to the same moment.
final class SnapshotMaker: Sendable {
    private enum State {
        case idle, underWay
        case done(Result<Snapshot, any Error>)
    }

    private let make: @Sendable () throws -> Snapshot
    private let state = Mutex<State>(.idle)

    /// Makes the maker of a service's snapshots.
    init<S: Service>(_: S.Type, storePath: String, configuration: Bus.Configuration) {
        make = { try Self.make(S.self, storePath, configuration) }
    }

    /// Starts making a snapshot, unless one is being made or waits to be taken.
    func begin() {
        let isIdle = state.withLock { state in
            guard case .idle = state else { return false }
            state = .underWay
            return true
        }
        guard isIdle else { return }
        Thread.detachNewThread { [self] in
            let result = Result { try make() }
            state.withLock { $0 = .done(result) }
        }
    }

    /// The result, returned once; nil before it is ready.
    func take() -> Result<Snapshot, any Error>? {
        state.withLock { state in
            guard case .done(let result) = state else { return nil }
            state = .idle
            return result
        }
    }

    private static func make<S: Service>(
        _: S.Type, _ storePath: String, _ configuration: Bus.Configuration
    ) throws -> Snapshot {
        try Store.reader(storePath).read { db in
            // The first read fixes the moment.
            let ledger = try Ledger(db)
            let turn = Turn(
                service: S.name, ledger: ledger, timers: Timers(), configuration: configuration)
            turn.believed = try BelievedTime(db)
            let now = WallClock.milliseconds()
            let id = turn.ids.next(at: now)
            let transaction = Transaction(
                db: db, now: now, principal: .system, id: id, correlation: id, turn: turn)
            var writer = try SnapshotWriter(
                path: "\(configuration.dataDirectory)/\(S.name.rawValue).snapshot")
            do {
                let receiver: SnapshotReceiver = { event, subject in
                    try writer.add(try pack(event, subject: subject, transaction))
                }
                // Nothing can be published here, so the snapshot reports what can't be read.
                let leftOut = LeftOut(log: turn.log)
                turn.leaveOut = leftOut.note
                try S.pass(transaction, to: receiver)
                try StandingAlert.pass(
                    by: transaction.believedTime, db,
                    leavingOut: {
                        try leftOut.note("alert", $0, "what is kept of it can't be read")
                    }, to: receiver)
                try leftOut.pass(to: receiver)
                try DeadLetter.pass(db, to: receiver)
                try FailingTimers.pass(db, to: receiver)
                return try writer.finish(epoch: ledger.epoch, sequence: ledger.head)
            } catch {
                writer.discard()
                throw error
            }
        }
    }

    /// Packs an event within the limits of published ones. A snapshot without it would pass for the
    /// whole state, so a failure fails the snapshot.
    private static func pack<M: ProtobufMessage>(
        _ event: M, subject: String, _ transaction: Transaction
    ) throws(Refusal) -> [UInt8] {
        let ledger = transaction.turn.ledger
        return try Turn.packed(
            Envelope(
                id: transaction.makeID().bytes, type: M.protobufName,
                source: transaction.turn.service.rawValue,
                subject: subject.prefix(bytes: Turn.longestSubject), time: transaction.now,
                sequence: ledger.head, epoch: ledger.epoch,
                correlationId: transaction.correlation.bytes, causationId: transaction.id.bytes,
                data: try Turn.payload(of: event)))
    }
}
