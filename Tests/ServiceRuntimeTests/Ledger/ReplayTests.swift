import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import ToyMessages

extension Processes {
    /// A producer whose answers come late, twice, or from an earlier history.
    @Suite(.serialized) struct Replays {
        @Test func `a repeated page is applied once`() throws {
            let producer = try Producer()
            try producer.answer(ReplayPage(epoch: 1, head: 2, events: producer.events(1...2, 1)))
            try producer.expectSeen(1...2)

            try producer.repeatAnswer()
            try producer.publish(3)

            try producer.expectSeen(1...3)
        }

        @Test func `a repeated snapshot doesn't set a follower back`() throws {
            let producer = try Producer()
            try producer.answer(
                ReplayPage(
                    epoch: 1, head: 5, events: producer.events(5...5, 1), snapshot: true,
                    snapshotSequence: 5))
            try producer.expectSeen(5...5)
            try producer.publish(6)
            try producer.expectSeen(5...6)

            try producer.repeatAnswer()
            try producer.publish(7)

            try producer.expectSeen(5...7)
        }

        @Test func `a snapshot that is too large is reported to people`() throws {
            let producer = try Producer()
            let event = [UInt8](repeating: 1, count: 1_000_000)
            let parts = UInt32(Snapshot.mostBytes / event.count) + 1
            for part in 0..<parts {
                try producer.answer(
                    ReplayPage(
                        epoch: 1, head: 9, events: [event], snapshot: true, snapshotSequence: 9,
                        part: part, parts: parts))
            }

            try eventually("it is reported") {
                try producer.system.published(by: .notifier)
                    .filter { $0.type == SetAside.protobufName }
                    .map { try SetAside(unpacking: $0.data) }
                    .contains {
                        $0.kind == .errand
                            && $0.reason.hasPrefix("the state of transit-alert-service has more")
                    }
            }
        }

        @Test func `a late answer from an old history doesn't bring it back`() throws {
            let producer = try Producer()
            let old = try producer.question()
            try producer.answer(ReplayPage(epoch: 2, head: 2, events: producer.events(1...2, 2)))
            try producer.expectSeen(1...2)

            try producer.answer(
                ReplayPage(epoch: 1, head: 3, events: producer.events(3...3, 1)), to: old)
            try producer.publish(3, epoch: 2)

            try producer.expectSeen(1...3)
            let epochs = try producer.system.query(.notifier, "SELECT DISTINCT epoch FROM seen")
            #expect(epochs == [["2"]])
        }
    }
}

/// Plays the service that the toy follower follows, message by message.
private final class Producer {
    let system: System
    private let commands: Socket
    private let events: Socket
    private var ids = MessageID.Generator()
    private var last: [[UInt8]] = []

    init() throws {
        system = try System()
        try system.makeFolder("run")
        let connection = try system.connection(as: "transit-alert-service")
        commands = try connection.bind(.router, as: .transitAlert, .commands)
        events = try connection.bind(.publisher, as: .transitAlert, .events)
        try system.start("toy-follower")
        try eventually("the follower listens") { try events.receive() != nil }
        try publish(100)
    }

    private func envelope(_ message: some ProtobufMessage, _ sequence: UInt64, _ epoch: UInt64)
        -> Envelope
    {
        Envelope(
            id: ids.next(at: WallClock.milliseconds()).bytes, type: type(of: message).protobufName,
            source: "transit-alert-service", sequence: sequence, epoch: epoch,
            data: message.packed())
    }

    func events(_ sequences: ClosedRange<UInt64>, _ epoch: UInt64) -> [[UInt8]] {
        sequences.map { envelope(Woke(name: "\($0)"), $0, epoch).packed() }
    }

    func publish(_ sequence: UInt64, epoch: UInt64 = 1) throws {
        let event = envelope(Woke(name: "\(sequence)"), sequence, epoch)
        try events.send([Array(Woke.topic.utf8), event.packed()])
    }

    /// Waits until the follower asks for events.
    func question() throws -> (peer: [UInt8], id: [UInt8]) {
        var question: (peer: [UInt8], id: [UInt8])?
        try eventually("the follower asks") {
            while question == nil, let frames = try commands.receive() {
                let asked = try Envelope(unpacking: frames[1].bytes)
                guard try Replay(unpacking: asked.data).limit > 0 else { continue }
                question = (frames[0].bytes, asked.id)
            }
            return question != nil
        }
        return try #require(question)
    }

    func answer(_ page: ReplayPage, to question: (peer: [UInt8], id: [UInt8])? = nil) throws {
        let question = try question ?? self.question()
        var reply = envelope(page, 0, 0)
        reply.causationId = question.id
        last = [question.peer, reply.packed()]
        try commands.send(last)
    }

    func repeatAnswer() throws { try commands.send(last) }

    func expectSeen(_ sequences: ClosedRange<UInt64>) throws {
        let sql = "SELECT sequence FROM seen ORDER BY position"
        let expected = sequences.map { [String($0)] }
        try eventually("the follower has reached \(sequences.upperBound)") {
            try system.query(.notifier, sql).last == expected.last
        }
        #expect(try system.query(.notifier, sql) == expected)
    }
}
