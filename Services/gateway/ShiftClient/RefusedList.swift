import Messages
import WorkingCopy

/// What the service has refused of the shifts that this device has.
package struct RefusedList {
    /// A refused operation and where it is kept.
    package struct Entry {
        package let copy: WorkingCopy
        package let refused: WorkingCopy.RefusedOperation

        /// What was done, in a few words.
        package var words: String { OperationLine.words(refused.operation, copy.lists) }

        /// The entry for programs.
        package var report: Report { Report(operation: refused.operation, reason: refused.reason) }
    }

    /// An entry for programs.
    package struct Report: Encodable {
        let operation: ShiftOperation
        let reason: String
    }

    /// The entries, the newest shift first.
    package let entries: [Entry]

    /// Reads them from where this device keeps the person's shifts.
    package init(in folder: DeviceFolder) throws {
        entries = try folder.shifts().flatMap { id -> [Entry] in
            guard let copy = try folder.open(shift: id) else { return [] }
            return copy.refused.map { Entry(copy: copy, refused: $0) }
        }
    }
}
