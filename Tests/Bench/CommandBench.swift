import Bus
import Foundation
import Messages
import ServiceRuntime

/// Durable commands, compared with plain SQLite committing the same rows and plain ZeroMQ carrying
/// them.
enum CommandBench {
    static func run(_ transport: String, _ figures: inout Figures) throws {
        let scratch = try Scratch(transport)
        let service = try Child("bench-service", scratch)
        let client = try Client(scratch.connection(), to: .transitAlert, isPatient: true)
        _ = try client.ask(ReadStatus(), for: ServiceStatus.self)
        try oneAtATime(transport, client, scratch, &figures)
        try pipelined(transport, client, scratch, &figures)
        service.stop()
    }

    /// Alternates between the service and the references, so that all run under the same
    /// conditions.
    private static func oneAtATime(
        _ transport: String, _ client: Client, _ scratch: Scratch, _ figures: inout Figures
    ) throws {
        let bare = BareSQLite(scratch.directory + "/bare-one", bytes: Workload.rowBytes)
        let echo = BareEcho(scratch.directory + "/bare-echo", bytes: Workload.rowBytes)
        var samples = Samples()
        var (commits, trips) = (Samples(), Samples())
        for number in 0..<4000 {
            if number % 100 == 50 {
                for _ in 0..<100 { commits.add(time { bare.commit(1, note: Workload.note) }) }
                for _ in 0..<100 { trips.add(time { echo.roundTrip() }) }
            }
            samples.add(
                try time {
                    _ = try client.ask(Workload.command(number), for: AlertWithdrawn.self)
                })
        }
        func reference(_ share: Double) -> Double {
            commits.percentile(share) + trips.percentile(share)
        }
        let name = "durable command over \(transport), one at a time"
        figures.add(
            "\(name), p50", samples.percentile(0.5), "us",
            goal: transport == "ipc" ? .atMostTimes(1.5) : .none,
            reference: ("us bare commit + bare ipc round trip", reference(0.5)))
        figures.add(
            "\(name), p99", samples.percentile(0.99), "us",
            reference: ("us bare commit + bare ipc round trip", reference(0.99)))
        guard transport == "ipc" else { return }
        figures.add("bare SQLite commit, p50", commits.percentile(0.5), "us")
        figures.add("bare round trip over ipc, p50", trips.percentile(0.5), "us")
    }

    private static func pipelined(
        _ transport: String, _ client: Client, _ scratch: Scratch, _ figures: inout Figures
    ) throws {
        let bare = BareSQLite(scratch.directory + "/bare-many", bytes: Workload.rowBytes)
        let (rounds, perRound) = (5, 25_600)
        var ours = Duration.zero
        var reference = Duration.zero
        for round in 0..<rounds {
            ours += try time {
                var (sent, done) = (0, 0)
                while done < perRound {
                    while sent < perRound, client.inFlight < 256 {
                        try client.send(Workload.command(round * perRound + sent))
                        sent += 1
                    }
                    for answer in try client.receive(within: .seconds(30)) {
                        _ = try answer.result.get()
                        done += 1
                    }
                }
            }
            reference += time {
                for _ in 0..<(perRound / 256) { bare.commit(256, note: Workload.note) }
            }
        }
        let total = Double(rounds * perRound)
        let (rate, bareRate) = (total / (ours / .seconds(1)), total / (reference / .seconds(1)))
        let name = "durable commands over \(transport), 256 in flight"
        figures.add(
            name, rate, "/s", goal: transport == "ipc" ? .atLeastTimes(0.6) : .none,
            reference: ("/s bare SQLite, 256 a commit", bareRate))
        if transport == "ipc" { figures.add(name, rate, "/s", goal: .atLeast(25_000)) }
    }
}

/// How long `body` takes.
func time(_ body: () throws -> Void) rethrows -> Duration {
    let start = ContinuousClock.now
    try body()
    return ContinuousClock.now - start
}

/// The processor time of `body`: its duration on an otherwise idle machine.
func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = ProcessorTime.ofThisThread()
    try body()
    return .seconds(ProcessorTime.ofThisThread() - start)
}
