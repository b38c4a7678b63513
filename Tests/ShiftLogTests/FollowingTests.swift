import Messages
import Testing

@testable import ShiftLog

/// How a board follows a shift.
struct FollowingTests {
    private func page(_ service: ShiftState, to reader: ShiftState) -> OperationPage {
        OperationPage(
            operations: service.log.filter { $0.sequence > reader.readAfter }, head: service.head,
            ended: service.shift.ended)
    }

    @Test func `a reader gets what is new, and notices that the history is another one`() throws {
        var service = try Service()
        try service.take("a", .mark("floor", .ok))
        let backup = service.state
        try service.take("a", .mark("grill", .ok))
        var reader = try Restaurant.state()
        for _ in 1...2 {
            let isSame = reader.follow(page(service.state, to: reader))
            #expect(isSame && reader == service.state)
        }

        var restored = Service(backup)
        try restored.take("b", .mark("grill", .notOk))
        let others = page(restored.state, to: reader)
        #expect(others.operations.count == 1)
        let before = reader
        let isSame = reader.follow(others)
        #expect(!isSame && reader == before)
    }

    @Test func `what was recorded again after a restore is of another history`() throws {
        var service = try Service()
        try service.take("a", .mark("floor", .ok))
        var reader = service.state
        var same = page(service.state, to: reader)
        same.operations[0].time += 1

        let isSame = reader.follow(same)
        #expect(!isSame)
    }

    @Test func `a reader that can't learn the end of an ended shift has to read again`() throws {
        var service = try Service()
        try service.take("a", .mark("floor", .ok))
        var reader = service.state
        let isEndHere = reader.follow(OperationPage(head: reader.head, ended: 1))
        #expect(!isEndHere && reader.isOpen)

        service.end()
        let isSame = reader.follow(page(service.state, to: reader))
        #expect(isSame && !reader.isOpen)
    }
}
