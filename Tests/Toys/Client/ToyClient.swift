#if DEBUG
    import Bus
    import Foundation
    import Messages
    import TestSupport
    @testable import ToyMessages

    /// Sends commands to the toy service, many at once, and records them in a journal: before a
    /// command is sent and when it is acknowledged, so that the journal is right whenever the
    /// client is killed. When it is started again with the same journal, it first sends the
    /// unacknowledged commands again, with the same ids.
    ///
    /// Arguments: the journal's path, the seed, the total number of commands for the journal, the
    /// number of commands in flight, and the percentage that raise alerts.
    struct ToyClient {
        private let journal: Journal
        private var seed: Seed
        private let count: Int
        private let window: Int
        private let alerts: Int
        private let client: Client

        init(arguments: [String]) throws {
            let numbers = arguments.dropFirst().compactMap { UInt64($0) }
            guard arguments.count == 5, numbers.count == 4 else {
                throw Complaint("usage: toy-client <journal> <seed> <count> <window> <alerts>")
            }
            journal = try Journal(path: arguments[0])
            seed = Seed(numbers[0])
            (count, window, alerts) = (Int(numbers[1]), Int(numbers[2]), Int(numbers[3]))
            let connection = Connection(
                process: "toy-client", configuration: try Bus.Configuration())
            client = try Client(connection, to: .transitAlert, isPatient: true)
        }

        mutating func run() throws {
            endWithStandardInput()
            let missing = count - Set(try journal.entries(.sent).map(\.id)).count
            var left = try journal.unfinished() + (0..<max(0, missing)).map { _ in makeEntry() }
            left.reverse()
            while !left.isEmpty || client.inFlight > 0 {
                while client.inFlight < window, let entry = left.popLast() {
                    try journal.write(.sent, entry)
                    try send(entry)
                }
                for answer in try client.receive(within: .seconds(1)) {
                    try journal.write(.acknowledged, JournalEntry(id: answer.id, try read(answer)))
                }
            }
        }

        private mutating func makeEntry() -> JournalEntry {
            let id = client.makeID()
            if seed.below(100) < alerts { return JournalEntry(id: id, "raise k\(id)") }
            if seed.oneIn(10) { return JournalEntry(id: id, "withdraw a\(seed.below(5)) 1000000") }
            return JournalEntry(id: id, "deposit a\(seed.below(5)) \(1 + seed.below(100))")
        }

        private func send(_ entry: JournalEntry) throws {
            let words = entry.text.split(separator: " ").map(String.init)
            let amount = Int64(words.last ?? "") ?? 0
            switch words[0] {
            case "raise":
                try send(Raise(key: words[1], title: words[1], recipient: "someone"), entry.id)
            case "withdraw": try send(Withdraw(account: words[1], amount: amount), entry.id)
            default: try send(Deposit(account: words[1], amount: amount), entry.id)
            }
        }

        private func send(_ command: some ProtobufMessage, _ id: MessageID) throws {
            try client.send(command, id: id, deadline: .seconds(600))
        }

        private func read(_ answer: Client.Answer) throws -> String {
            let envelope = try answer.result.get()
            switch envelope.type {
            case Deposited.protobufName:
                return "deposited \(try Deposited(unpacking: envelope.data).balance)"
            case Refusal.protobufName:
                return "refused \(try Refusal(unpacking: envelope.data).code)"
            default: return envelope.type
            }
        }
    }
#endif
