import Bus
import Foundation
import Messages
import Synchronization
import TestSupport

/// How long a well-behaved client waits while others misbehave.
enum FairnessBench {
    private static let questions = 2000
    private static let bystanders = 1000

    /// What others do meanwhile, on a separate thread, until it is stopped.
    private typealias Nuisance = @Sendable (Account, borrowing Atomic<Bool>) throws -> Void

    /// A person with an account who reaches the services over the network.
    private struct Account: Sendable {
        let connection: Connection
        let token: [UInt8]

        func client() throws -> Client {
            let client = try Client(connection, to: .plan, isPatient: true)
            client.token = token
            return client
        }
    }

    private static let nuisances: [(name: String, nuisance: Nuisance)] = [
        ("one floods", flood), ("one never reads", neverRead),
        ("one sends what takes longest", sendSlow), ("1,000 connect", connect),
    ]

    static func run(_ figures: inout Figures) throws {
        raiseDescriptorLimit()
        let scratch = try Scratch("tcp")
        let signer = Signer(audience: .plan)
        try signer.makeKnown(in: scratch, by: "plan-service")
        let service = try Child("plan-service", scratch)
        let client = try Account(
            connection: scratch.connection(), token: signer.token("patient")
        ).client()
        _ = try client.ask(plan("Home", beds: 20), for: Plan.self)
        let alone = try wait(of: client)
        figures.add("a reply over tcp, p99, alone", alone.p99, "ms")
        for (name, nuisance) in nuisances {
            let other = Account(connection: try scratch.connection(), token: signer.token(name))
            let beside = try wait(of: client, beside: nuisance, other)
            figures.add(
                "a reply over tcp, p99, while \(name)", beside.p99, "ms", goal: .atMostTimes(5),
                reference: ("ms alone", alone.p99))
            figures.add(
                "a reply over tcp, longest, while \(name)", beside.longest, "ms",
                goal: .atMost(250))
        }
        service.stop()
    }

    /// How long queries sent one after the other wait for their replies, in milliseconds.
    private static func wait(of client: Client) throws -> (p99: Double, longest: Double) {
        var samples = Samples()
        for _ in 0..<questions {
            samples.add(
                try time {
                    _ = try client.ask(
                        ReadPlan(plan: "Home"), for: PlanContents.self, deadline: .seconds(60))
                })
        }
        return (samples.percentile(0.99) / 1000, samples.percentile(1) / 1000)
    }

    private static func wait(
        of client: Client, beside nuisance: @escaping Nuisance, _ account: Account
    ) throws -> (p99: Double, longest: Double) {
        final class Other: Sendable {
            let mustStop = Atomic(false)
            let failure = Mutex<String?>(nil)
            let end = DispatchSemaphore(value: 0)
        }
        let other = Other()
        Thread.detachNewThread {
            do { try nuisance(account, other.mustStop) } catch {
                other.failure.withLock { $0 = "\(error)" }
            }
            other.end.signal()
        }
        Thread.sleep(forTimeInterval: 1)
        let waits = try wait(of: client)
        other.mustStop.store(true, ordering: .relaxed)
        other.end.wait()
        if let failure = other.failure.withLock({ $0 }) { throw ConfigurationError(failure) }
        return waits
    }

    // MARK: Nuisances

    @Sendable private static func flood(
        _ account: Account, _ mustStop: borrowing Atomic<Bool>
    ) throws {
        let client = try account.client()
        while !mustStop.load(ordering: .relaxed) {
            while client.inFlight < 256 {
                try client.send(ReadPlan(plan: "Home"), deadline: .seconds(60))
            }
            _ = try client.receive(within: .seconds(1))
        }
    }

    @Sendable private static func neverRead(
        _ account: Account, _ mustStop: borrowing Atomic<Bool>
    ) throws {
        let socket = try account.connection.connect(.dealer, to: .plan, .commands)
        var ids = MessageID.Generator()
        while !mustStop.load(ordering: .relaxed) {
            let now = WallClock.milliseconds()
            let envelope = Envelope(
                id: ids.next(at: now).bytes, type: ReadPlan.protobufName, source: "bench",
                time: now, token: account.token, data: ReadPlan(plan: "Home").packed())
            if try !socket.send([envelope.packed()]) { usleep(1000) }
        }
    }

    @Sendable private static func sendSlow(
        _ account: Account, _ mustStop: borrowing Atomic<Bool>
    ) throws {
        let client = try account.client()
        var number = 0
        while !mustStop.load(ordering: .relaxed) {
            number += 1
            // As many items as fit into a message, each of which is validated.
            _ = try client.ask(
                plan("Large \(number)", beds: 9_000), for: Plan.self, deadline: .seconds(60))
        }
    }

    @Sendable private static func connect(
        _ account: Account, _ mustStop: borrowing Atomic<Bool>
    ) throws {
        let endpoint = account.connection.address.connecting(.plan, .commands)
        let port = endpoint.split(separator: ":").last.flatMap { Int($0) } ?? 0
        while !mustStop.load(ordering: .relaxed) {
            let crowd = try (0..<bystanders).map { _ in try RawPeer(port: port) }
            usleep(100_000)
            withExtendedLifetime(crowd) {}
        }
    }

    private static func plan(_ name: String, beds: Int) -> CreatePlan {
        let items = (0..<beds).map { number in
            PlanItem(
                item: .element(
                    Element(
                        id: "bed-\(number)", kind: .bed,
                        centre: PlanPoint(
                            x: Int32(number % 100) * 1_000, y: Int32(number / 100) * 2_100),
                        width: 900, depth: 2_000)))
        }
        return CreatePlan(details: PlanDetails(name: name), items: items)
    }

    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
