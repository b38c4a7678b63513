import Bus
import Messages
import ShiftLog
import Speech

extension ShiftState {
    /// Reads a shift with all its operations from the service.
    ///
    /// - Parameter shift: its id, or the beginning of its id if that is unique.
    package static func read(_ shift: String, _ access: any ServiceAccess) throws -> ShiftState {
        let snapshot = try access.ask(
            .checklist, ReadShift(shift: shift.lowercased()), for: ShiftSnapshot.self)
        var state: ShiftState
        do { state = try ShiftState(snapshot: snapshot) } catch {
            throw Failure(.broken, "the shift can't be read: \(error.message)")
        }
        let client = try access.client(.checklist)
        while true {
            let page = try client.ask(
                ReadOperations(shift: state.shift.id, after: state.head), for: OperationPage.self)
            let before = state.head
            for operation in page.operations { state.apply(operation) }
            if page.operations.isEmpty || state.head >= page.head || state.head == before {
                return state
            }
        }
    }
}
