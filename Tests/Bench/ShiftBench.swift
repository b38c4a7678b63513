import Foundation
import Messages
import ShiftLog

/// How long it takes to fold a shift, and to verify a year of an archive.
enum ShiftBench {
    static func run(_ figures: inout Figures) throws {
        let list = ChecklistTemplate(
            id: "pre", name: "Pre-shift", kind: .preShift,
            sections: (0..<10).map { section in
                ChecklistSection(
                    id: "s\(section)", name: "Section \(section)",
                    tasks: (0..<15).map {
                        ChecklistTask(
                            id: "t\(section)-\($0)", title: "Task \($0)", area: "kitchen",
                            priority: "immediate")
                    })
            })
        let shift = Shift(
            id: "shift", site: "site", timeZone: "Europe/Oslo", started: start, lists: [],
            settings: SiteSettings.standard(for: "site").packed())
        let empty = try ShiftState(shift: shift, lists: [list])
        let operations = operations(600)
        var folded: [ShiftState] = []
        let rounds = 50
        let fold = time {
            for _ in 0..<rounds {
                var state = empty
                for operation in operations { state.apply(operation) }
                folded.append(state)
            }
        }
        figures.add(
            "a shift of 600 operations, folded", fold / .milliseconds(1) / Double(rounds), "ms",
            goal: .atMost(2))
        try archive(&figures)
    }

    private static let start: Int64 = 1_780_300_800_000

    private static func archive(_ figures: inout Figures) throws {
        var hash = ArchiveChain.beginning(of: "site")
        let records = operations(180_000).map { operation in
            let packed = operation.packed()
            hash = ArchiveChain.hash(after: hash, packed)
            return ArchiveRecord(sequence: operation.sequence, operation: packed, hash: hash)
        }
        var audit = try ArchiveAudit(site: "site")
        let verify = try time { for record in records { try audit.verify(record) } }
        figures.add(
            "an archive of 180,000 operations, verified", verify / .seconds(1), "s",
            goal: .atMost(2))
    }

    /// Marks, with a note after every seventh.
    private static func operations(_ count: Int) -> [ShiftOperation] {
        var ids = MessageID.Generator()
        return (1...count).map { number in
            let task = "t\(number % 10)-\(number % 15)"
            let change: ShiftOperation.Change =
                number % 7 == 0
                ? .note(NoteTask(list: "pre", task: task, text: "looked at twice, still greasy"))
                : .mark(MarkTask(list: "pre", task: task, finding: number % 5 == 0 ? .notOk : .ok))
            return ShiftOperation(
                id: ids.next(at: start).bytes, shift: "0192e4a1-7b3c-7def-8123-456789abcdef",
                device: "device \(number % 3)", deviceSequence: UInt64(number / 3 + 1),
                deviceTime: start + Int64(number) * 9_000,
                seen: UInt64(max(0, number - 1 - number % 4)),
                actor: "0192e4a1-7b3c-7def-8123-456789abcdef", actorName: "Mia Hansen",
                sequence: UInt64(number), time: start + Int64(number) * 9_000 + 40, change: change)
        }
    }
}
