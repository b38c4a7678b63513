import Bus
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    /// Replies that would be too large to send.
    @Suite(.serialized) struct Sizes {
        private static let ballast = UInt32(Envelope.maximumSize)

        @Test func `a command whose answer would be too large is undone and refused`() throws {
            let toys = try Toys()
            try toys.startService()

            let refused = #expect(throws: ClientError.self) {
                try toys.client.ask(
                    Deposit(account: "a", amount: 1, ballast: Self.ballast),
                    for: Deposited.self)
            }

            try expectTooLarge(refused)
            #expect(try toys.entries() == [])
            #expect(try toys.published() == [])
            #expect(try toys.deposit(2).balance == 2)
        }

        @Test func `a slow or secret command whose answer would be too large is undone too`() throws
        {
            let toys = try Toys()
            try toys.startService()

            let slow = #expect(throws: ClientError.self) {
                try toys.client.ask(
                    Ponder(account: "a", amount: 1, ballast: Self.ballast),
                    for: Deposited.self)
            }
            let secret = #expect(throws: ClientError.self) {
                try toys.client.ask(
                    Whisper(account: "a", ballast: Self.ballast), for: Whispered.self)
            }

            try expectTooLarge(slow)
            try expectTooLarge(secret)
            // A slow command writes this before its work is committed.
            #expect(try toys.entries() == [["a", "0"]])
        }

        @Test func `text that a sender makes the service repeat doesn't stop it`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            _ = try toys.balance()
            let socket = try toys.system.connection().connect(.dealer, to: .transitAlert, .commands)
            let long = Envelope.maximumSize - 60
            let text = String(repeating: "x", count: long)
            let ids = (0..<3).map { _ in toys.client.makeID().bytes }
            let messages = [
                Envelope(
                    id: ids[0], type: "toy.Unknown", correlationId: [UInt8](text.utf8)),
                Envelope(id: ids[1], type: ReadBalance.protobufName, subject: text),
                Envelope(
                    id: ids[2], type: ReadJob.protobufName, data: ReadJob(jobId: text).packed()),
            ]

            for message in messages {
                try eventually("it is sent") { try socket.send([message.packed()]) }
            }

            var answers: [Envelope] = []
            try eventually("all are answered\n\(service.lastWords)") {
                while let frames = try socket.receive() {
                    answers.append(try Envelope(unpacking: frames[0].bytes))
                }
                return answers.count == 3
            }
            #expect(Set(answers.map(\.causationId)) == Set(ids))
            #expect(answers.allSatisfy { $0.packed().count <= Envelope.maximumSize })
            #expect(service.isRunning)
        }

        private func expectTooLarge(_ error: ClientError?) throws {
            guard case .refused(let refusal) = error else {
                throw Complaint("it was not refused: \(error.map { "\($0)" } ?? "accepted")")
            }
            #expect(refusal.code == .tooLarge)
            #expect(refusal.message.hasSuffix("nothing was changed, ask for less"))
        }
    }
}
