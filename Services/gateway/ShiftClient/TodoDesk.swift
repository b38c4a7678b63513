import Bus
import Messages
import ShiftLog
import Speech
import WorkingCopy

/// The to-dos of a site on this device: those of the open shift, or those that wait for the next
/// one while none is open.
package enum TodoDesk {
    /// The open shift, which works without a connection too.
    case shift(ShiftDesk)
    /// The to-dos that wait for the next shift; only the service has them.
    case between(StandingDesk)

    /// Opens the to-dos of a site.
    ///
    /// - Parameters:
    ///   - folder: where this device keeps the person's shifts.
    ///   - site: the site's id.
    ///   - tell: shows a message to the person.
    package static func open(
        _ access: any ServiceAccess, in folder: DeviceFolder, site: String,
        tell: @escaping (String) -> Void
    ) throws -> TodoDesk {
        do {
            return .shift(try ShiftDesk.open(access, in: folder, site: site, tell: tell))
        } catch ClientError.refused(let refusal) where refusal.code == .notFound {
            let desk = try StandingDesk(access, site: site)
            tell("no shift is open: these are the to-dos of the next one")
            return .between(desk)
        }
    }

    /// The state that has the to-dos: that of the shift, or of one that would begin now.
    package var state: ShiftState {
        switch self {
        case .shift(let desk): desk.state
        case .between(let desk): desk.state
        }
    }

    /// Carries out changes of to-dos.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - photos: the photos that they name.
    /// - Throws: ``Failure`` if one was refused.
    package func perform(
        _ changes: [ShiftOperation.Change], _ photos: [PreparedPhoto] = []
    ) throws {
        switch self {
        case .shift(let desk): try desk.perform(changes, photos)
        case .between(let desk): try desk.perform(changes, photos)
        }
    }

    /// The file of a photo of a to-do.
    package func file(of photo: Photo) throws -> [UInt8] {
        switch self {
        case .shift(let desk): try desk.file(of: photo)
        case .between(let desk): try desk.file(of: photo)
        }
    }

    /// Reports the age of what is shown, if the service can't be reached, and how much is waiting
    /// here.
    package func remarkOnState() throws {
        if case .shift(let desk) = self { try desk.remarkOnState() }
    }
}

/// The to-dos that wait for the next shift of a site.
package final class StandingDesk {
    /// The state with which a shift would begin now.
    package private(set) var state: ShiftState
    private let access: any ServiceAccess
    private let site: String

    init(_ access: any ServiceAccess, site: String) throws {
        (self.access, self.site) = (access, site)
        state = try Self.read(site, access)
    }

    fileprivate func file(of photo: Photo) throws -> [UInt8] {
        try access.client(.checklist).file(of: photo, shift: "", site: site)
    }

    fileprivate func perform(
        _ changes: [ShiftOperation.Change], _ photos: [PreparedPhoto]
    ) throws {
        for photo in photos {
            _ = try access.ask(
                .checklist, KeepPhoto(site: site, file: photo.file), for: Photo.self)
        }
        for change in changes {
            var command = ChangeStandingTodo(site: site)
            switch change {
            case .addTodo(let content): command.change = .add(content)
            case .markTodo(let mark): command.change = .mark(mark)
            case .noteTodo(let note): command.change = .note(note)
            case .changeTodo(let change): command.change = .edit(change)
            default: throw Failure(.refused, "no shift is open")
            }
            _ = try access.ask(.checklist, command, for: CarriedTodo.self)
        }
        state = try Self.read(site, access)
    }

    private static func read(_ site: String, _ access: any ServiceAccess) throws -> ShiftState {
        let kept = try access.ask(
            .checklist, ListStandingTodos(site: site), for: StandingTodos.self)
        do {
            var state = try ShiftState(shift: kept.place ?? Shift(), lists: [])
            state.apply(ShiftOperation(change: .begun(ShiftBegun(todos: kept.todos))))
            return state
        } catch { throw Failure(.broken, "the to-dos can't be read: \(error.message)") }
    }
}
