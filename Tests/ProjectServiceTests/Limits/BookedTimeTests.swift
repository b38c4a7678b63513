import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// How many meetings are read to find out who is busy, in a real store.
struct BookedTimeTests {
    private static let lead = Principal.account(
        "lead", organisation: "o", grants: [Grant(role: .shiftManager)])
    private static let now: Int64 = 1_780_300_800_000

    private let store: MemoryStore
    private let row: ProjectRow

    init() throws {
        store = try MemoryStore(of: .project, ProjectStore.migrator)
        row = try store.run(at: Self.now, as: Self.lead) { transaction in
            let project = try Projects.create(
                CreateProject(project: Project(identifier: "house", name: "House")),
                in: transaction)
            return try transaction.project(project.id)
        }
    }

    private func add(_ meetings: Range<Int>, to project: String) throws {
        try store.run { transaction in
            for number in meetings {
                let meeting = ProjectMeeting(
                    id: "m\(number)", title: "Roof", start: Self.now, end: Self.now + 1,
                    guests: [
                        MeetingGuest(name: "Ann", mail: "ann@example.org", account: "ann"),
                        MeetingGuest(name: "Ola", mail: "ola@example.org", isOptional: true),
                    ])
                try MeetingStore.save(meeting, of: project, transaction.db)
            }
        }
    }

    private func busy(_ name: String, account: String = "") throws -> [Bool] {
        try store.run(at: Self.now, as: Self.lead) { transaction in
            var booked = try BookedTimes(in: row, Self.now..<Self.now + 10, transaction)
            return try booked.all(of: name, account: account).map(\.isOptional)
        }
    }

    @Test func `each meeting of somebody counts once, by the name or by the account`() throws {
        try add(0..<2, to: row.project.id)
        #expect(try busy("Ann", account: "ann") == [false, false])
        #expect(try busy("Anna", account: "ann") == [false, false])
        #expect(try busy("Ola") == [true, true])
        #expect(try busy("Eva", account: "eva") == [])
    }

    @Test func `meetings of other projects count, and too many are refused, not left out`() throws {
        let barn = try store.run(at: Self.now, as: Self.lead) {
            try Projects.create(
                CreateProject(project: Project(identifier: "barn", name: "Barn")), in: $0)
        }
        try add(0..<600, to: row.project.id)
        try add(600..<BookedTimes.most, to: barn.id)
        #expect(try busy("Ann", account: "ann").count == BookedTimes.most)

        try add(BookedTimes.most..<BookedTimes.most + 1, to: barn.id)
        let refusal = #expect(throws: Refusal.self) { try busy("Ann", account: "ann") }
        #expect(refusal?.code == .conflict)
        #expect(refusal?.message.contains("more than 1000 meetings") == true)
        #expect(try busy("Ola").count == 600)
    }
}
