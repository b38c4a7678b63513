import Messages
import ShiftLog
import Speech
import WorkingCopy

/// The refused operations of the shifts on this device.
package struct RefusedList {
    /// A refused operation and where it is kept.
    package struct Entry {
        package let copy: WorkingCopy
        package let refused: WorkingCopy.RefusedOperation

        /// The operation in a few words.
        package var words: String { OperationLine().text(refused.operation, copy.lists) }

        /// The entry in JSON.
        package var report: Report { Report(refused.operation, refused.refusal) }
    }

    /// An entry in JSON.
    package struct Report: Encodable {
        private let operation: Extended<ShiftOperation>
        /// The service's sentence.
        private let reason: String
        private let code: Refusal.Code
        /// The word for the reason; empty if the service gave none.
        private let reasonCode: String
        /// The subject of the refusal, such as an id; may be empty.
        private let subject: String
        /// The values in the sentence, by their names.
        private let arguments: [String: String]

        init(_ operation: ShiftOperation, _ refusal: Refusal) {
            self.operation = Self.named(operation)
            (reason, code) = (refusal.message, refusal.code)
            (reasonCode, subject) = (refusal.reason, refusal.subject)
            arguments = refusal.arguments
        }

        /// An operation with what crew members may do as a word.
        private static func named(_ operation: ShiftOperation) -> Extended<ShiftOperation> {
            guard case .letCrew(let change) = operation.change, let may = change.crewMay else {
                return Extended(operation, [:])
            }
            let named = ["letCrew": Extended(change, ["may": may.word])]
            return Extended(operation, ["change": named])
        }
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

    /// The entries that a person names, each once, in the order of the list.
    ///
    /// - Parameter numbers: their numbers in the list, or `all`.
    /// - Throws: ``Failure`` if there is no entry with a number.
    package func chosen(_ numbers: [String]) throws -> [Entry] {
        let places = try numbers.flatMap { text -> [Int] in
            if text == "all" { return Array(entries.indices) }
            guard let number = Int(text), (1...).contains(number), number <= entries.count else {
                throw Failure(
                    .refused, "nothing refused has the number \(text.printable)",
                    advice: "see steward shift refused")
            }
            return [number - 1]
        }
        return Set(places).sorted().map { entries[$0] }
    }

    /// Sends entries once more, each as a new operation, as soon as the service can be reached.
    ///
    /// - Parameter tell: shows a message to the person.
    /// - Returns: true if all were sent.
    /// - Throws: ``Failure`` if the service refused one again, after all were sent.
    package static func resend(
        _ entries: [Entry], _ access: any ServiceAccess, tell: @escaping (String) -> Void
    ) throws -> Bool {
        var copies: [WorkingCopy] = []
        for entry in entries where copies.last !== entry.copy { copies.append(entry.copy) }
        var failure: Failure?
        for copy in copies {
            let operations = entries.filter { $0.copy === copy }.map(\.refused.operation)
            do {
                try ShiftDesk(access, copy, tell: tell).resend(operations)
            } catch let other as Failure {
                failure = failure ?? other
            }
        }
        if let failure { throw failure }
        return copies.allSatisfy(\.waiting.isEmpty)
    }
}
