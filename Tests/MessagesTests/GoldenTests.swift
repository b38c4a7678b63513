import Foundation
import Testing

@testable import Messages

/// What protoc packs from the text next to it (Fixtures/golden), byte for byte.
@Suite struct `The bytes on the wire are protoc's` {
    private func check<M: ProtobufMessage>(_ message: M, _ name: String) throws {
        let file = fixtures.appending(path: "Golden/\(name).hex")
        let digits = try String(contentsOf: file, encoding: .utf8).filter { !$0.isWhitespace }

        #expect(hexText(message.packed()) == digits)
        let bytes = try JSONDecoder().decode(HexText.self, from: Data("\"\(digits)\"".utf8)).bytes
        // Some have the largest possible numbers, which exceed the limits of the fields.
        #expect(try M(stored: bytes) == message)
    }

    @Test func `for every golden file there is a test`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: fixtures.appending(path: "Golden").path())

        #expect(
            Set(files.map { $0.prefix { $0 != "." } }) == [
                "envelope", "journey", "status", "notice", "singles", "lists", "choice",
                "optionals",
            ])
    }

    @Test func `for an envelope`() throws {
        let id = try #require(MessageID("0192e4a1-7b3c-7def-8123-456789abcdef"))
        try check(
            Envelope(
                id: id.bytes, type: "transit.StartJourney", source: "gateway",
                subject: id.description, time: 1_790_000_000_000, sequence: .max, epoch: 3,
                correlationId: [0, 255], actor: "anna", deadline: -1, data: [10, 0]),
            "envelope")
    }

    @Test func `for a journey`() throws {
        let stop = Stop(
            feed: "rnv", id: "de:08222:2417", name: "Mannheim, Paradeplatz ⚑",
            place: Coordinate(latitudeE7: 494_875_000, longitudeE7: -84_660_000), metres: 0,
            routes: ["1", "", "5A"])
        try check(
            Journey(
                id: "0192", feed: "rnv", stop: stop, owner: "anna", stage: .getReady,
                notice: 180_000, started: 1_790_000_000_000, remaining: 0, route: "5", fixes: 17,
                estimated: true, clock: JourneyClock(origin: 1, speed: 60)),
            "journey")
    }

    @Test func `for a service's status`() throws {
        let cursor = ServiceStatus.Cursor(
            producer: "plan-service", sequence: 127, head: 128, heard: 1)
        try check(
            ServiceStatus(
                service: "notifier", version: "0.1.0",
                followers: [ServiceStatus.Follower(name: "gateway", sequence: 300), .init()],
                cursors: [cursor], deadLetters: 1,
                counters: [
                    "messages.malformed": .max, "commands.accepted": 12, "commands.refused": 1,
                ]),
            "status")
    }

    @Test func `for a notice of an alert`() throws {
        let raised = AlertRaised(
            key: "journey/0192/get-ready", kind: "transit.getReady", severity: .urgent,
            title: "Get ready", needsAcknowledgement: true, repeatEvery: 30_000,
            actions: [
                Action(name: "acknowledge", title: "OK"),
                Action(name: "open", target: "https://example.org/"),
            ])
        let alert = Alert(
            id: "0192e4a1-7b3c-7def-8123-456789abcdef", source: "transit-alert-service",
            raised: raised, state: .open, repeats: 2)
        try check(AlertNotice(feedSequence: 9, reason: .repeated, alert: alert), "notice")
    }

    @Test func `for one field of each kind`() throws {
        try check(
            Singles(
                aDouble: -0.0, aFloat: 1.5, anInt32: .min, anInt64: .min, aUint32: .max,
                aUint64: .max, aSint32: .min, aSint64: .max, aFixed32: 1, aFixed64: 2,
                anSfixed32: -1, anSfixed64: -2, aBool: true, aString: "a\0b🚋",
                someBytes: [0, 255], color: .deepBlue, point: Point(x: .infinity, y: -0.5)),
            "singles")
    }

    @Test func `for lists of each kind`() throws {
        try check(
            Lists(
                doubles: [0, -0.0, 1], floats: [0, 1], int32s: [0, -1], int64s: [-1, 1],
                uint32s: [300], sint32s: [-1, 1], sint64s: [-2], fixed32s: [1], sfixed64s: [-1],
                bools: [true, false], strings: ["", "é"], blobs: [[], [1]],
                colors: [.infrared, .deepBlue, .unspecified], points: [Point(), Point(y: 2)],
                loose: [1, -1]),
            "lists")
    }

    @Test func `for choices and optional fields that are empty`() throws {
        try check(Choice(value: .text(""), second: .right(""), after: 1), "choice")
        try check(Optionals(number: 0, text: "", flag: false, real: 0, point: Point()), "optionals")
    }
}
