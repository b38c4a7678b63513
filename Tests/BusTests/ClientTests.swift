import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Plays a service at the commands endpoint, message by message.
private struct Desk {
    let system: System
    let socket: Socket

    init(_ system: System) throws {
        self.system = system
        try system.makeFolder("run")
        socket = try system.connection(as: "notifier").bind(.router, as: .notifier, .commands)
    }

    init() throws { try self.init(System()) }

    func receive(while client: Client) throws -> (peer: [UInt8], bytes: [UInt8]) {
        var frames: [Frame]?
        try eventually("a command comes") {
            _ = try client.receive(within: .zero)
            frames = try socket.receive()
            return frames != nil
        }
        let got = try #require(frames)
        return (got[0].bytes, got[1].bytes)
    }

    /// Replies; a reply that isn't kept has the deadline of its command.
    func reply(
        to command: (peer: [UInt8], bytes: [UInt8]), _ message: some ProtobufMessage,
        isKept: Bool = true
    ) throws {
        let envelope = try Envelope(unpacking: command.bytes)
        let reply = Envelope(
            id: envelope.id, type: type(of: message).protobufName, source: "notifier",
            causationId: envelope.id, deadline: isKept ? 0 : envelope.deadline,
            data: message.packed())
        try socket.send([command.peer, reply.packed()])
    }
}

@Suite(.serialized, .waiting) struct ClientTests {
    /// Raises this process's limit of file descriptors as far as it can, and returns the limit.
    private static func descriptorLimit() throws -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { throw Complaint.system("getrlimit") }
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(resource, &limit) == 0 else { throw Complaint.system("setrlimit") }
        return Int(clamping: limit.rlim_cur)
    }

    @Test func `an unanswered command is sent again, with the same bytes`() throws {
        let desk = try Desk()
        let client = try desk.system.client(of: .notifier)
        let id = try client.send(ReadStatus())

        let first = try desk.receive(while: client)
        let second = try desk.receive(while: client)
        try desk.reply(to: first, JobNoted())
        try desk.reply(to: second, JobNoted())
        let answers = try client.receive(within: .seconds(60))

        #expect(first.bytes == second.bytes)
        #expect(answers.map(\.id) == [id])
        #expect(try client.receive(within: .milliseconds(50)).isEmpty)
        #expect(client.inFlight == 0)
    }

    @Test func `a refusal of an earlier attempt is no answer to a later one`() throws {
        let desk = try Desk()
        let client = try desk.system.client(of: .notifier)
        let failed = Refusal(code: .internal, message: "failed")
        let id = try client.send(ReadStatus())
        let first = try desk.receive(while: client)
        let copy = try desk.receive(while: client)
        try desk.reply(to: first, failed, isKept: false)
        #expect(try client.receive(within: .seconds(60)).map(\.id) == [id])

        try client.send(ReadStatus(), id: id, deadline: .seconds(60))
        var second = try desk.receive(while: client)
        while second.bytes == first.bytes { second = try desk.receive(while: client) }
        try desk.reply(to: copy, failed, isKept: false)
        #expect(try client.receive(within: .milliseconds(100)).isEmpty)
        try desk.reply(to: second, JobNoted(), isKept: false)
        let answers = try client.receive(within: .seconds(60))

        #expect(answers.map(\.id) == [id])
        #expect(try answers.first?.result.get().type == JobNoted.protobufName)
    }

    @Test func `a kept reply answers every attempt, and two in one millisecond differ`() throws {
        let desk = try Desk()
        let client = try desk.system.client(of: .notifier)
        client.clock = { 1_795_000_000_000 }
        let id = try client.send(ReadStatus())
        let first = try desk.receive(while: client)
        try client.send(ReadStatus(), id: id)
        var second = try desk.receive(while: client)
        while second.bytes == first.bytes { second = try desk.receive(while: client) }

        try desk.reply(to: first, JobNoted())

        #expect(try client.receive(within: .seconds(60)).map(\.id) == [id])
    }

    @Test func `a thousand commands in flight get their answers in any order`() throws {
        let desk = try Desk()
        let client = try desk.system.client(of: .notifier)
        var open: Set<MessageID> = []
        for number in 0..<1000 {
            open.insert(try client.send(ReadJob(jobId: "\(number)"), deadline: .seconds(60)))
        }
        var commands: [[UInt8]: [UInt8]] = [:]
        while commands.count < 1000 {
            let command = try desk.receive(while: client)
            commands[command.bytes] = command.peer
        }

        for (bytes, peer) in commands.shuffled() {
            try desk.reply(to: (peer, bytes), JobNoted())
        }
        while client.inFlight > 0 {
            for answer in try client.receive(within: .seconds(60)) {
                #expect(open.remove(answer.id) != nil)
                #expect(try answer.result.get().type == JobNoted.protobufName)
            }
        }

        #expect(open.isEmpty)
    }

    @Test func `a service that isn't running is reported immediately`() throws {
        let system = try System()
        try system.makeFolder("run")
        let client = try Client(system.connection(), to: .notifier)

        let time = shortestTime(under: .milliseconds(100)) {
            ContinuousClock().measure {
                #expect(throws: ClientError.notRunning(.notifier)) {
                    try client.ask(ReadStatus(), for: ServiceStatus.self)
                }
            }
        }

        #expect(time < .milliseconds(100))
    }

    @Test func `a patient client waits for the service`() throws {
        let system = try System()
        try system.makeFolder("run")
        let client = try system.client(of: .notifier)
        let id = try client.send(ReadStatus(), deadline: .seconds(30))
        #expect(try client.receive(within: .milliseconds(200)).isEmpty)

        let desk = try Desk(system)
        try desk.reply(to: desk.receive(while: client), JobNoted())

        #expect(try client.receive(within: .seconds(60)).map(\.id) == [id])
    }

    @Test func `a command that wasn't answered in time may have been carried out`() throws {
        let desk = try Desk()
        let client = try desk.system.client(of: .notifier)
        // It is connected once it has got an answer.
        try client.send(ReadStatus())
        try desk.reply(to: desk.receive(while: client), JobNoted())
        _ = try client.receive(within: .seconds(60))
        let id = client.makeID()

        #expect(throws: ClientError.noAnswer(.notifier, id)) {
            try client.ask(
                ReadStatus(), for: ServiceStatus.self, id: id, deadline: .milliseconds(400))
        }
    }

    @Test func `an answer of the wrong type is reported by its name`() throws {
        let desk = try Desk()
        let client = try desk.system.client(of: .notifier)
        try client.send(ReadStatus())
        try desk.reply(to: desk.receive(while: client), JobNoted())

        let answer = try #require(try client.receive(within: .seconds(60)).first)

        #expect(throws: ClientError.unexpected(type: "bus.JobNoted")) {
            try Client.unpack(answer.result.get(), as: ServiceStatus.self)
        }
    }

    @Test func `a garbage answer is dropped`() throws {
        let desk = try Desk()
        let client = try desk.system.client(of: .notifier)
        let id = try client.send(ReadStatus())
        let command = try desk.receive(while: client)

        try desk.socket.send([command.peer, [1, 2, 3]])
        try desk.socket.send([command.peer, Envelope(type: "bus.JobNoted").packed()])
        try desk.socket.send([command.peer, [], []])
        try desk.reply(to: command, JobNoted())

        #expect(try client.receive(within: .seconds(60)).map(\.id) == [id])
    }

    @Test func `clients may come and go at any moment without breaking the process's sockets`()
        throws
    {
        let desk = try Desk()
        let connection = try desk.system.connection()
        let most = try Self.descriptorLimit() / 2
        for number in 0..<3000 {
            let client = try Client(connection, to: number % 3 == 0 ? .transitAlert : .notifier)
            try client.send(ReadStatus())
            if number % 2 == 0 { usleep(useconds_t(number % 700)) }
            while try desk.socket.receive() != nil {}
            // ZeroMQ closes sockets in the background. Tests beside this one have some open too.
            try eventually("the sockets of client \(number) are closed") {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < most
            }
        }

        let client = try Client(connection, to: .notifier, isPatient: true)
        try client.send(ReadJob(jobId: "the last"))
        try eventually("the last message comes") {
            _ = try client.receive(within: .zero)
            guard let frames = try desk.socket.receive() else { return false }
            return try Envelope(unpacking: frames[1].bytes).type == ReadJob.protobufName
        }
    }

    @Test func `a monitor reports when the other end connects and disconnects`() throws {
        let system = try System()
        try system.makeFolder("run")
        let socket = try Socket(.dealer, in: .shared)
        let monitor = try SocketMonitor(socket, in: .shared)
        var events: [SocketMonitor.Event] = []
        let wait = { (event: SocketMonitor.Event) in
            try eventually("the monitor reports \(event)") {
                while let next = try monitor.next() { events.append(next) }
                return events.contains(event)
            }
        }
        try socket.connect("ipc://\(system.path("run/x"))")
        try wait(.refused)

        var other: Socket? = try Socket(.router, in: .shared)
        try other?.bind("ipc://\(system.path("run/x"))")
        try wait(.connected)
        other = nil

        try wait(.disconnected)
    }
}
