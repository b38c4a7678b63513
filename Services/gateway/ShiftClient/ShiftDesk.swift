import Bus
import Foundation
import Messages
import ShiftLog
import Speech
import WorkingCopy

/// The open shift of a site as this device has it: everything is kept here first and then brought
/// to the service, at once or when it is reachable again.
///
/// Not Sendable: it belongs to the thread that opened it.
package final class ShiftDesk {
    /// What this device keeps of the shift.
    package let copy: WorkingCopy
    /// Brings operations to the service and takes in those of others.
    package let courier: ShiftCourier
    private let tell: (String) -> Void
    private let begun: ShiftState
    private var ordered: ShiftState
    private var rewindings: Int

    /// Opens a working copy.
    ///
    /// - Parameter tell: what to do with a sentence that the person has to be told.
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

    /// The shift as it stands: the service's order, and what waits here on top of it.
    package var state: ShiftState {
        if copy.rewindings != rewindings { (ordered, rewindings) = (begun, copy.rewindings) }
        for operation in copy.operations.dropFirst(ordered.log.count) { ordered.apply(operation) }
        var state = ordered
        for operation in copy.waiting { state.apply(operation) }
        return state
    }

    /// Why the service can't be reached now; nil when it can.
    package var obstacle: String? { courier.obstacle }

    /// Keeps an operation here, after it was checked against the shift as this device knows it.
    ///
    /// - Throws: ``Failure`` when the rules of the shift refuse it; nothing is kept then.
    @discardableResult
    package func keep(_ change: ShiftOperation.Change) throws -> ShiftOperation {
        let time = WallClock.milliseconds()
        let id = courier.client.makeID()
        let state = state
        // The log knows nothing of refused ones, whose numbers are used up.
        let draft = ShiftOperation(
            id: id.bytes, shift: copy.shift.id, device: copy.device,
            deviceSequence: state.newestNumber(of: copy.device) + 1, deviceTime: time,
            seen: copy.head, change: change)
        do { try state.check(draft) } catch { throw Failure(.refused, error.message) }
        return try copy.append(change, id: id, deviceTime: time)
    }

    /// Keeps operations, brings them to the service as far as it is reachable, and tells what came
    /// of it.
    ///
    /// - Throws: ``Failure`` when one was refused, by this device or by the service.
    package func perform(_ changes: [ShiftOperation.Change]) throws {
        let operations = try changes.map { try keep($0) }
        try courier.run()
        guard let denial = courier.denial else { return try conclude(operations) }
        try copy.withdraw(operations)
        tellNews()
        // Why it waits is what the failure says.
        if !copy.waiting.isEmpty { tell("kept here, \(copy.waiting.count) waiting") }
        throw Failure(
            .refused, denial, advice: "nothing was kept of this; ask for the role, or log in again")
    }

    /// The same for one.
    package func perform(_ change: ShiftOperation.Change) throws { try perform([change]) }

    /// Reports what became of operations: nothing when all went well.
    private func conclude(_ operations: [ShiftOperation]) throws {
        let ids = Set(operations.map(\.id))
        courier.takeNews(exceptRefusalsOf: ids).forEach(tell)
        var reasons: [String] = []
        for refused in copy.refused
        where ids.contains(refused.operation.id) && !reasons.contains(refused.reason) {
            reasons.append(refused.reason)
        }
        guard !reasons.isEmpty else { return try remarkOnWaiting() }
        throw Failure(
            .refused, reasons.joined(separator: "; "),
            advice: "it stays in steward shift refused until you dismiss it")
    }

    private var waitingWords: String {
        "kept here, \(copy.waiting.count) waiting: \(obstacle ?? "not sent yet")"
    }

    /// Reports what the courier has learnt since the last time.
    private func tellNews() { courier.takeNews().forEach(tell) }

    /// Reports how much is waiting here, and why.
    ///
    /// - Throws: ``Failure`` when the service won't accept it from this person.
    package func remarkOnWaiting() throws {
        guard !copy.waiting.isEmpty else { return }
        guard courier.denial == nil else {
            throw Failure(
                .refused, waitingWords,
                advice: "it goes on waiting, in vain: ask for the role, or log in again")
        }
        tell(waitingWords)
    }
}

extension ShiftDesk {
    /// Opens the open shift of a site: with the service when it is reachable, else the working copy
    /// of before.
    ///
    /// - Parameters:
    ///   - folder: where this device keeps the person's shifts.
    ///   - site: the site's id.
    ///   - tell: what to do with a sentence that the person has to be told.
    /// - Throws: ``Failure`` when no shift is open, or none is known here and the service can't be
    ///   reached.
    package static func open(
        _ access: any ServiceAccess, in folder: DeviceFolder, site: String,
        tell: @escaping (String) -> Void
    ) throws -> ShiftDesk {
        if let copy = try openShift(at: site, in: folder) {
            let desk = try ShiftDesk(access, copy, tell: tell)
            try desk.courier.run()
            desk.tellNews()
            guard desk.copy.shift.ended != 0 || desk.courier.isForgotten else { return desk }
            // What is left of it is shown by steward shift refused.
            if try !folder.forget(desk.copy), desk.courier.isForgotten {
                tell(
                    "the service has no shift \(desk.copy.shift.id); what was done in it stays on "
                        + "this device")
            }
        }
        let snapshot = try access.ask(.checklist, ReadShift(site: site), for: ShiftSnapshot.self)
        let desk = try ShiftDesk(access, try folder.begin(snapshot), tell: tell)
        try desk.courier.run()
        return desk
    }

    /// Brings what waits of other shifts of this device to the service.
    ///
    /// - Parameter tell: what to do with a sentence that the person has to be told.
    package static func bringLeftovers(
        _ access: any ServiceAccess, in folder: DeviceFolder, tell: (String) -> Void
    ) throws {
        for id in try folder.shifts() {
            guard let copy = try folder.open(shift: id) else { continue }
            let courier = try ShiftCourier(access, copy)
            // That a shift has ended may be news to this device.
            if copy.shift.ended == 0 || !copy.waiting.isEmpty { try courier.run() }
            courier.takeNews().forEach(tell)
            try folder.forget(copy)
        }
    }

    /// The id of the only site of which an open shift is kept here; nil when there is none, or
    /// several.
    ///
    /// - Parameter named: the site's name or id, when the person has named it.
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
