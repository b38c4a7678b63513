import Bus
import Foundation
import Messages
import Phrases
import ShiftLog
import Speech
import WorkingCopy

/// The open shift of a site on this device: operations are saved here first and then sent to the
/// service, immediately or when it is reachable again.
///
/// Not Sendable: it belongs to the thread that opened it.
package final class ShiftDesk {
    /// This device's working copy of the shift.
    package let copy: WorkingCopy
    /// Sends operations to the service and fetches those of others.
    package let courier: ShiftCourier
    private let tell: (String) -> Void
    private let begun: ShiftState
    private var ordered: ShiftState
    private var rewindings: Int

    /// Opens a working copy.
    ///
    /// - Parameter tell: shows a message to the person.
    package init(
        _ access: any ServiceAccess, _ copy: WorkingCopy, tell: @escaping (String) -> Void
    ) throws {
        self.copy = copy
        self.tell = tell
        courier = try ShiftCourier(access, copy)
        do { begun = try ShiftState(snapshot: copy.snapshot) } catch {
            throw Failure(.broken, "the shift can't be read: \(error.message)")
        }
        (ordered, rewindings) = (begun, copy.rewindings)
    }

    /// The state of the shift: the operations in the service's order, with those waiting here on
    /// top.
    package var state: ShiftState {
        if copy.rewindings != rewindings { (ordered, rewindings) = (begun, copy.rewindings) }
        for operation in copy.operations.dropFirst(ordered.log.count) { ordered.apply(operation) }
        var state = ordered
        for operation in copy.waiting { state.apply(operation) }
        return state
    }

    /// Why the service can't be reached now; nil if it can.
    package var obstacle: String? { courier.obstacle?.sentence }

    /// Sends the next message if none is under way, and reads the answer if it has come.
    ///
    /// - Returns: true if the state may have changed.
    package func turn() throws -> Bool {
        let before = [copy.head, UInt64(copy.rewindings), UInt64(copy.refused.count)]
        try courier.turn()
        return before != [copy.head, UInt64(copy.rewindings), UInt64(copy.refused.count)]
    }

    /// Saves an operation here, after validating it against the shift as this device knows it.
    ///
    /// - Parameters:
    ///   - change: the operation.
    ///   - photos: the photos that it names.
    /// - Throws: a `Refusal` if the rules of the shift refuse it; then nothing is saved.
    @discardableResult
    package func keep(
        _ change: ShiftOperation.Change, _ photos: [PreparedPhoto] = []
    ) throws -> ShiftOperation {
        let time = WallClock.milliseconds()
        let id = courier.client.makeID()
        let state = state
        var change = change
        if case .addTodo(var content) = change {
            content.number = state.numbers.next(in: copy.numberBlock)
            change = .addTodo(content)
        }
        // Numbers of refused operations are used up, although the log doesn't have them.
        let draft = ShiftOperation(
            id: id.bytes, shift: copy.shift.id, device: copy.device,
            deviceSequence: state.newestNumber(of: copy.device) + 1, deviceTime: time,
            seen: copy.head, change: change)
        try state.validate(draft)
        for photo in photos { try copy.keepPhoto(photo.file, named: photo.photo.digits) }
        return try copy.append(change, id: id, deviceTime: time)
    }

    /// Saves operations, sends them if the service is reachable, and reports the outcome.
    ///
    /// - Parameters:
    ///   - changes: the operations.
    ///   - photos: the photos that they name.
    /// - Throws: a `Refusal` if this device refused one, ``Failure`` if the service did.
    package func perform(
        _ changes: [ShiftOperation.Change], _ photos: [PreparedPhoto] = []
    ) throws {
        let operations = try changes.map { try keep($0, photos) }
        if !courier.hasJustWaited { try courier.run() }
        guard let denial = courier.denial else { return try conclude(operations) }
        try copy.withdraw(operations)
        showNews()
        // The failure says why they are waiting.
        if !copy.waiting.isEmpty { tell("kept here, \(copy.waiting.count) waiting") }
        throw Failure(
            .refused, denial, advice: "none of this was kept; ask for the role, or log in again")
    }

    /// The same for one operation.
    package func perform(_ change: ShiftOperation.Change) throws { try perform([change]) }

    /// Sends refused operations once more, each as a new one, and reports the outcome.
    ///
    /// - Parameter operations: the refused operations.
    /// - Throws: ``Failure`` if the service refused one again.
    package func resend(_ operations: [ShiftOperation]) throws {
        let again = try operations.compactMap {
            try copy.resend($0, id: courier.client.makeID())
        }
        if !courier.hasJustWaited { try courier.run() }
        try conclude(again)
    }

    /// Reports operations that were refused; nothing if all went well.
    private func conclude(_ operations: [ShiftOperation]) throws {
        let ids = Set(operations.map(\.id))
        courier.takeNews(exceptRefusalsOf: ids).forEach(tell)
        var reasons: [String] = []
        for refused in copy.refused
        where ids.contains(refused.operation.id) && !reasons.contains(refused.refusal.message) {
            reasons.append(refused.refusal.message)
        }
        guard !reasons.isEmpty else { return try remarkOnWaiting() }
        throw Failure(
            .refused, reasons.joined(separator: "; "),
            advice: "it stays in steward shift refused until you dismiss it or send it again")
    }

    private var waitingWords: String {
        "kept here, \(copy.waiting.count) waiting: \(obstacle ?? "not sent yet")"
    }

    /// Shows the courier's news since the last time.
    package func showNews(in language: Language = .english) {
        courier.takeNews(in: language).forEach(tell)
    }

    /// Reports the age of what this device shows, if the service can't be reached, and how much is
    /// waiting here.
    ///
    /// - Throws: ``Failure`` if the service won't accept it from this person.
    package func remarkOnState() throws {
        if let obstacle { tell("\(age): \(obstacle)") }
        guard !copy.waiting.isEmpty, obstacle != nil, courier.denial == nil else {
            return try remarkOnWaiting()
        }
        tell("kept here, \(copy.waiting.count) waiting")
    }

    /// `as of 10:15, 25 min ago`
    private var age: String {
        guard copy.lastHeard > 0 else { return "as of the beginning of the shift" }
        let now = WallClock.milliseconds()
        let reading = SiteClock(zone: copy.shift.timeZone)
        let isToday = now - copy.lastHeard < 12 * 3_600_000
        let time = isToday ? reading.time(copy.lastHeard) : reading.fullMoment(copy.lastHeard)
        return "as of \(time), \(Wording.duration(max(0, now - copy.lastHeard))) ago"
    }

    /// Reports how much is waiting here, and why.
    ///
    /// - Throws: ``Failure`` if the service won't accept it from this person.
    package func remarkOnWaiting() throws {
        guard !copy.waiting.isEmpty else { return }
        guard courier.denial == nil else {
            throw Failure(
                .refused, waitingWords,
                advice: "waiting alone won't help: ask for the role, or log in again")
        }
        tell(waitingWords)
    }
}

extension ShiftDesk {
    /// Opens the open shift of a site: from the service if it is reachable, else from the existing
    /// working copy.
    ///
    /// - Parameters:
    ///   - folder: where this device keeps the person's shifts.
    ///   - site: the site's id.
    ///   - tell: shows a message to the person.
    /// - Throws: ``Failure`` if no shift is open, or if none is known here and the service can't be
    ///   reached.
    package static func open(
        _ access: any ServiceAccess, in folder: DeviceFolder, site: String,
        tell: @escaping (String) -> Void
    ) throws -> ShiftDesk {
        if let copy = try openShift(at: site, in: folder) {
            let desk = try ShiftDesk(access, copy, tell: tell)
            try desk.courier.run()
            desk.showNews()
            guard desk.copy.shift.ended != 0 || desk.courier.isForgotten else { return desk }
            // `steward shift refused` shows what is left of it.
            if try !folder.forget(desk.copy), desk.courier.isForgotten {
                tell(
                    "the service has no shift \(desk.copy.shift.id); what was done in it stays on "
                        + "this device")
            }
        }
        let snapshot = try access.ask(
            .checklist, ReadShift(site: site, device: folder.device), for: ShiftSnapshot.self)
        let desk = try ShiftDesk(access, try folder.begin(snapshot), tell: tell)
        try desk.courier.run()
        return desk
    }

    /// Sends operations of this device's other shifts that are still waiting.
    ///
    /// - Parameter tell: shows a message to the person.
    package static func bringLeftovers(
        _ access: any ServiceAccess, in folder: DeviceFolder, tell: (String) -> Void
    ) throws {
        for id in try folder.shifts() {
            guard let copy = try folder.open(shift: id) else { continue }
            let courier = try ShiftCourier(access, copy)
            // This device may not know yet that a shift has ended.
            if copy.shift.ended == 0 || !copy.waiting.isEmpty { try courier.run() }
            courier.takeNews().forEach(tell)
            try folder.forget(copy)
            // What the other shifts have waits, too.
            if courier.hasJustWaited { return }
        }
    }

    /// The id of the only site with an open shift kept here; nil if there is none, or several.
    ///
    /// - Parameter named: the site's name or id, if the person has named one.
    package static func onlySite(in folder: DeviceFolder, named: String?) throws -> String? {
        var sites: Set<String> = []
        for id in try folder.shifts() {
            guard let shift = try folder.open(shift: id)?.shift, shift.ended == 0 else { continue }
            let named = named?.lowercased() ?? shift.site
            if [shift.site, shift.siteName.lowercased()].contains(named) {
                sites.insert(shift.site)
            }
        }
        return sites.count == 1 ? sites.first : nil
    }

    private static func openShift(
        at site: String, in folder: DeviceFolder
    ) throws -> WorkingCopy? {
        for id in try folder.shifts() {
            guard let copy = try folder.open(shift: id) else { continue }
            if copy.shift.site == site, copy.shift.ended == 0 { return copy }
        }
        return nil
    }
}
