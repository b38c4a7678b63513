import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// What can still be planned when the days of a person have too much.
@Suite(.waiting) struct FullDaysTests {
    private let system: System
    private let client: Client

    init() throws {
        system = try System()
        try system.start("routine-service")
        client = try system.client(of: .routine)
    }

    private func plan(_ date: String) throws -> Day {
        let tea = Appointment(name: "Tea", from: 600, until: 660)
        return try client.ask(
            PlanDay(date: date, appointments: [tea]), for: Day.self, deadline: .seconds(60))
    }

    @Test func `a day that is planned can be planned again, and no other`() throws {
        let day = try plan("tomorrow")
        try system.edit(.routine, "UPDATE daySize SET bytes = \(256 << 20)")

        #expect(try plan(day.date).items.map(\.name) == ["Tea"])

        let later = Date(timeIntervalSinceNow: 30 * 86_400)
            .formatted(.iso8601.year().month().day())
        let refusal = #expect(throws: ClientError.self) { try plan(later) }
        #expect(refusal?.description.contains("no more are kept") == true)
    }
}
