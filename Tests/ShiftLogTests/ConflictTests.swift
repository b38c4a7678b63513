import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// Marks whose authors didn't know of each other's.
struct ConflictTests {
    var service: Service

    init() throws { service = try Service() }

    @Test(arguments: [(Finding.ok, Finding.notOk), (.notOk, .ok)])
    func `of two independent marks the one that is not ok is shown until someone decides`(
        first: Finding, second: Finding
    ) throws {
        var service = service
        let one = try service.take("a", .mark("grill", first), seen: 0)
        let other = try service.take("b", .mark("grill", second), seen: 0)

        let grill = try service.state.pre("grill")
        #expect(grill.state == .notOk && grill.isInReview)
        #expect(grill.marks.count == 2 && grill.standing.count == 2)
        #expect(service.state.reviews.map(\.listed.key.task) == ["grill"])
        #expect(service.state.todos.map(\.isInReview) == [true])
        #expect(!service.state.isContradiction(one.id))
        #expect(service.state.isContradiction(other.id))

        try service.take("c", .review("grill", .ok))
        #expect(try service.state.pre("grill").state == .ok)
        #expect(service.state.reviews.isEmpty && service.state.todos.isEmpty)
    }

    @Test mutating func `contradictions don't grow with the square of what devices say`() throws {
        let added = try service.take("a", .add("Ice"))
        let todo = try #require(MessageID(bytes: added.id)).description
        let count = 400
        for number in 1...count {
            let device = "device \(number)"
            let isOdd = !number.isMultiple(of: 2)
            try service.take(device, .mark("grill", isOdd ? .notOk : .ok), seen: 0)
            try service.take(device, .tick(todo, isOdd ? .open : .done), seen: 0)
        }
        let grill = try service.state.pre("grill")
        #expect(grill.state == .notOk && grill.isInReview && grill.marks.count == count)
        #expect(grill.standing.count == 30 && grill.standing.last?.stamp.device == "device 400")
        #expect(service.state.contradictions.count < 2 * count * 30)
        #expect(service.state.todos.first { $0.id == todo }?.mark == .open)
        #expect(!service.state.openContradictions.isEmpty)
        // Someone who has seen them all decides.
        try service.take("a", .mark("grill", .ok))
        try service.take("a", .tick(todo))
        #expect(try service.state.pre("grill").state == .ok)
        #expect(service.state.openContradictions.isEmpty)
    }

    @Test mutating func `of other independent marks the later one is shown, and both are kept`()
        throws
    {
        try service.take("a", .mark("grill", .ok), seen: 0)
        try service.take("b", .mark("grill", .unspecified, notApplicable: "cold"), seen: 0)

        let grill = try service.state.pre("grill")
        #expect(grill.state == .notApplicable && grill.isInReview)
        #expect(grill.marks.map(\.state) == [.ok, .notApplicable])
    }

    @Test mutating func `the same mark made independently contradicts nothing`() throws {
        try service.take("a", .mark("grill", .notOk), seen: 0)
        let other = try service.take("b", .mark("grill", .notOk), seen: 0)
        #expect(service.state.reviews.isEmpty && !service.state.isContradiction(other.id))
        #expect(service.state.todos.count == 1)
    }

    @Test mutating func `a later mark by someone who has seen both decides`() throws {
        try service.take("a", .mark("grill", .ok), seen: 0)
        try service.take("b", .mark("grill", .notOk), seen: 0)
        try service.take("a", .mark("grill", .ok))
        #expect(try service.state.pre("grill").state == .ok)
        #expect(service.state.reviews.isEmpty)
    }

    @Test mutating func `a review by someone who has seen one of three leaves the others`() throws {
        try service.take("a", .mark("grill", .ok), seen: 0)
        try service.take("b", .mark("grill", .notOk), seen: 0)
        try service.take("c", .review("grill", .ok), seen: 1)
        #expect(try service.state.pre("grill").state == .notOk)
        #expect(service.state.reviews.count == 1)
    }

    @Test mutating func `a device knows its own marks before they have arrived`() throws {
        try service.take("a", .mark("grill", .notOk), seen: 0)
        try service.take("a", .mark("grill", .ok), seen: 0)
        #expect(try service.state.pre("grill").state == .ok)
        #expect(service.state.reviews.isEmpty)
    }

    private static func sales(_ value: Int64) -> ShiftOperation.Change {
        .figure(EnterFigure(hour: 12, kind: .salesActual, value: value))
    }

    @Test
    mutating func `two figures for the same hour are kept and named until one is entered again`()
        throws
    {
        let head = service.state.head
        try service.take("a", Self.sales(100), seen: head)
        service.now += 60_000
        let other = try service.take("b", Self.sales(200), seen: head)

        #expect(service.state.isContradiction(other.id))
        let found = try #require(service.state.openContradictions.first)
        #expect(found.subject == .figure(hour: 12, kind: .salesActual, name: ""))
        #expect(found.first.value == .figure(100) && found.first.stamp.name == "a")
        #expect(found.second.value == .figure(200) && found.second.stamp.name == "b")
        #expect(found.second.stamp.time == found.first.stamp.time + 60_000)
        // Someone who knows only one of them decides nothing.
        try service.take("c", Self.sales(200), seen: head + 1)
        #expect(!service.state.openContradictions.isEmpty)
        try service.take("a", Self.sales(150))
        #expect(service.state.openContradictions.isEmpty)
        #expect(service.state.contradictions.count == 1)
    }

    @Test mutating func `the same figure twice, or a correction, contradicts nothing`() throws {
        let head = service.state.head
        try service.take("a", Self.sales(100), seen: head)
        try service.take("b", Self.sales(100), seen: head)
        try service.take("a", Self.sales(120))
        try service.take("a", Self.sales(130), seen: head)
        #expect(service.state.contradictions.isEmpty)
    }

    @Test func `a figure that is changed again and again takes no longer each time`() throws {
        let fresh = try Restaurant.state()
        func taken(states: Int) throws -> Duration {
            let count = 20_000 / states
            let begun = ContinuousClock.now
            for _ in 0..<states {
                var state = fresh
                for number in 1...UInt64(count) {
                    let operation = ShiftOperation(device: "a", seen: number - 1, sequence: number)
                    let figure = EnterFigure(hour: 12, kind: .salesActual, value: Int64(number))
                    state.enter(figure, Stamp(operation, started: 0, place: 0), [])
                }
                let entry = try #require(state.figures.values.first)
                #expect(entry.value == Int64(count))
                #expect(entry.replaced.map(\.value).last == Int64(count - 1))
                #expect(entry.replaced.count == count - 1)
            }
            return ContinuousClock.now - begun
        }
        let limit = try taken(states: 200) * 5
        let whole = try shortestTime(under: limit) { try taken(states: 1) }
        #expect(whole < limit)
    }

    @Test mutating func `a to-do that one device does and another deletes is a contradiction`()
        throws
    {
        let added = try service.take("a", .add("Ice"))
        let id = try #require(MessageID(bytes: added.id)).description
        let head = service.state.head
        try service.take("a", .tick(id), seen: head)
        let other = try service.take("b", .tick(id, .removed), seen: head)

        #expect(service.state.isContradiction(other.id))
        let found = try #require(service.state.openContradictions.first)
        #expect(found.subject == .todo(id))
        #expect(found.first.value == .todo(.done) && found.first.stamp.name == "a")
        #expect(found.second.value == .todo(.removed) && found.second.stamp.name == "b")
        try service.take("c", .tick(id))
        #expect(service.state.openContradictions.isEmpty)
    }

    @Test mutating func `ticking a to-do doesn't contradict the mark that made it`() throws {
        let added = try service.take("a", .add("Ice"))
        let id = try #require(MessageID(bytes: added.id)).description
        try service.take("a", .mark("grill", .notOk))
        try service.take("b", .tick(id), seen: 0)
        try service.take("b", .tick("pre/grill"), seen: 0)
        #expect(service.state.contradictions.isEmpty && service.state.openContradictions.isEmpty)
    }

    @Test mutating func `a to-do that was ticked and reopened independently is open`() throws {
        try service.take("a", .mark("grill", .notOk))
        try service.take("a", .tick("pre/grill"), seen: 1)
        try service.take("b", .tick("pre/grill", .open), seen: 1)
        #expect(service.state.todos.map(\.mark) == [.open])
        try service.take("b", .tick("pre/grill"))
        #expect(service.state.todos.map(\.mark) == [.done])
    }
}
