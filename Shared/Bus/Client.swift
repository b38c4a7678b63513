import Foundation
import Messages

/// Why a message was not answered as wished.
public enum ClientError: Error, Hashable, CustomStringConvertible {
    /// No one listens: nothing was sent, nothing happened.
    case notRunning(ServiceName)
    /// The service does not let this process in.
    case denied(ServiceName)
    /// Something is at the service's address, but never finishes the handshake: it is another
    /// program, or has another key than expected. Nothing was sent.
    case noHandshake(ServiceName)
    /// Sent, but not answered in time: a command may have been carried out. Sending it again under
    /// this id is safe, and the answer says whether it was.
    case noAnswer(ServiceName, MessageID)
    /// The service said no; nothing was changed.
    case refused(Refusal)
    /// The answer is of another type than expected, or can't be read: the versions differ.
    case unexpected(type: String)
    /// Over 1 MiB: it was not sent.
    case tooLarge(bytes: Int)

    /// A sentence for a person that says what to do next.
    public var description: String {
        switch self {
        case .notRunning(let service):
            "\(service.rawValue) is not running; start it with steward up"
        case .denied(let service): "\(service.rawValue) does not know this process's key"
        case .noHandshake(let service):
            "what is at the address of \(service.rawValue) does not speak as it does: it is "
                + "another program, or its key is another one than is known here"
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

/// Speaks with one service: sends commands and queries and sends them again until they are answered
/// or their deadline has passed (the Lazy Pirate pattern of the ZeroMQ guide). Many may be in
/// flight.
///
/// Not Sendable: it belongs to the thread that made it.
public final class Client {
    /// How a request stands when its `Client` has news of it.
    public struct Answer {
        /// The request's id.
        public let id: MessageID
        /// The reply's envelope, or why there is none.
        public let result: Result<Envelope, ClientError>
    }

    private struct Request {
        let bytes: [UInt8]
        let deadline: ContinuousClock.Instant
        var resend: ContinuousClock.Instant
        var interval: Duration
        var wasSent: Bool
    }

    /// The service that it speaks with.
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
    private var isConnected = false
    /// How many handshakes in a row broke off, and whether the last attempt to connect was one.
    private var brokenOff = 0
    private var hasBrokenOff = false
    private var obstacle: ClientError?
    /// True: wait for a service that is not running, until the deadline. False: say so at once.
    public var isPatient: Bool
    /// In whose name commands are given.
    public var actor = ""
    /// The proof of it.
    public var token: [UInt8] = []
    /// Gives the proof of who asks before each message, for a client that lives longer than a
    /// token; nil to send ``token``.
    public var renewToken: (() throws -> [UInt8])?

    /// The clock by which ids and deadlines are made: milliseconds since 1970. A service takes no
    /// command whose id was made at another time of day than its own, see ``MessageID``.
    public var clock: () -> Int64 = WallClock.milliseconds

    /// How long a request waits before it is sent again; doubled each time up to two seconds.
    static let firstResend: Duration = .milliseconds(250)
    static let longestResend: Duration = .seconds(2)
    /// How many handshakes in a row must break off before the key is to blame: one may break off
    /// because the service ends just then.
    static let handshakes = 4

    /// A client of `service`. It connects in the background.
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

    /// How many requests are not answered yet.
    public var inFlight: Int { requests.count }

    /// A fresh id for a command.
    public func makeID() -> MessageID {
        let now = clock()
        // Ids grow on when the clock is set back a little. One that is far ahead of the clock would
        // be refused.
        if now < newest - 60_000 { ids = MessageID.Generator() }
        newest = now
        return ids.next(at: now)
    }

    /// Sends a command or a query and waits for its reply.
    ///
    /// - Parameters:
    ///   - id: the id of the command: give one to be able to ask again after
    ///     ``ClientError/noAnswer``.
    ///   - deadline: how long to try.
    /// - Throws: ``ClientError``, or ``BusError`` when the socket itself fails.
    public func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, id: MessageID? = nil,
        subject: String = "", deadline: Duration = .seconds(10)
    ) throws -> R {
        let id = try send(message, id: id, subject: subject, deadline: deadline)
        while true {
            for answer in try receive(within: deadline) where answer.id == id {
                return try Self.unpack(answer.result.get(), as: R.self)
            }
            guard requests[id] != nil else { throw ClientError.noAnswer(service, id) }
        }
    }

    /// Sends a command or a query; `receive` will bring the answer.
    ///
    /// - Returns: its id.
    @discardableResult
    public func send(
        _ message: some ProtobufMessage, id: MessageID? = nil, subject: String = "",
        deadline: Duration = .seconds(10)
    ) throws -> MessageID {
        if let renewToken { token = try renewToken() }
        let id = id ?? makeID()
        let time = clock()
        let envelope = Envelope(
            id: id.bytes, type: type(of: message).protobufName, source: connection.process,
            subject: subject, time: time, correlationId: id.bytes, actor: actor, token: token,
            deadline: time + Int64(deadline / .milliseconds(1)), data: message.packed())
        let bytes = envelope.packed()
        guard bytes.count <= Envelope.maximumSize else {
            throw ClientError.tooLarge(bytes: bytes.count)
        }
        let now = ContinuousClock.now
        var request = Request(
            bytes: bytes, deadline: now + deadline, resend: now + Self.firstResend,
            interval: Self.firstResend, wasSent: false)
        request.wasSent = try socket.send([bytes])
        requests[id] = request
        nextDue = min(nextDue, request.wasSent ? request.resend : now)
        return id
    }

    /// Waits until something is answered or given up, and returns all that is.
    ///
    /// - Parameter time: at most this long; the result is empty when nothing happened.
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
                let id = MessageID(bytes: envelope.causationId),
                requests.removeValue(forKey: id) != nil
            else { continue }
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
                // Whatever the old process had received and not answered is lost with it.
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
                // ZeroMQ says of each attempt, also of one whose handshake broke off, that it will
                // be repeated.
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

    /// Sends again what is due, and gives up what is past its deadline or can't be sent at all.
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

/// The time of day, read in one place.
public enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension Envelope {
    /// The largest packed envelope that is sent or unpacked: 1 MiB.
    public static let maximumSize = 1 << 20
}
