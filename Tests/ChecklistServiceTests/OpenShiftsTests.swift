import Messages
import ShiftLog
import Testing

@testable import ChecklistService

/// The states of open shifts that are kept between recordings.
struct OpenShiftsTests {
    private let shifts = OpenShifts()

    private func state(operations: Int = 1, ended: Int64 = 0) throws -> ShiftState {
        var state = try ShiftState(shift: Shift(id: "s", timeZone: "Etc/UTC"), lists: [])
        for number in 0..<operations {
            state.apply(ShiftOperation(id: Array("\(number)".utf8)))
        }
        if ended > 0 {
            state.apply(ShiftOperation(time: ended, change: .ended(ShiftDone())))
        }
        return state
    }

    @Test func `a state is used only after the operation that it was kept for`() throws {
        shifts.put(try state(), [1])
        #expect(shifts.state(of: "s", [2]) == nil)
        #expect(shifts.state(of: "s", nil) == nil)
        #expect(shifts.state(of: "other", [1]) == nil)
        #expect(try shifts.state(of: "s", [1]) == state())
        #expect(try shifts.take("s", [1]) == state())
        #expect(shifts.take("s", [1]) == nil)
    }

    @Test func `a state that a rolled back command has kept is dropped`() throws {
        shifts.put(try state(), [1])
        #expect(shifts.take("s", [2]) == nil)
        #expect(shifts.state(of: "s", [1]) == nil)
    }

    @Test func `a shift that has ended is not kept`() throws {
        shifts.put(try state(ended: 1), [1])
        #expect(shifts.state(of: "s", [1]) == nil)
    }

    @Test func `a shift with more in it than there is room for is not kept`() throws {
        shifts.put(try state(operations: OpenShifts.mostParts), [1])
        #expect(shifts.state(of: "s", [1]) != nil)
        _ = shifts.take("s", [1])
        shifts.put(try state(operations: OpenShifts.mostParts + 1), [1])
        #expect(shifts.state(of: "s", [1]) == nil)
    }
}
