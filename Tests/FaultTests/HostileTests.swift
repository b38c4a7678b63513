import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

/// A service under attack, and the cost of the attack.
private final class Fortress {
    let system: System
    let service: Program
    let client: Client
    private let name: ServiceName
    private let atFirst: Int

    init(_ executable: String = "toy-service", _ name: ServiceName = .transitAlert) throws {
        system = try System()
        self.name = name
        service = try system.launch(executable, adding: ["STEWARD_LOG": "error"])
        client = try system.client(of: name)
        _ = try client.ask(ReadStatus(), for: ServiceStatus.self)
        atFirst = try service.residentMemory()
    }

    func socket(_ kind: Socket.Kind, _ endpoint: EndpointKind) throws -> Socket {
        try system.connection().connect(kind, to: name, endpoint)
    }

    func raw(_ endpoint: EndpointKind) throws -> RawPeer {
        try RawPeer(system.path("run/\(name.rawValue).\(endpoint.rawValue)"))
    }

    /// Sends a message as soon as the queue has room.
    func press(_ frames: [[UInt8]], on socket: Socket) throws {
        try eventually("there is room in the queue") { try socket.send(frames) }
    }

    /// Expects that the service still answers and has grown by less than `limit` MiB.
    func expectUnharmed(_ attack: String, within limit: Int = 20) throws {
        let status = try client.ask(
            ReadStatus(), for: ServiceStatus.self, deadline: .seconds(60))
        let growth = Double(try service.residentMemory() - atFirst) / Double(1 << 20)
        print("\(attack): \(String(format: "%.1f", growth)) MiB more, \(status.counters)")
        #expect(service.isRunning)
        #expect(growth < Double(limit), "\(attack)")
    }
}

extension Faults {
    /// Whatever arrives at an endpoint, the service answers it or drops it, and stays up and small.
    @Suite(.serialized) struct Hostile {
        /// The number of bad messages: a million, unless `HOSTILE_MESSAGES` says otherwise.
        static let count: Int = {
            let text = ProcessInfo.processInfo.environment["HOSTILE_MESSAGES"]
            return text.flatMap { Int($0) } ?? 1_000_000
        }()

        @Test(arguments: Seed.some(1))
        func `a million bad messages do no harm`(seed: Seed) throws {
            var seed = seed
            let fortress = try Fortress()
            let socket = try fortress.socket(.dealer, .commands)

            for _ in 0..<Self.count {
                try fortress.press(anything(&seed), on: socket)
                // Some of them are answered.
                while seed.oneIn(4), try socket.receive() != nil {}
            }

            try fortress.expectUnharmed("\(Self.count) bad messages")
            #expect(
                try fortress.client.ask(
                    Deposit(account: "a", amount: 1), for: Deposited.self
                ).balance == 1)
        }

        @Test func `frames that are far too large do no harm`() throws {
            let fortress = try Fortress()
            let socket = try fortress.socket(.dealer, .commands)
            let large = [UInt8](repeating: 1, count: 10 << 20)

            for _ in 0..<30 { try fortress.press([large], on: socket) }

            try fortress.expectUnharmed("30 frames of 10 MiB")
        }

        @Test func `messages a little too large do no harm, even faster than they are read`() throws
        {
            let fortress = try Fortress()
            let socket = try fortress.socket(.dealer, .commands)
            let large = [UInt8](repeating: 1, count: 1_500_000)

            for _ in 0..<500 { try fortress.press([large], on: socket) }

            try fortress.expectUnharmed("500 messages of 1.5 MB", within: 100)
        }

        @Test func `a message of very many frames is held until its end`() throws {
            let fortress = try Fortress()
            let peer = try fortress.raw(.commands)
            peer.shakeHands(as: "DEALER")
            let frame = RawPeer.frame([UInt8](repeating: 1, count: 100_000), more: true)
            let before = try fortress.service.residentMemory()

            for _ in 0..<1000 { peer.send(frame) }
            try eventually("it is held") {
                try fortress.service.residentMemory() - before > 50 << 20
            }
            peer.send(RawPeer.frame([]))

            // ZeroMQ sets no limit here: 100 MB sent are 100 MB in memory. Only the owner of the
            // machine account, or of a key, can do this.
            try fortress.expectUnharmed("a message of 1000 frames of 100 kB", within: 130)
        }

        @Test(arguments: Seed.some(1))
        func `bytes that are not ZeroMQ do no harm`(seed: Seed) throws {
            var seed = seed
            let fortress = try Fortress("notifier", .notifier)
            for endpoint in EndpointKind.allCases {
                for _ in 0..<300 {
                    let peer = try fortress.raw(endpoint)
                    if seed.oneIn(2) {
                        peer.shakeHands(as: seed.pick(["DEALER", "SUB", "REP", ""]))
                    }
                    peer.send(bytes(seed.below(3000), &seed))
                    if seed.oneIn(4) {
                        // A frame that announces 2^62 bytes.
                        peer.send([2, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3])
                    }
                }
            }
            try fortress.expectUnharmed("900 connections of garbage")
        }

        @Test func `connections that are opened and dropped do no harm`() throws {
            let fortress = try Fortress("notifier", .notifier)
            for endpoint in EndpointKind.allCases {
                for _ in 0..<2000 { _ = try fortress.raw(endpoint) }
            }
            try fortress.expectUnharmed("6000 connections")
        }

        @Test(arguments: Seed.some(1))
        func `a subscriber that sends messages does no harm`(seed: Seed) throws {
            var seed = seed
            let fortress = try Fortress("notifier", .notifier)
            for endpoint in [EndpointKind.events, .alerts] {
                let peer = try fortress.raw(endpoint)
                peer.shakeHands(as: "SUB")
                for _ in 0..<Self.count / 20 {
                    // The first byte is neither “subscribe” nor “unsubscribe”.
                    peer.send(RawPeer.frame([2] + bytes(seed.below(100), &seed)))
                }
            }
            try fortress.expectUnharmed("\(Self.count / 10) messages to publishers")
        }

        @Test func `a client that never reads its answers does no harm`() throws {
            let fortress = try Fortress()
            let socket = try fortress.socket(.dealer, .commands)
            var ids = MessageID.Generator()
            let question = ReadBalance(account: "a", ballast: 10_000).packed()

            for _ in 0..<20_000 {
                let envelope = Envelope(
                    id: ids.next(at: WallClock.milliseconds()).bytes,
                    type: ReadBalance.protobufName, source: "test", data: question)
                try fortress.press([envelope.packed()], on: socket)
            }

            // The queue of a peer has room for 1,000 answers; the rest is dropped.
            try fortress.expectUnharmed("20000 answers of 10 kB unread", within: 40)
        }

        @Test func `a subscriber to very many topics does no harm`() throws {
            let fortress = try Fortress()
            let peer = try fortress.raw(.events)
            peer.shakeHands(as: "SUB")
            var seed = Seed(1)
            for _ in 0..<Self.count / 10 {
                peer.send(RawPeer.frame([1] + bytes(16, &seed)))
            }
            // ZeroMQ keeps each topic while the subscriber is connected, and doesn't limit their
            // number. Only the owner of the machine account, or of a key, can do this.
            try fortress.expectUnharmed("\(Self.count / 10) topics", within: 130)
        }

        // MARK: What is sent

        /// Returns any number of frames: arbitrary bytes, or a message that is nearly valid.
        private func anything(_ seed: inout Seed) -> [[UInt8]] {
            switch seed.below(8) {
            case 0: return (0...seed.below(8)).map { _ in bytes(seed.below(50), &seed) }
            case 1: return [bytes(seed.below(2000), &seed)]
            case 2: return [[]]
            case 3: return [[UInt8](repeating: 0x0B, count: seed.below(5000))]  // open groups
            case 4:
                var message = envelope("toy.Deposit", bytes(seed.below(60), &seed), &seed)
                message.actor = String(repeating: "x", count: seed.below(100))
                return [message.packed()]
            case 5: return [envelope("no.Such\(seed.below(1000))", [], &seed).packed()]
            case 6:
                // A text that isn't UTF-8.
                return [envelope("toy.Deposit", [0x0A, 2, 0xC3, 0x28], &seed).packed()]
            default:
                var packed = envelope("bus.ReadStatus", [], &seed).packed()
                packed[seed.below(packed.count)] ^= UInt8(1 << seed.below(8))
                return [Array(packed.prefix(seed.below(packed.count + 1)))]
            }
        }

        private func envelope(_ type: String, _ data: [UInt8], _ seed: inout Seed) -> Envelope {
            Envelope(
                id: bytes(seed.oneIn(20) ? 15 : 16, &seed), type: type, source: "test", data: data)
        }

        private func bytes(_ count: Int, _ seed: inout Seed) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                var number = seed.next()
                for _ in 0..<min(8, count - bytes.count) {
                    bytes.append(UInt8(truncatingIfNeeded: number))
                    number >>= 8
                }
            }
            return bytes
        }
    }
}
