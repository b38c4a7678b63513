import Messages
import ShiftLog
import TestSupport
import Testing

@testable import ChecklistService

extension Processes {
    /// Tests of whose a device is, and of when something was done on one whose clock is wrong.
    @Suite struct DeviceTests {
        @Test func `nobody can use up the numbers of another's device, in any shift of the site`()
            throws
        {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let ann = try restaurant.token("ann", Grant(role: .shiftManager, site: restaurant.site))
            let cook = try restaurant.token(
                "cook", Grant(role: .crew, site: restaurant.site, area: "drive-through"))
            let sweep = ShiftOperation.Change.addTodo(
                AddTodo(title: "Sweep", area: "drive-through", priority: "immediate"))
            var shift = try #require(try restaurant.start().shift)
            func read(as token: [UInt8], head: UInt64 = 0) throws -> UInt32 {
                try restaurant.ask(
                    ReadOperations(shift: shift.id, device: "phone", deviceHead: head),
                    for: OperationPage.self, as: token
                ).numberBlock
            }
            let block = try read(as: ann)
            var phone = Device("phone", in: shift.id)
            try phone.send(.mark(list, "t1", .ok), to: restaurant, as: ann)

            let other = Device("phone", in: shift.id)
            _ = other.make(sweep)
            let refusal = try restaurant.refusal(
                of: other.record([other.make(sweep)]), as: cook)
            #expect(refusal?.code == .conflict && refusal?.isBecause(.deviceTaken) == true)
            #expect(try block > 0 && read(as: cook, head: 99) == 0)
            #expect(try restaurant.system.query(.checklist, "SELECT made FROM device") == [["1"]])
            let second = try phone.send(.mark(list, "t2", .ok), to: restaurant, as: ann)
            #expect(second.map(\.kind) == [.takenIn])

            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            shift = try #require(try restaurant.start().shift)
            let first = Device("phone", in: shift.id)
            let sent = first.record([first.make(sweep)])
            #expect(try restaurant.refusal(of: sent, as: cook)?.isBecause(.deviceTaken) == true)
            phone = Device("phone", in: shift.id)
            let next = try phone.send(.mark(list, "t1", .ok), to: restaurant, as: ann)
            #expect(next.map(\.kind) == [.takenIn])
        }

        @Test func `the device of an account that is gone is for whoever uses it next`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let ann = try restaurant.token("ann", Grant(role: .crew, site: restaurant.site))
            let bob = try restaurant.token("bob", Grant(role: .crew, site: restaurant.site))
            let shift = try #require(try restaurant.start().shift)
            func block(as token: [UInt8]) throws -> UInt32 {
                try restaurant.ask(
                    ReadShift(shift: shift.id, device: "tablet"), for: ShiftSnapshot.self, as: token
                ).numberBlock
            }
            let former = try block(as: ann)
            #expect(try former > 0 && block(as: bob) == 0)
            restaurant.kill()
            try restaurant.system.edit(.checklist, "DELETE FROM person WHERE name = 'ann'")
            try restaurant.restart()

            #expect(try block(as: bob) == former)
            let outcomes = try Device("tablet", in: shift.id).send(
                .addTodo(AddTodo(title: "Ice", area: "kitchen", priority: "immediate")),
                to: restaurant, as: bob)
            #expect(outcomes.map(\.kind) == [.takenIn])
            #expect(try block(as: ann) == 0)
        }

        @Test func `a block from an earlier version belongs to whoever goes on using it`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let ann = try restaurant.token("ann", Grant(role: .crew, site: restaurant.site))
            let shift = try #require(try restaurant.start().shift)
            func read() throws {
                _ = try restaurant.ask(
                    ReadShift(shift: shift.id, device: "phone"), for: ShiftSnapshot.self, as: ann)
            }
            try read()
            restaurant.kill()
            try restaurant.system.edit(.checklist, "UPDATE numberBlock SET account = ''")
            try restaurant.restart()
            try Device("phone", in: shift.id).send(.mark(list, "t1", .ok), to: restaurant, as: ann)

            try read()

            let owner = try restaurant.system.query(
                .checklist, "SELECT count(*) FROM numberBlock JOIN device USING (device, account)")
            #expect(owner == [["1"]])
        }

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
