import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// How large the list of the calendars of a project is, in a real store.
struct CalendarListTests {
    private static let ann = Principal.account(
        "ann", organisation: "o", grants: [Grant(role: .shiftManager)])
    private static let problems = (0..<10).map { number in
        String(repeating: "\(number)", count: 1_000)
    }

    /// The list of so many calendars, with much wrong in each of them.
    private func list(of count: Int) throws -> PersonCalendars {
        let store = try MemoryStore(of: .project, ProjectStore.migrator)
        return try store.run(as: Self.ann) {
            (transaction: Transaction) throws -> PersonCalendars in
            let project = try Projects.create(
                CreateProject(project: Project(identifier: "house", name: "House")),
                in: transaction)
            for number in 0..<count {
                try PersonCalendarRow(
                    calendar: PersonCalendar(
                        id: "\(number)", person: 1, server: "https://calendar.example.org",
                        failure: String(repeating: "x", count: 1_000), problems: Self.problems),
                    project: project.id, sealed: []
                ).save(transaction.db)
            }
            let row = try #require(try ProjectRow.ofID(project.id, transaction.db))
            return try PersonCalendarHandling.listed(of: row, in: transaction)
        }
    }

    @Test func `all calendars that a project may have are listed, whatever is wrong with them`()
        throws
    {
        #expect(try list(of: 2).calendars.first?.problems == Self.problems)

        let some = try list(of: 60).calendars
        #expect(PersonCalendarHandling.fitting(some) == some)
        // Busy times need room, too.
        #expect(PersonCalendarHandling.fitting(some, beside: 400_000) != some)

        let all = try list(of: 500)

        #expect(all.calendars.count == 500 && all.calendars[0].problems.count == 10)
        #expect(all.packed().count < Envelope.maximumSize - 100_000)
    }
}
