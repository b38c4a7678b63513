import Bus
import Dates
import Foundation
import LocalTime
import Messages
import RoutineDay
import ShiftClient
import Speech
import WorkingCopy

/// A person's day as this device has it. If the service can be reached, it is asked; otherwise the
/// day is as last received, with what was done here since. What was done here is sent to the
/// service as soon as it can be reached again.
///
/// Only the person's own days are kept here, and only for as long as needed: a file is open no
/// longer than one call, so that several commands may run at the same time.
final class DayDesk {
    /// The day; nil before it was read.
    private(set) var day: Day?
    /// Why the service can't be reached now; nil when it can.
    private(set) var obstacle: String?
    /// How many operations from here the service has not accepted yet.
    private(set) var waiting = 0
    /// The days for which the service has refused operations from this device.
    private(set) var refused: [RefusedDay] = []
    /// How long to wait for the service if this device can go on without it.
    var patience: Duration

    private let session: Session
    private let person: String
    private let wanted: DayArgument?
    private let folder: DeviceFolder?
    private var ids = MessageID.Generator()
    /// When it last waited in vain for the service, and what came of it; nil if the service
    /// answered, or was found at once not to be running.
    private var gaveUp: (time: ContinuousClock.Instant, failure: Failure)?

    /// How long a finished day with nothing waiting is kept here, in days.
    private static let memory: Int64 = 14

    /// How long a command waits for the service if this device can go on without it.
    private static let shortPatience: Duration = .seconds(4)
    /// How long to wait for what only the service can do.
    private static let longPatience: Duration = .seconds(10)
    /// How long to wait after a failure before asking again.
    private static let pause: Duration = .seconds(10)

    /// - Parameters:
    ///   - person: an account's id; empty for the person's own days.
    ///   - date: nil for today.
    init(_ session: Session, person: String, date: DayArgument?) throws {
        (self.session, self.person, wanted) = (session, person, date)
        let folder = person.isEmpty ? try session.deviceFolder("days") : nil
        self.folder = folder
        let isKept = try folder?.days().isEmpty == false
        patience = isKept ? Self.shortPatience : Self.longPatience
    }

    /// True if it has just waited in vain for a service that hangs.
    var hasJustWaited: Bool {
        gaveUp.map { ContinuousClock.now - $0.time < Self.pause } ?? false
    }

    private func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for type: R.Type, repeating: RepeatOptions? = nil,
        within deadline: Duration? = nil
    ) throws -> R {
        let (begun, longest) = (ContinuousClock.now, deadline ?? patience)
        gaveUp = nil
        do {
            return try session.ask(
                .routine, message, for: type, repeating: repeating, deadline: longest)
        } catch {
            let end = ContinuousClock.now
            if let failure = Failure(error), failure.isUnreachable, end - begun >= longest / 2 {
                gaveUp = (end, failure)
            }
            throw error
        }
    }

    /// Asks for the day, after sending what waits here to the service.
    ///
    /// - Throws: ``Failure`` and `ClientError` when there is no such day, or the service can't be
    ///   reached and this device has none.
    func read() throws {
        do {
            try bring()
            try took(ask(ReadDay(person: person, date: wanted?.text ?? ""), for: Day.self))
        } catch {
            guard let failure = Failure(error), failure.isUnreachable, try showKept() else {
                throw error
            }
            obstacle = failure.sentence
        }
    }

    /// Changes the day. If the service can't be reached, keeps here what was done.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - revision: the revision that the day must have; 0 for the one that this device showed, if
    ///     the change confirms a proposal.
    ///   - repeating: how the person wants the command repeated.
    func change(
        _ change: ChangeDay.Change, of revision: UInt64 = 0, repeating: RepeatOptions? = nil
    ) throws {
        // Read this before sending what waits here: the answer replaces the kept day, but nobody
        // has seen it.
        let seen = try revision == 0 ? seenRevision(before: change) : revision
        var isSent = false
        do {
            // A service that hangs is waited for once.
            if let gaveUp, hasJustWaited { throw gaveUp.failure }
            try bring()
            isSent = true
            try took(
                ask(
                    ChangeDay(
                        person: person, date: wanted?.text ?? "", change: change,
                        expectedRevision: seen),
                    for: Day.self, repeating: repeating,
                    within: change.marksSomething ? patience : Self.longPatience))
        } catch {
            // A change that may have been made already is kept only if making it twice does no
            // harm.
            guard repeating?.id == nil, let failure = Failure(error),
                failure.status == .notRunning
                    || failure.isUnreachable && (!isSent || change.namesItsAction),
                try keep(change)
            else { throw error }
            obstacle = failure.sentence
        }
    }

    /// The revision of the proposal that this device showed, if the change confirms it: nobody
    /// confirms what they haven't seen. 0 if it showed none, and for any other change. Only the
    /// service knows which day is today where the person is.
    private func seenRevision(before change: ChangeDay.Change) throws -> UInt64 {
        guard case .confirm = change, let folder else { return 0 }
        if let day { return day.revision }
        let date = try ask(
            ReadDay(person: person, date: wanted?.text ?? ""), for: Day.self,
            within: Self.longPatience
        ).date
        guard try folder.days().contains(date) else { return 0 }
        return try folder.open(day: date).day?.revision ?? 0
    }

    // MARK: What this device keeps

    /// Keeps a day as this device shows it.
    func took(_ day: Day) throws {
        (self.day, obstacle) = (day, nil)
        guard let folder, let number = LocalTime.day(day.date) else { return }
        try folder.open(day: day.date).update(to: day)
        // Whoever looks at a day far ahead still needs that of today here.
        let today = WallClock.milliseconds() / 86_400_000
        let oldest = max(0, min(number, today) - Self.memory)
        try folder.forgetDays(before: CivilDate(daysSince1970: Int(oldest)).iso)
    }

    /// Sends what waits here to the service. What the service refuses keeps waiting, and is
    /// reported.
    private func bring() throws {
        guard let folder else { return }
        waiting = 0
        refused = []
        for date in try folder.days() {
            let copy = try folder.open(day: date)
            guard !copy.waiting.isEmpty else { continue }
            let operations = Array(copy.waiting.prefix(Self.most))
            do {
                let day = try ask(RecordDay(date: date, operations: operations), for: Day.self)
                try copy.settle(operations, day)
            } catch ClientError.refused(let refusal) {
                refused.append(RefusedDay(date: date, reason: refusal.message))
            }
            waiting += copy.waiting.count
        }
    }

    /// How much is sent to the service at a time.
    private static let most = 200

    /// The day as known here: as last received from the service, with what was done here since.
    private func standing(_ copy: DayCopy) -> Day? {
        guard let told = copy.day else { return nil }
        var journal = DayJournal(told)
        for operation in copy.waiting { journal.apply(operation) }
        return journal.day
    }

    private func showKept() throws -> Bool {
        guard let copy = try keptCopy(), let standing = standing(copy) else { return false }
        (day, waiting) = (standing, copy.waiting.count)
        return true
    }

    /// This device's copy of the wanted day; nil if there is none.
    private func keptCopy() throws -> DayCopy? {
        guard let folder else { return nil }
        let dates = try folder.days()
        for newest in dates {
            guard let zone = try folder.open(day: newest).day?.timeZone,
                let local = LocalTime(zone: zone)
            else { continue }
            let today = local.reading(at: WallClock.milliseconds()).day
            let number = wanted?.number(from: today) ?? today
            let date = CivilDate(daysSince1970: Int(max(0, number))).iso
            return dates.contains(date) ? try folder.open(day: date) : nil
        }
        return nil
    }

    /// Records here what was done; false for what only the service can do.
    private func keep(_ change: ChangeDay.Change) throws -> Bool {
        guard let copy = try keptCopy(), let before = standing(copy),
            let time = DayTime(of: before)
        else { return false }
        let now = WallClock.milliseconds()
        let what: DayOperation.What
        var place: Day.Place?
        var undone: DayOperation?
        do throws(Refusal) {
            switch change {
            case .done(let id):
                try before.requireRunning(time, at: now)
                (place, what) = (try before.place(id, at: now), .done(true))
            case .skip(let id):
                try before.requireRunning(time, at: now)
                (place, what) = (try before.place(id, at: now), .skipped(true))
            case .undo:
                guard let last = copy.lastDone else {
                    throw Refusal.conflict(
                        "nothing that was done on this device waits here; what is older can be "
                            + "undone when routine-service can be reached")
                }
                (undone, what) = (last, .undone(last.id))
            default: return false
            }
            if let place {
                var trial = before
                try trial.mark(place, what == .done(true) ? .done : .skipped, at: now)
            }
        } catch {
            throw Failure(.refused, error.message)
        }
        let step = place.map { before[$0] }
        let item = place.map { before.items[$0.item] }
        try copy.append(
            DayOperation(
                id: ids.next(at: now).bytes, step: step?.id ?? undone?.step ?? "", time: now,
                routine: item?.routine ?? "", name: item?.name ?? "",
                action: step?.action ?? undone?.action, what: what))
        (day, waiting) = (standing(copy), copy.waiting.count)
        return true
    }
}

/// A day for which the service has refused operations from this device.
struct RefusedDay: Hashable {
    /// The date in ISO 8601.
    let date: String
    /// Why, in English, by the service.
    let reason: String

    /// A remark about it.
    var sentence: String { "what you did on \(date) stays on this device: \(reason)" }
}

extension DayCopy {
    /// The newest waiting operation that was not undone.
    fileprivate var lastDone: DayOperation? {
        let undone = Set(
            waiting.compactMap { operation -> [UInt8]? in
                if case .undone(let id) = operation.what { id } else { nil }
            })
        return waiting.last { $0.state != nil && !undone.contains($0.id) }
    }
}

extension ChangeDay.Change {
    /// True when it marks an action, or takes that back: this device can keep it.
    fileprivate var marksSomething: Bool {
        switch self {
        case .done, .skip, .undo: true
        default: false
        }
    }

    /// True when it marks a certain action: marking it twice makes no difference.
    fileprivate var namesItsAction: Bool {
        switch self {
        case .done(let id), .skip(let id): !id.isEmpty
        default: false
        }
    }
}
