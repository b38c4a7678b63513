import Foundation
import Messages

/// Why a request got no usable answer.
public enum ClientError: Error, Hashable, CustomStringConvertible {
    /// The service is not running: nothing was sent, so nothing happened.
    case notRunning(ServiceName)
    /// The service does not let this process in.
    case denied(ServiceName)
    /// Something answers at the service's address but never finishes the handshake: it is another
    /// program, or it has a different key than expected. Nothing was sent.
    case noHandshake(ServiceName)
    /// The request was sent but not answered in time: a command may have been carried out. Sending
    /// it again under this id is safe, and the answer says whether it was.
    case noAnswer(ServiceName, MessageID)
    /// The service refused; nothing was changed.
    case refused(Refusal)
    /// The answer has another type than expected, or can't be read: the versions differ.
    case unexpected(type: String)
    /// The message is larger than 1 MiB and was not sent.
    case tooLarge(bytes: Int)

    /// A sentence for a person that says what to do next.
    public var description: String {
        switch self {
        case .notRunning(let service):
            "\(service.rawValue) is not running; start it with steward up"
        case .denied(let service): "\(service.rawValue) does not know this process's key"
        case .noHandshake(let service):
            "what is at the address of \(service.rawValue) does not answer as it should: it is "
                + "another program, or its key is not the one known here"
        case .noAnswer(let service, let id):
            "\(service.rawValue) has not answered in time; whether it has carried out command "
                + "\(id) is not known"
        case .refused(let refusal): refusal.message
        case .unexpected(let type):
            "the answer “\(type)” can't be understood; the service has another version"
        case .tooLarge(let bytes):
            "the message has \(bytes) bytes; at most \(Envelope.maximumSize) may be sent"
        }
    }
}

/// Sends commands and queries to one service, and sends each again until it is answered or its
/// deadline has passed (the Lazy Pirate pattern of the ZeroMQ guide). Many requests may be in
/// flight.
///
/// Not Sendable: it belongs to the thread that made it.
public final class Client {
    /// The outcome of one request.
    public struct Answer {
        /// The request's id.
        public let id: MessageID
        /// The envelope of the reply, or why there is none.
        public let result: Result<Envelope, ClientError>
    }

    private struct Request {
        let bytes: [UInt8]
        /// The deadline in the envelope. A refusal that isn't kept has it too.
        let wallDeadline: Int64
        let deadline: ContinuousClock.Instant
        var resend: ContinuousClock.Instant
        var interval: Duration
        var wasSent: Bool
    }

    /// The service that it sends to.
    public let service: ServiceName
    private let connection: Connection
    private let socket: Socket
    private let monitor: SocketMonitor
    private var poller: Poller
    private var requests: [MessageID: Request] = [:]
    /// No request needs attention before this instant.
    private var nextDue = ContinuousClock.now
    private var ids: MessageID.Generator
    private var newest: Int64 = 0
    /// The deadline of the message that was sent last.
    private var newestDeadline: Int64 = 0
    private var isConnected = false
    /// The number of handshakes in a row that broke off, and whether the last attempt to connect
    /// did.
    private var brokenOff = 0
    private var hasBrokenOff = false
    private var obstacle: ClientError?
    /// Whether to wait until the deadline for a service that is not running, or fail immediately.
    public var isPatient: Bool
    /// How long to keep trying if no deadline is given.
    public var patience: Duration = .seconds(10)
    /// The account in whose name commands are sent.
    public var actor = ""
    /// The token that proves ``actor``.
    public var token: [UInt8] = []
    /// Returns a fresh token before each message, for a client that outlives a token; nil to send
    /// ``token``.
    public var renewToken: (() throws -> [UInt8])?

    /// The clock for ids and deadlines, in milliseconds since 1970. A service refuses a command
    /// whose id differs too much from its own time of day, see ``MessageID``.
    public var clock: () -> Int64 = WallClock.milliseconds

    /// How long to wait for an answer before sending a request again; doubled each time, up to
    /// ``longestResend``.
    static let firstResend: Duration = .milliseconds(250)
    static let longestResend: Duration = .seconds(2)
    /// The number of handshakes in a row that must break off before the key is blamed: a single one
    /// may break off because the service ends just then.
    static let handshakes = 4

    /// Makes a client of `service`. It connects in the background.
    public init(_ connection: Connection, to service: ServiceName, isPatient: Bool = false) throws {
        self.connection = connection
        self.service = service
        self.isPatient = isPatient
        ids = MessageID.Generator()
        socket = try connection.make(.dealer, toward: service)
        monitor = try SocketMonitor(socket, in: .shared)
        try socket.connect(connection.address.connecting(service, .commands))
        poller = Poller([socket, monitor.socket])
    }

    /// The sockets to wait for, when one thread has clients of several services. When one of them
    /// is readable or ``attention`` is due, call ``receive(within:)`` with no time.
    public var sockets: [Socket] { [socket, monitor.socket] }

    /// When a request has to be sent again or given up; nil when none is in flight.
    public var attention: ContinuousClock.Instant? { requests.isEmpty ? nil : nextDue }

    /// How many bytes of messages were sent and received, see ``Socket/traffic``.
    public var traffic: Int { socket.traffic }

    /// The number of requests that are not answered yet.
    public var inFlight: Int { requests.count }

    /// Makes a fresh id for a command.
    public func makeID() -> MessageID {
        let now = clock()
        // Ids stay in order when the clock is set back a little. One far ahead of the clock would
        // be refused.
        if now < newest - 60_000 { ids = MessageID.Generator() }
        newest = now
        return ids.next(at: now)
    }

    /// Sends a command or a query and waits for its reply.
    ///
    /// - Parameters:
    ///   - message: the command or query.
    ///   - id: the id of the command; pass one to be able to ask again after
    ///     ``ClientError/noAnswer``.
    ///   - subject: the id of the entity that it is about.
    ///   - deadline: how long to keep trying; nil for ``patience``.
    /// - Throws: ``ClientError``, or ``BusError`` when the socket itself fails.
    public func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, id: MessageID? = nil,
        subject: String = "", deadline: Duration? = nil
    ) throws -> R {
        let deadline = deadline ?? patience
        let id = try send(message, id: id, subject: subject, deadline: deadline)
        while true {
            for answer in try receive(within: deadline) where answer.id == id {
                return try Self.unpack(answer.result.get(), as: R.self)
            }
            guard requests[id] != nil else { throw ClientError.noAnswer(service, id) }
        }
    }

    /// Sends a command or a query; ``receive(within:)`` returns the answer.
    ///
    /// - Returns: the id of the request.
    @discardableResult
    public func send(
        _ message: some ProtobufMessage, id: MessageID? = nil, subject: String = "",
        deadline: Duration? = nil
    ) throws -> MessageID {
        let deadline = deadline ?? patience
        if let renewToken { token = try renewToken() }
        let time = clock()
        var wallDeadline = time + Int64(deadline / .milliseconds(1))
        // Attempts to send the same command must differ, even in the same millisecond.
        if id != nil, (0..<1000).contains(newestDeadline - wallDeadline) {
            wallDeadline = newestDeadline + 1
        }
        newestDeadline = wallDeadline
        let id = id ?? makeID()
        let envelope = Envelope(
            id: id.bytes, type: type(of: message).protobufName, source: connection.process,
            subject: subject, time: time, correlationId: id.bytes, actor: actor, token: token,
            deadline: wallDeadline, data: message.packed())
        let bytes = envelope.packed()
        guard bytes.count <= Envelope.maximumSize else {
            throw ClientError.tooLarge(bytes: bytes.count)
        }
        let now = ContinuousClock.now
        var request = Request(
            bytes: bytes, wallDeadline: wallDeadline, deadline: now + deadline,
            resend: now + Self.firstResend, interval: Self.firstResend, wasSent: false)
        request.wasSent = try socket.send([bytes])
        requests[id] = request
        nextDue = min(nextDue, request.wasSent ? request.resend : now)
        return id
    }

    /// Waits until at least one request is answered or given up, and returns all that are.
    ///
    /// - Parameter time: how long to wait at most; the result is empty when nothing happened.
    public func receive(within time: Duration) throws -> [Answer] {
        let end = ContinuousClock.now + time
        while true {
            var answers = try takeReplies()
            try takeEvents()
            let now = ContinuousClock.now
            answers += try attend(now)
            if !answers.isEmpty || now >= end || requests.isEmpty { return answers }
            let wait = max(0, Int((min(end, nextDue) - now) / .milliseconds(1)))
            try poller.wait(milliseconds: wait + 1)
        }
    }

    private func takeReplies() throws -> [Answer] {
        var answers: [Answer] = []
        while let frames = try socket.receive() {
            guard frames.count == 1,
                let envelope = frames[0].withBytes({ try? Envelope(unpacking: $0) }),
                let id = MessageID(bytes: envelope.causationId), let request = requests[id],
                // Otherwise it answers an earlier attempt to send the same command.
                envelope.deadline == 0 || envelope.deadline == request.wallDeadline
            else { continue }
            requests[id] = nil
            answers.append(Answer(id: id, result: .success(envelope)))
        }
        return answers
    }

    private func takeEvents() throws {
        if !isConnected, socket.leadsNowhere { obstruct(.notRunning(service)) }
        while let event = try monitor.next() {
            switch event {
            case .connected:
                isConnected = true
                obstacle = nil
                brokenOff = 0
                // Whatever the old process had received but not answered is lost with it.
                let now = ContinuousClock.now
                for id in requests.keys {
                    requests[id]?.resend = now
                    requests[id]?.interval = Self.firstResend
                }
                nextDue = now
            case .disconnected:
                isConnected = false
                socket.renewRoute()
            case .refused:
                guard !isConnected else { break }
                // ZeroMQ reports a retry after each failed attempt, including one whose handshake
                // broke off.
                if !hasBrokenOff { obstruct(.notRunning(service)) }
                hasBrokenOff = false
                socket.renewRoute()
            case .brokenOff:
                hasBrokenOff = true
                brokenOff += 1
                if brokenOff >= Self.handshakes { obstruct(.noHandshake(service)) }
            case .foreign: obstruct(.noHandshake(service))
            case .denied: obstruct(.denied(service))
            }
        }
    }

    private func obstruct(_ error: ClientError) {
        obstacle = error
        nextDue = ContinuousClock.now
    }

    /// Resends requests that are due, and gives up those past their deadline or impossible to send.
    private func attend(_ now: ContinuousClock.Instant) throws -> [Answer] {
        guard now >= nextDue else { return [] }
        var answers: [Answer] = []
        for (id, request) in requests {
            let isHopeless = obstacle != nil && !request.wasSent && !isPatient
            if now >= request.deadline || isHopeless {
                requests[id] = nil
                let silence =
                    request.wasSent ? .noAnswer(service, id) : ClientError.notRunning(service)
                let error = request.wasSent ? silence : obstacle ?? silence
                answers.append(Answer(id: id, result: .failure(error)))
            } else if now >= request.resend {
                let sent = try socket.send([request.bytes])
                let interval = min(request.interval * 2, Self.longestResend)
                requests[id]?.wasSent = request.wasSent || sent
                requests[id]?.interval = interval
                requests[id]?.resend = now + (sent ? interval : Self.firstResend)
            }
        }
        let later = now + Self.longestResend
        nextDue = requests.values.reduce(later) { min($0, $1.resend, $1.deadline) }
        return answers
    }

    /// Reads the payload of a reply.
    ///
    /// - Throws: ``ClientError/refused(_:)`` when it is a refusal,
    ///   ``ClientError/unexpected(type:)`` when it is not an `R`.
    public static func unpack<R: ProtobufMessage>(_ reply: Envelope, as _: R.Type) throws -> R {
        if reply.type == Refusal.protobufName {
            throw ClientError.refused(try Refusal(unpacking: reply.data))
        }
        guard reply.type == R.protobufName else { throw ClientError.unexpected(type: reply.type) }
        return try R(unpacking: reply.data)
    }
}

/// The time of day, read in this one place.
public enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension Envelope {
    /// The maximum size of a packed envelope that is sent or unpacked: 1 MiB.
    public static let maximumSize = 1 << 20
}
