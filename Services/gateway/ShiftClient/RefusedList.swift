import Messages
import WorkingCopy

/// The refused operations of the shifts on this device.
package struct RefusedList {
    /// A refused operation and where it is kept.
    package struct Entry {
        package let copy: WorkingCopy
        package let refused: WorkingCopy.RefusedOperation

        /// The operation in a few words.
        package var words: String { OperationLine.words(refused.operation, copy.lists) }

        /// The entry in JSON.
        package var report: Report {
            Report(operation: refused.operation, reason: refused.refusal.message)
        }
    }

    /// An entry in JSON.
    package struct Report: Encodable {
        let operation: ShiftOperation
        let reason: String
    }

    /// The entries, the newest shift first.
    package let entries: [Entry]

    /// Reads the entries from the folder where this device keeps the person's shifts.
    package init(in folder: DeviceFolder) throws {
        entries = try folder.shifts().flatMap { id -> [Entry] in
            guard let copy = try folder.open(shift: id) else { return [] }
            return copy.refused.map { Entry(copy: copy, refused: $0) }
        }
    }
}
