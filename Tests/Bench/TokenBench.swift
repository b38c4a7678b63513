import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime

/// How long a service takes to verify an access token, the first time and again. The same work
/// alternates with and without tokens; the difference is the cost of the token.
enum TokenBench {
    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let signer = Signer(audience: .transitAlert)
        try signer.makeKnown(in: scratch, by: "bench-service")
        try judging(signer, scratch, &figures)
        let service = try Child("bench-service", scratch)
        let client = try Client(scratch.connection(), to: .transitAlert, isPatient: true)
        _ = try client.ask(ReadStatus(), for: ServiceStatus.self)

        let (rounds, perRound) = (8, 4000)
        var (bare, first, again) = (Duration.zero, Duration.zero, Duration.zero)
        for round in 0..<rounds {
            let tokens = (0..<perRound).map { signer.token("account \(round) \($0)") }
            let same = signer.token("one")
            bare += try pipelined(client, perRound) { _ in [] }
            first += try pipelined(client, perRound) { tokens[$0] }
            again += try pipelined(client, perRound) { _ in same }
        }
        let total = rounds * perRound
        let cost = { (time: Duration) in (time - bare) / .microseconds(1) / Double(total) }
        figures.add("access token, first time", cost(first), "us", goal: .atMost(250))
        figures.add("access token, known already", cost(again), "us", goal: .atMost(5))
        try commands(client, signer.token("one"), &figures)
        service.stop()
    }

    /// Verification alone, as in the loop of a service but without messages, in processor time,
    /// because nothing waits.
    private static func judging(
        _ signer: Signer, _ scratch: Scratch, _ figures: inout Figures
    ) throws {
        let store = "\(scratch.directory)/\(ServiceName.transitAlert.rawValue).sqlite"
        let tokens = (0..<5000).map { signer.token("account \($0)") }
        let now = WallClock.milliseconds()
        let rounds = 40
        let (first, again) = try DatabaseQueue(path: store).inDatabase { db in
            let verifier = TokenVerifier(audience: .transitAlert, keys: AccessKeys(), db: db)
            func judgeAll() throws {
                for token in tokens {
                    let principal = try verifier.principal(of: token, at: now)
                    precondition(principal != nil, "a good token was refused")
                }
            }
            return (
                try processorTime { try judgeAll() },
                try processorTime { for _ in 0..<rounds { try judgeAll() } }
            )
        }
        let cost = { (time: Duration, times: Int) in
            time / .microseconds(1) / Double(tokens.count * times)
        }
        figures.add(
            "judging an access token, first time", cost(first, 1), "us", goal: .atMost(250))
        figures.add(
            "judging an access token, known already", cost(again, rounds), "us", goal: .atMost(5))
    }

    /// Durable commands of an account, compared with those of the machine's owner.
    private static func commands(
        _ client: Client, _ token: [UInt8], _ figures: inout Figures
    ) throws {
        let (rounds, perRound) = (4, 25_600)
        var (without, with) = (Duration.zero, Duration.zero)
        for round in 0..<rounds {
            for proof in [[], token] {
                client.token = proof
                let taken = try time {
                    try exchange(client, perRound) {
                        try client.send(Workload.command(round * perRound + $0))
                    }
                }
                if proof.isEmpty { without += taken } else { with += taken }
            }
        }
        let total = Double(rounds * perRound)
        figures.add(
            "durable commands with an access token", total / (with / .seconds(1)), "/s",
            goal: .atLeastTimes(0.85),
            reference: ("/s without a token", total / (without / .seconds(1))))
    }

    private static func pipelined(
        _ client: Client, _ count: Int, _ token: (Int) -> [UInt8]
    ) throws -> Duration {
        try time {
            try exchange(client, count) {
                client.token = token($0)
                try client.send(ReadStatus())
            }
        }
    }

    /// Sends this number of messages, 256 in flight, and makes sure that none is refused.
    private static func exchange(
        _ client: Client, _ count: Int, _ send: (Int) throws -> Void
    ) throws {
        var (sent, done) = (0, 0)
        while done < count {
            while sent < count, client.inFlight < 256 {
                try send(sent)
                sent += 1
            }
            for answer in try client.receive(within: .seconds(30)) {
                let reply = try answer.result.get()
                guard reply.type != Refusal.protobufName else {
                    throw ClientError.refused(try Refusal(unpacking: reply.data))
                }
                done += 1
            }
        }
    }
}
