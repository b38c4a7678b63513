import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Faults {
    /// A well-behaved client among many that aren't.
    @Suite(.serialized) struct Crowds {
        private static let patience: Duration = .seconds(5)

        /// Sends questions one after another, and returns the longest wait for an answer.
        private func longest(_ client: Client, questions: Int = 40) throws -> Duration {
            var longest = Duration.zero
            for _ in 0..<questions {
                longest = try max(
                    longest,
                    ContinuousClock().measure {
                        _ = try client.ask(
                            ReadBalance(account: "a"), for: Balance.self, deadline: .seconds(120))
                    })
            }
            return longest
        }

        private func question(_ ids: inout MessageID.Generator, ballast: UInt32) -> [UInt8] {
            Envelope(
                id: ids.next(at: WallClock.milliseconds()).bytes,
                type: ReadBalance.protobufName, source: "test",
                data: ReadBalance(account: "a", ballast: ballast).packed()
            ).packed()
        }

        @Test(arguments: ["run", "tcp"])
        func `clients that never read cost neither memory nor other clients' time`(
            transport: String
        ) throws {
            let system = try System()
            let bus = transport == "run" ? "run" : "tcp://127.0.0.1:\(Loopback.port())"
            let service = try system.launch(
                "toy-service", bus: bus, adding: ["STEWARD_LOG": "info"])
            try service.waitUntilReady()
            let client = try system.client(bus: bus)
            _ = try longest(client, questions: 3)
            let before = try service.residentMemory()

            var ids = MessageID.Generator()
            let deaf = try (0..<3).map { _ in
                try system.connection(bus: bus).connect(.dealer, to: .transitAlert, .commands)
            }
            var most = 0
            for _ in 0..<250 {
                for socket in deaf {
                    let bytes = question(&ids, ballast: 1_000_000)
                    try eventually("there is room in the queue") { try socket.send([bytes]) }
                }
                most = max(most, try service.residentMemory())
            }
            let wait = try shortestTime(under: Self.patience) { try longest(client) }
            most = max(most, try service.residentMemory())

            let growth = (most - before) >> 20
            print("\(transport): \(growth) MiB more, longest wait \(wait)")
            #expect(growth < 200)
            #expect(wait < Self.patience)
        }

        @Test func `a flood from one client doesn't delay a single query of another`() throws {
            let system = try System()
            let service = try system.start("toy-service")
            let client = try system.client()
            _ = try longest(client, questions: 3)
            let wait = try shortestTime(under: .seconds(1)) {
                let flood = try system.client()
                // These are about a thousand messages that each take the service a millisecond or
                // more.
                for _ in 0..<1000 {
                    try flood.send(
                        ReadBalance(account: "a", ballast: 400_000), deadline: .seconds(120))
                }
                let wait = try longest(client, questions: 10)
                while flood.inFlight > 0 { _ = try flood.receive(within: .seconds(120)) }
                return wait
            }

            print("longest wait beside a flood: \(wait)")
            #expect(wait < .seconds(1))
            #expect(service.isRunning)
        }

        @Test func `bare connections exhaust nothing that the service needs`() throws {
            let system = try System()
            try system.makeKeys()
            let port = Loopback.port()
            let bus = "tcp://127.0.0.1:\(port)"
            let service = try system.launch(
                "notifier", bus: bus, adding: ["STEWARD_KEYS": system.path("keys")],
                through: ["/usr/bin/prlimit", "--nofile=128:128"])
            try service.waitUntilReady()
            let client = try system.client(of: .notifier, bus: bus, keys: "keys")
            _ = try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(30))

            var bare = try (0..<300).map { _ in try RawPeer(port: port + 3) }
            // The service reads its keys each second.
            let end = ContinuousClock.now + .seconds(5)
            try eventually("it has read them several times") {
                guard service.isRunning else { return true }
                _ = try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(30))
                return ContinuousClock.now >= end
            }
            #expect(service.isRunning, "\(service.lastWords)")

            // A connection that says nothing is cut after a while, and then an honest client gets
            // in again.
            let other = try system.client(of: .notifier, bus: bus, keys: "keys")
            _ = try other.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(90))
            bare.removeAll()
        }

        @Test func `one address gets no more than its share of the connections`() throws {
            let system = try System()
            let port = Loopback.port()
            let service = try system.launch(
                "toy-service", bus: "tcp://127.0.0.1:\(port)",
                through: ["/usr/bin/prlimit", "--nofile=400:400"])
            try service.waitUntilReady()
            let client = try system.client(bus: "tcp://127.0.0.1:\(port)")
            _ = try longest(client, questions: 1)
            func connections() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.pid)/fd").count
            }
            let before = try connections()

            // A peer that has completed the handshake is never cut for silence.
            let crowd = try (0..<300).map { _ in
                let peer = try RawPeer(port: port)
                peer.shakeHands(as: "DEALER")
                return peer
            }
            try eventually("half of the descriptors are free") {
                try connections() <= before + 200
            }

            // The clients that came first stay.
            let wait = try shortestTime(under: Self.patience) { try longest(client) }
            #expect(wait < Self.patience)
            let status = try client.ask(ReadStatus(), for: ServiceStatus.self)
            #expect((status.counters["connections.cut"] ?? 0) >= 100)
            #expect(crowd.count == 300)
        }

        @Test func `a subscriber that never reads uses no memory`() throws {
            let system = try System()
            let service = try system.start("toy-service")
            let client = try system.client()
            _ = try longest(client, questions: 3)
            let before = try service.residentMemory()
            let deaf = try RawPeer(system.path("run/transit-alert-service.events"))
            deaf.shakeHands(as: "SUB")
            deaf.send(RawPeer.frame([1]))
            let muddle = Muddle(account: String(repeating: "x", count: 900_000))

            for _ in 0..<200 {
                _ = try client.ask(muddle, for: Muddled.self, deadline: .seconds(120))
            }

            let growth = (try service.residentMemory() - before) >> 20
            print("200 events of 900 kB unread: \(growth) MiB more")
            #expect(growth < 120)
            withExtendedLifetime(deaf) {}
        }

        @Test func `a service raises its limit of file descriptors to the maximum`() throws {
            let system = try System()
            let service = try system.launch(
                "notifier", through: ["/usr/bin/prlimit", "--nofile=256:4096"])
            try service.waitUntilReady()

            let limits = try String(
                contentsOfFile: "/proc/\(service.pid)/limits", encoding: .utf8)

            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
            #expect(line?.split(separator: " ")[3] == "4096")
        }
    }
}
