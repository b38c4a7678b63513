import Foundation
import TestSupport
import Testing

@testable import Messages

/// A value beyond a field's limits in its .proto file is refused before a Swift value is made.
@Suite struct `A field's limits` {
    private func refusal(of message: Bounded) -> ProtobufError? {
        do throws(ProtobufError) {
            _ = try Bounded(unpacking: message.packed())
            return nil
        } catch { return error }
    }

    @Test func `accept everything up to the last byte`() throws {
        let message = Bounded(
            text: String(repeating: "é", count: 10), name: String(repeating: "~", count: 20),
            blob: [0, 1, 2, 255], texts: ["a", "b", "0123456789"], numbers: [1, 2, 3],
            pairs: ["abcd": "efgh", "": ""], time: 253_402_300_799_999, degrees: -40,
            metres: .greatestFiniteMagnitude, points: [Point(), Point()], choice: .count(10),
            part: Bounded.Part(code: "abc"))

        #expect(try Bounded(unpacking: message.packed()) == message)
    }

    @Test func `refuse by the field's name what is too long, in every place`() {
        let long: [(Bounded, String, Int, Int)] = [
            (Bounded(text: String(repeating: "é", count: 11)), "text", 22, 20),
            (Bounded(blob: [0, 0, 0, 0, 0]), "blob", 5, 4),
            (Bounded(texts: ["a", "01234567890"]), "texts", 11, 10),
            (Bounded(choice: .label("123456")), "label", 6, 5),
            (Bounded(part: Bounded.Part(code: "abcd")), "Part.code", 4, 3),
            (Bounded(pairs: ["abcde": ""]), "PairsEntry.key", 5, 4),
            (Bounded(pairs: ["": "abcde"]), "PairsEntry.value", 5, 4),
        ]
        for (message, field, bytes, limit) in long {
            #expect(
                refusal(of: message)
                    == .tooLong(field: "every.Bounded.\(field)", bytes: bytes, limit: limit))
        }
    }

    @Test func `refuse too many items, and an item that occurs twice`() {
        let many: [(Bounded, ProtobufError)] = [
            (
                Bounded(texts: ["a", "b", "c", "d"]),
                .tooMany(field: "every.Bounded.texts", count: 4, limit: 3)
            ),
            (
                Bounded(points: [Point(), Point(), Point()]),
                .tooMany(field: "every.Bounded.points", count: 3, limit: 2)
            ),
            (
                Bounded(pairs: ["a": "", "b": "", "c": ""]),
                .tooMany(field: "every.Bounded.pairs", count: 3, limit: 2)
            ),
            (Bounded(texts: ["a", "b", "a"]), .repeated(field: "every.Bounded.texts")),
            (Bounded(numbers: [5, 5]), .repeated(field: "every.Bounded.numbers")),
        ]
        for (message, error) in many { #expect(refusal(of: message) == error) }
    }

    @Test func `refuse numbers out of their range`() {
        let numbers: [(Bounded, String, String, String)] = [
            (Bounded(time: -1), "time", "-1", "0 to 253402300799999"),
            (Bounded(time: .max), "time", "9223372036854775807", "0 to 253402300799999"),
            (Bounded(end: -1), "end", "-1", "0 to 253402300799999"),
            (Bounded(degrees: 41), "degrees", "41", "-40 to 40"),
            (Bounded(metres: .nan), "metres", "nan", "a finite number"),
            (Bounded(metres: -.infinity), "metres", "-inf", "a finite number"),
            (Bounded(choice: .count(0)), "count", "0", "1 to 10"),
        ]
        for (message, field, value, range) in numbers {
            #expect(
                refusal(of: message)
                    == .outOfRange(field: "every.Bounded.\(field)", value: value, range: range))
        }
    }

    @Test func `refuse letters that are not ASCII in a name for programs`() {
        #expect(refusal(of: Bounded(name: "é")) == .notASCII(field: "every.Bounded.name"))
    }

    @Test func `refuse a run of combining marks that takes quadratic time to compare`() throws {
        let marks = String(repeating: "\u{0316}\u{0301}", count: 15)

        #expect(
            try Heartbeat(unpacking: Heartbeat(version: "e" + marks).packed()).version.count == 1)
        #expect(throws: ProtobufError.tooManyMarks(field: "bus.Heartbeat.version")) {
            try Heartbeat(unpacking: Heartbeat(version: "e" + marks + "\u{0301}").packed())
        }
    }

    @Test func `refuse a message without the part that it needs`() throws {
        #expect(throws: ProtobufError.missing(field: "every.Needy.place")) {
            try Needy(unpacking: [])
        }
        let needy = Needy(place: Point(x: 1))
        #expect(try Needy(unpacking: needy.packed()) == needy)
        #expect(try Needy(unpacking: Needy().packed()) == Needy())
    }

    @Test func `refuse commands and events without what they are about`() {
        let needy: [(any ProtobufMessage.Type, String)] = [
            (AccountChanged.self, "account"), (OrganisationChanged.self, "organisation"),
            (GrantRole.self, "grant"), (AlertAcknowledged.self, "alert"), (JobChanged.self, "job"),
            (JourneyStarted.self, "journey"), (JourneyFinished.self, "journey"),
            (Fix.self, "place"), (PutTemplate.self, "template"), (PlaceTask.self, "task"),
            (ChangeSettings.self, "settings"), (PutSparePart.self, "part"),
            (CreatePlan.self, "details"), (ChangePlanDetails.self, "details"),
            (PlanChanged.self, "plan"), (MoveItems.self, "by"), (KeepInLibrary.self, "item"),
        ]
        for (type, field) in needy {
            #expect(throws: ProtobufError.missing(field: "\(type.protobufName).\(field)")) {
                _ = try type.init(unpacking: [])
            }
        }
    }

    @Test func `don't count for what a store holds`() throws {
        let message = Bounded(text: String(repeating: "x", count: 500), time: -5)

        #expect(try Bounded(stored: message.packed()) == message)
        #expect(try Needy(stored: []) == Needy())
    }

    @Test func `are reported in a sentence`() throws {
        let error = try #require(refusal(of: Bounded(blob: [0, 0, 0, 0, 0])))

        #expect("\(error)" == "every.Bounded.blob has 5 bytes; it may have at most 4")
        #expect(error.isBeyondLimits)
    }

    @Test func `are validated quickly, however long the text`() {
        let marks = String(repeating: "\u{0316}\u{0301}", count: 1 << 15)
        let bytes = Envelope(type: marks, subject: marks).packed()
        let clock = ContinuousClock()

        let time = shortestTime(under: .seconds(2)) {
            clock.measure {
                for _ in 0..<100 { _ = try? Envelope(unpacking: bytes) }
            }
        }

        // Hashing this text once takes many seconds.
        #expect(time < .seconds(2))
    }

    @Test func `cut a text at a scalar`() {
        #expect("aé€".prefix(bytes: 6) == "aé€")
        #expect("aé€".prefix(bytes: 5) == "aé")
        #expect("aé€".prefix(bytes: 2) == "a")
        #expect("🚋".prefix(bytes: 3) == "")
        #expect("".prefix(bytes: 0) == "")
    }
}
