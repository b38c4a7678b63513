import Messages
import ShiftLog
import TestSupport
import Testing

@testable import ChecklistService

extension Processes {
    /// Tests of when something was done on a device whose clock is wrong.
    @Suite struct DeviceClockTests {
        @Test func `a wrong clock is corrected by what it shows when a device sends`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            try restaurant.pass(minutes: 60)
            let phone = Device("phone", in: shift.id)
            // Twenty minutes slow.
            phone.ahead = restaurant.ahead - 20 * 60_000
            let made = phone.make(.mark(list, "t1", .ok))
            var unsaid = phone.make(.mark(list, "t2", .ok))
            // Only the service says when something was done.
            unsaid.doneAt = 5

            var command = phone.record([made])
            command.sentAt = made.deviceTime + 500
            let first = try restaurant.ask(command, for: OperationsRecorded.self).outcomes.first
            let second = try restaurant.ask(
                phone.record([unsaid]), for: OperationsRecorded.self
            ).outcomes.first

            let kept = try #require(first?.operation)
            #expect(kept.doneAt == kept.time - 500)
            #expect(second?.operation?.doneAt == 0)
            let state = try restaurant.state(shift.id)
            #expect(state.results(of: list).first?.shown?.stamp.time == kept.time)
        }
    }
}
