import Bus
import Foundation
import TestSupport

/// A relay between a service and its peers that drops, duplicates and delays messages in both
/// directions, decided by a seed: commands and their replies, events, alerts. Later messages
/// overtake a delayed one.
///
/// Arguments: the seed, the percentage of messages affected, the service, the directory where it
/// takes the service's place, and the directory where the service is.
final class FaultyNetwork {
    private struct Delayed {
        let due: ContinuousClock.Instant
        let send: () throws -> Void
    }

    private var seed: Seed
    private let rate: Int
    private let service: ServiceName
    private let far: BusAddress
    private let front: Socket
    private var backs: [(peer: [UInt8], socket: Socket)] = []
    private var relays: [(from: Socket, to: Socket)] = []
    private var delayed: [Delayed] = []
    private var counts = (passed: 0, dropped: 0, doubled: 0, delayed: 0)

    init(arguments: [String]) throws {
        guard arguments.count == 5, let start = UInt64(arguments[0]), let rate = Int(arguments[1]),
            let service = ServiceName(rawValue: arguments[2])
        else {
            throw Complaint("usage: toy-network <seed> <percent> <service> <near> <far>")
        }
        (seed, self.rate, self.service) = (Seed(start), rate, service)
        let near = try BusAddress("ipc://" + arguments[3])
        far = try BusAddress("ipc://" + arguments[4])
        front = try Socket(.router, in: .shared)
        try front.bind(near.binding(service, .commands))
        for kind in [EndpointKind.events, .alerts] {
            let from = try Socket(.subscriber, in: .shared)
            // A notifier grants no topic that alerts of every kind begin with.
            try from.subscribe(kind == .alerts ? "alert." : "")
            try from.connect(far.connecting(service, kind))
            let to = try Socket(.publisher, in: .shared)
            try to.bind(near.binding(service, kind))
            relays.append((from, to))
        }
    }

    func run() throws {
        endWithStandardInput()
        report("event=ready")
        var poller = makePoller()
        while true {
            try poller.wait(milliseconds: 5)
            let before = backs.count
            while let frames = try front.receive() {
                guard frames.count == 2 else { continue }
                let back = try back(for: frames[0].bytes)
                try suffer([frames[1].bytes], to: back)
            }
            for (peer, socket) in backs {
                while let frames = try socket.receive() {
                    guard let reply = frames.first else { continue }
                    try suffer([peer, reply.bytes], to: front)
                }
            }
            for relay in relays {
                while try relay.to.receive() != nil {}
                while let frames = try relay.from.receive() {
                    try suffer(frames.map(\.bytes), to: relay.to)
                }
            }
            try sendDelayed()
            if backs.count != before { poller = makePoller() }
        }
    }

    private func makePoller() -> Poller {
        Poller([front] + backs.map(\.socket) + relays.flatMap { [$0.from, $0.to] })
    }

    /// Each client has a separate connection to the service, so that replies reach the right one.
    private func back(for peer: [UInt8]) throws -> Socket {
        if let known = backs.first(where: { $0.peer == peer }) { return known.socket }
        // Clients that were killed never come back under the same name.
        if backs.count == 32 { backs.removeFirst() }
        let socket = try Socket(.dealer, in: .shared)
        try socket.connect(far.connecting(service, .commands))
        backs.append((peer, socket))
        return socket
    }

    private func suffer(_ frames: [[UInt8]], to socket: Socket) throws {
        guard seed.below(100) < rate else {
            counts.passed += 1
            try socket.send(frames)
            return
        }
        switch seed.below(3) {
        case 0: counts.dropped += 1
        case 1:
            counts.doubled += 1
            try socket.send(frames)
            try delay(frames, socket)
        default:
            counts.delayed += 1
            try delay(frames, socket)
        }
        if (counts.dropped + counts.doubled + counts.delayed) % 10 == 0 { reportCounts() }
    }

    private func delay(_ frames: [[UInt8]], _ socket: Socket) throws {
        let due = ContinuousClock.now + .milliseconds(seed.below(300))
        delayed.append(Delayed(due: due) { try socket.send(frames) })
    }

    private func sendDelayed() throws {
        let now = ContinuousClock.now
        for message in delayed where message.due <= now { try message.send() }
        delayed.removeAll { $0.due <= now }
    }

    private func reportCounts() {
        report(
            "event=counts passed=\(counts.passed) dropped=\(counts.dropped) "
                + "doubled=\(counts.doubled) delayed=\(counts.delayed)")
    }

    private func report(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
