import Bus
import Foundation
import Messages
import ShiftLog
import WorkingCopy

/// The open shift of a site as this device has it: everything is kept here first and then brought
/// to the service, at once or when it is reachable again.
///
/// Not Sendable: it belongs to the thread of the command.
final class ShiftDesk {
    /// What the command acts through.
    let session: Session
    /// What this device keeps of the shift.
    let copy: WorkingCopy
    /// Brings operations to the service and takes in those of others.
    let courier: ShiftCourier
    private let begun: ShiftState
    private var ordered: ShiftState
    private var rewindings: Int

    /// Opens a working copy.
    init(_ session: Session, _ copy: WorkingCopy) throws {
        self.session = session
        self.copy = copy
        courier = try ShiftCourier(session, copy)
        do { begun = try ShiftState(snapshot: copy.snapshot) } catch {
            throw Failure(.broken, "the shift can't be read: \(error.message)")
        }
        (ordered, rewindings) = (begun, copy.rewindings)
    }

    /// The shift as it stands: the service's order, and what waits here on top of it.
    var state: ShiftState {
        if copy.rewindings != rewindings { (ordered, rewindings) = (begun, copy.rewindings) }
        for operation in copy.operations.dropFirst(ordered.log.count) { ordered.apply(operation) }
        var state = ordered
        for operation in copy.waiting { state.apply(operation) }
        return state
    }

    /// Why the service can't be reached now; nil when it can.
    var obstacle: String? { courier.obstacle }

    /// Keeps an operation here, after it was checked against the shift as this device knows it.
    ///
    /// - Throws: ``Failure`` when the rules of the shift refuse it; nothing is kept then.
    @discardableResult
    func keep(_ change: ShiftOperation.Change) throws -> ShiftOperation {
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

    /// Keeps operations, brings them to the service as far as it is reachable, and says what came
    /// of it.
    ///
    /// - Throws: ``Failure`` when one was refused, by this device or by the service.
    func perform(_ changes: [ShiftOperation.Change]) throws {
        let operations = try changes.map { try keep($0) }
        try courier.run()
        try tell(operations)
    }

    /// The same for one.
    func perform(_ change: ShiftOperation.Change) throws { try perform([change]) }

    /// Says what became of operations: nothing when all went well.
    private func tell(_ operations: [ShiftOperation]) throws {
        for news in courier.takeNews() { session.printer.remark("steward: " + news) }
        let ids = Set(operations.map(\.id))
        if let refused = copy.refused.first(where: { ids.contains($0.operation.id) }) {
            throw Failure(
                .refused, refused.reason,
                advice: "it stays in steward shift refused until you dismiss it")
        }
        remarkOnWaiting()
    }

    /// Says what waits here, and why.
    func remarkOnWaiting() {
        guard !copy.waiting.isEmpty else { return }
        session.printer.remark(
            "kept here, \(copy.waiting.count) waiting: \(obstacle ?? "not sent yet")")
    }
}

extension ShiftDesk {
    /// The folder of this device for whoever is logged in.
    static func folder(_ session: Session) throws -> DeviceFolder {
        guard let directory = session.configuration.stateDirectory else {
            throw Failure(.broken, "there is no place to keep a shift", advice: "set HOME")
        }
        let name = try session.keptLogIn.entry().map { "account-" + $0.name } ?? "owner"
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_."))
        let folder = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "owner"
        var ids = MessageID.Generator()
        return try DeviceFolder(
            at: "\(directory)/shifts/\(folder)", newID: ids.next(at: WallClock.milliseconds()))
    }

    /// Opens the open shift of the site: with the service when it is reachable, else the working
    /// copy of before.
    ///
    /// - Throws: ``Failure`` when no shift is open, or none is known here and the service can't be
    ///   reached.
    static func open(_ session: Session, _ place: SiteOption) throws -> ShiftDesk {
        let folder = try folder(session)
        let site = try Self.site(session, place, folder)
        if let desk = try kept(session, folder, at: site) {
            try desk.courier.run()
            for news in desk.courier.takeNews() { session.printer.remark("steward: " + news) }
            guard desk.copy.shift.ended != 0 || desk.courier.isForgotten else { return desk }
            // What is left of it is shown by steward shift refused.
            if try !folder.forget(desk.copy), desk.courier.isForgotten {
                session.printer.remark(
                    "steward: the service has no shift \(desk.copy.shift.id); what was done in it "
                        + "stays on this device")
            }
        }
        let snapshot = try session.ask(.checklist, ReadShift(site: site), for: ShiftSnapshot.self)
        let desk = try ShiftDesk(session, try folder.begin(snapshot))
        try desk.courier.run()
        return desk
    }

    /// Brings what waits of other shifts of this device to the service.
    static func bringLeftovers(_ session: Session, _ folder: DeviceFolder) throws {
        for id in try folder.shifts() {
            guard let copy = try folder.open(shift: id) else { continue }
            let courier = try ShiftCourier(session, copy)
            // That a shift has ended may be news to this device.
            if copy.shift.ended == 0 || !copy.waiting.isEmpty { try courier.run() }
            for news in courier.takeNews() { session.printer.remark("steward: " + news) }
            try folder.forget(copy)
        }
    }

    private static func kept(
        _ session: Session, _ folder: DeviceFolder, at site: String
    ) throws -> ShiftDesk? {
        for id in try folder.shifts() {
            guard let copy = try folder.open(shift: id) else { continue }
            if copy.shift.site == site, copy.shift.ended == 0 {
                return try ShiftDesk(session, copy)
            }
        }
        return nil
    }

    /// The site's id. Without account-service it is the one of the only open shift that is kept.
    private static func site(
        _ session: Session, _ place: SiteOption, _ folder: DeviceFolder
    ) throws -> String {
        do { return try place.site(session).id } catch {
            guard let failure = Failure(error), failure.isUnreachable else { throw error }
            var known: [Shift] = []
            for id in try folder.shifts() {
                guard let shift = try folder.open(shift: id)?.shift, shift.ended == 0 else {
                    continue
                }
                let named = place.named?.lowercased() ?? shift.site
                if [shift.site, shift.siteName.lowercased()].contains(named) {
                    known.append(shift)
                }
            }
            let sites = Set(known.map(\.site))
            guard let site = sites.first, sites.count == 1 else { throw error }
            return site
        }
    }
}

extension Failure {
    /// True when a service could not be reached: what was to be done can be done later.
    var isUnreachable: Bool { status == .notRunning || status == .unknownOutcome }
}
