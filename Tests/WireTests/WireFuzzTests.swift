import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ArbitraryMessages

extension Wire {
    /// Random messages of every type, whole and mutated, to every running service from every
    /// sender. `WIRE_SECONDS` sets how long each seed runs; with `SEEDS` the strict limits apply.
    @Suite(.serialized) struct `Whatever is sent to a service` {
        @Test(arguments: Seed.some(1))
        func `it stays up and fast, and fails at nothing`(seed: Seed) throws {
            let fuzzer = try WireFuzzer(seed)

            try fuzzer.run(for: .seconds(WireFuzzer.number("WIRE_SECONDS") ?? 20))

            // If no message gets through, the test shows little.
            #expect(fuzzer.accepted > 0)
            try fuzzer.expectUnharmed()
            #expect(fuzzer.complaints == [])
        }
    }
}

/// Sends messages made from a seed, and measures how they affect others.
final class WireFuzzer {
    private struct Target {
        let service: ServiceName
        let types: [any AnyMessage.Type]
        let peer: Peer
        let memory: Int
    }

    /// A type of message, its receiver and its sender.
    private struct Probe {
        let target: Int
        let type: any AnyMessage.Type
        let who: String
    }

    private let installation: Installation
    private let start: Seed
    private var seed: Seed
    private var targets: [Target] = []
    private var unfinished: [RawPeer] = []
    private let storeAtFirst: Int
    private(set) var complaints: [String] = []
    private var sent = 0
    private(set) var accepted = 0
    /// The messages to send next. Each type goes to each service from every sender, in an order
    /// given by the seed, before any is sent again.
    private var round: [Probe] = []
    private var rounds = 0
    /// The types that were accepted at least once, by service.
    private var reached: [ServiceName: Set<String>] = [:]

    /// How long a message may delay others: a strict limit if nothing else runs on the machine, and
    /// a looser one if other tests do.
    private static let longestWait: Duration =
        number("SEEDS") == nil ? .seconds(30) : .milliseconds(250)
    /// How long the loop may work on one message in a debug build.
    private static let longestWork: Duration = .milliseconds(1_000)

    /// How often objects that no longer exist are made again.
    private static let renewal: Duration = .seconds(30)

    static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    init(_ seed: Seed) throws {
        (start, self.seed) = (seed, seed)
        installation = try Installation()
        try installation.settle()
        storeAtFirst = try installation.storeSize()
        for service in ServiceName.allCases {
            let peer = try Peer(installation, service)
            let types = try publishedMessages.filter { type in
                try peer.reply(to: peer.envelope(type.protobufName, [])).map {
                    try $0.type != Refusal.protobufName
                        || Refusal(unpacking: $0.data).code != .unknownType
                } ?? true
            }
            targets.append(
                Target(
                    service: service, types: types, peer: peer,
                    memory: try installation.programs[service]?.residentMemory() ?? 0))
            try leaveUnfinished(service)
        }
    }

    /// Opens connections that begin a message of several frames and never end it.
    private func leaveUnfinished(_ service: ServiceName) throws {
        for _ in 0..<3 {
            let peer = try RawPeer(
                installation.system.path("run/\(service.rawValue).\(EndpointKind.commands)"))
            peer.shakeHands(as: "DEALER")
            peer.send(RawPeer.frame([UInt8](repeating: 7, count: 100_000), more: true))
            unfinished.append(peer)
        }
    }

    func run(for time: Duration) throws {
        let clock = ContinuousClock()
        let end = clock.now + time
        var renewal = clock.now + Self.renewal
        while clock.now < end, complaints.count < 5 {
            if clock.now > renewal {
                try installation.replenish()
                renewal = clock.now + Self.renewal
            }
            try step(nextProbe())
        }
        print(
            "\(start): \(sent) messages to \(targets.map(\.types.count)) types, "
                + "\(accepted) accepted, \(rounds) times each type by each role")
        for target in targets {
            let names = target.types.map { $0.protobufName }
            let missed = names.filter { reached[target.service]?.contains($0) != true }
            print("\(target.service.rawValue) never accepted: \(missed.joined(separator: ", "))")
        }
    }

    private func nextProbe() -> Probe {
        if let probe = round.popLast() { return probe }
        rounds += round.isEmpty && sent > 0 ? 1 : 0
        round = targets.indices.flatMap { target in
            targets[target].types.flatMap { type in
                installation.tokens.keys.sorted().map {
                    Probe(target: target, type: type, who: $0)
                }
            }
        }
        round.shuffle(using: &seed)
        return round.removeLast()
    }

    // MARK: One message

    private func step(_ probe: Probe) throws {
        let (place, type, who) = (probe.target, probe.type, probe.who)
        let target = targets[place]
        let (service, peer) = (target.service, target.peer)
        guard let program = installation.programs[service] else { return }
        let token = installation.tokens[who]?[service.rawValue] ?? []
        let data = message(type)
        let frames = frames(peer.envelope(type.protobufName, data, token: token))
        let before = try program.loopTime()
        func complain(_ what: String) {
            let hex = data.prefix(600).map { String(format: "%02x", $0) }.joined()
            complaints.append(
                "\(start) message \(sent), \(type.protobufName) by \(who) to \(service.rawValue): "
                    + "\(what)\n\(hex)")
        }

        let clock = ContinuousClock()
        let begin = clock.now
        try peer.send(frames)
        sent += 1
        if seed.oneIn(50) { unfinished[3 * place].send(RawPeer.frame([1, 2, 3], more: true)) }
        do {
            _ = try installation.client(service).ask(
                ReadStatus(), for: ServiceStatus.self, deadline: .seconds(60))
        } catch { complain("a well-behaved client is told: \(error)") }

        let wait = clock.now - begin
        if wait > Self.longestWait { complain("others waited for \(wait)") }
        guard program.isRunning else {
            complain("it ended: \(program.lastWords)")
            throw Complaint(complaints.joined(separator: "\n"))
        }
        let work = try program.loopTime() - before
        if work > Self.longestWork { complain("the loop worked for \(work)") }
        for answer in try peer.receive() {
            guard answer.type == Refusal.protobufName else {
                accepted += 1
                if who == "owner" { reached[service, default: []].insert(type.protobufName) }
                continue
            }
            let refusal = try Refusal(unpacking: answer.data)
            if refusal.code == .internal { complain(refusal.message + program.lastWords) }
        }
    }

    private func message<M: AnyMessage>(_: M.Type) -> [UInt8] {
        let message = M.any(&seed)
        var bytes =
            seed.oneIn(6)
            ? message.packed() : installation.vocabulary.meaningful(message, &seed).packed()
        guard seed.oneIn(2) else { return bytes }
        for _ in 0...seed.below(3) {
            if seed.oneIn(8) {
                bytes = Array(bytes.prefix(seed.below(bytes.count + 1)))
            } else if seed.oneIn(8), !bytes.isEmpty {
                bytes[seed.below(bytes.count)] ^= UInt8(1 << seed.below(8))
            } else if var fields = WireMessage(bytes) {
                fields.mutate(&seed)
                bytes = fields.packed
            }
        }
        return bytes
    }

    /// The envelope as frames, now and then malformed.
    private func frames(_ envelope: Envelope) -> [[UInt8]] {
        var envelope = envelope
        guard seed.oneIn(6) else { return [envelope.packed()] }
        let now = envelope.time
        switch seed.below(12) {
        case 0: envelope.id[6] = 0x40 | envelope.id[6] & 15
        case 1: envelope.id.replaceSubrange(0..<6, with: [0, 0, 0, 0, 0, 1])
        case 2: envelope.id.replaceSubrange(0..<6, with: [255, 255, 255, 255, 255, 255])
        case 3: envelope.id = []
        case 4: envelope.time = seed.pick([.max, .min, 0, -1])
        case 5: envelope.deadline = seed.pick([.max, .min, 1, now - 1_000])
        case 6: envelope.correlationId = envelope.correlationId + [1]
        case 7: envelope.subject = String(repeating: "\u{316}\u{301}", count: 50_000)
        case 8: return [envelope.packed(), envelope.packed()]
        case 9: return [[], envelope.packed()]
        case 10: return [Array(envelope.packed().dropLast(seed.below(20)))]
        default:
            if var fields = WireMessage(envelope.packed()) {
                fields.mutate(&seed)
                return [fields.packed]
            }
        }
        return [envelope.packed()]
    }

    // MARK: Afterwards

    /// Expects that nothing has grown beyond its limit, and that everything still works after a
    /// power cut.
    func expectUnharmed() throws {
        for target in targets {
            let memory = try installation.programs[target.service]?.residentMemory() ?? 0
            let growth = (memory - target.memory) >> 20
            if growth > 50 { complaints.append("\(start) \(target.service) grew by \(growth) MiB") }
        }
        let stored = try installation.storeSize() - storeAtFirst
        if stored > (16 << 20) + (sent << 13) {
            complaints.append(
                "\(start) \(sent) messages made the stores \(stored >> 10) KiB larger")
        }
        unfinished = []
        try installation.restart()
        for service in ServiceName.allCases {
            let status = try installation.ask(service, ReadStatus(), for: ServiceStatus.self)
            guard status.deadLetters > 0 else { continue }
            let letters = try installation.ask(service, ListDeadLetters(), for: DeadLetters.self)
            complaints.append(
                "\(start) \(service) could not apply "
                    + letters.letters.prefix(3).map { "\($0.type): \($0.reason)" }
                    .joined(separator: "; "))
        }
    }
}
