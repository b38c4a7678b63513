import Bus
import Messages
import Testing

@testable import ServiceRuntime

/// The rows that a snapshot lacks.
struct LeftOutTests {
    private let rows = LeftOut(log: Log(service: "test", threshold: .error))

    private func told() throws -> [Envelope] {
        var told: [Envelope] = []
        try rows.pass { event, subject in
            told.append(
                Envelope(
                    type: type(of: event).protobufName, subject: subject, data: event.packed()))
        }
        return told
    }

    @Test func `a snapshot names once what it lacks, with the first reason of each kind`() throws {
        try rows.note("account", "ann", "first")
        try rows.note("site", "harbour", "third")
        try rows.note("account", "bob", "second")
        try rows.note("account", "ann", "once more")

        let told = try self.told()

        #expect(told.map(\.subject) == ["ann", "bob", "harbour"])
        #expect(told.leftOut == ["ann", "bob", "harbour"])
        let reasons = try told.map { try SetAside(unpacking: $0.data).reason }
        #expect(reasons == ["first", "first", "third"])
    }

    @Test func `what is put aside otherwise names no row`() {
        let aside = Envelope(type: SetAside.protobufName)
        let account = Envelope(type: AccountChanged.protobufName, subject: "ann")
        #expect([aside, account].leftOut.isEmpty)
    }

    @Test func `there is no snapshot if more than a thousand rows can't be read`() throws {
        for number in 0..<LeftOut.most { try rows.note("plan", "\(number)", "damaged") }
        #expect(throws: Refusal.self) { try rows.note("plan", "last", "damaged") }
    }
}
