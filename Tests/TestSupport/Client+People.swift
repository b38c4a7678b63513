import Bus
import Messages

/// What tests do as a client of account-service.
extension Client {
    /// The password of everyone who signs up here.
    public static let password = "correct horse battery"

    /// Signs up someone with these roles, whom the owner of the machine has invited.
    ///
    /// - Parameter displayName: what people call them; their name if it is empty.
    @discardableResult
    public func signUp(
        _ name: String, called displayName: String = "", in organisation: String = "",
        _ grants: [Grant] = []
    ) throws -> Account {
        let invitation = try ask(
            Invite(organisation: organisation, grants: grants), for: Invitation.self)
        return try ask(
            SignUp(
                name: name, password: Self.password, displayName: displayName,
                invitation: invitation.code),
            for: Account.self)
    }

    /// Logs in someone who has signed up, and returns the access tokens, by the names of services.
    public func logIn(_ name: String, for services: [ServiceName]) throws -> [String: [UInt8]] {
        let session = try ask(
            LogIn(name: name, password: Self.password, device: "x"), for: LoggedIn.self)
        return try ask(
            RefreshAccess(
                refreshToken: session.refreshToken, audiences: services.map(\.rawValue)),
            for: AccessGranted.self
        ).tokens
    }

    /// Logs in someone who has signed up, and returns the access token for a service.
    public func logIn(_ name: String, for service: ServiceName) throws -> [UInt8] {
        guard let token = try logIn(name, for: [service])[service.rawValue] else {
            throw Complaint("\(name) has got no token for \(service.rawValue)")
        }
        return token
    }
}

/// What tests do as a client of any service.
extension Client {
    /// The answer to a message as it came, even if it is a refusal.
    public func answer(
        to message: some ProtobufMessage, deadline: Duration = .seconds(60)
    ) throws -> Envelope {
        let id = try send(message, deadline: deadline)
        while true {
            for answer in try receive(within: deadline) where answer.id == id {
                return try answer.result.get()
            }
        }
    }

    /// The refusal of a message; nil if it was accepted.
    ///
    /// - Parameter token: who asks; empty for the owner of the machine.
    public func refusal(
        of message: some ProtobufMessage, as token: [UInt8] = [], deadline: Duration = .seconds(60)
    ) throws -> Refusal? {
        self.token = token
        defer { self.token = [] }
        let answer = try answer(to: message, deadline: deadline)
        guard answer.type == Refusal.protobufName else { return nil }
        return try Refusal(unpacking: answer.data)
    }

    /// Sends a command, kills the service after this time, starts it again and returns the answer.
    ///
    /// - Parameters:
    ///   - token: who asks; empty for the owner of the machine.
    ///   - restart: kills the service and starts it again.
    public func ask<R: ProtobufMessage>(
        _ command: some ProtobufMessage, for _: R.Type, as token: [UInt8] = [],
        killedAfter moment: Duration, _ restart: () throws -> Void
    ) throws -> R {
        self.token = token
        defer { self.token = [] }
        let sent = try send(command, deadline: .seconds(300))
        var answer: Answer?
        let kill = ContinuousClock.now + moment
        while ContinuousClock.now < kill {
            // Spin for the last milliseconds, because sleeping is only accurate to a millisecond.
            let left = max(kill - .now - .milliseconds(5), .zero)
            answer = try receive(within: left).first { $0.id == sent } ?? answer
        }
        try restart()
        try eventually("it is answered") {
            answer =
                try answer ?? receive(within: .milliseconds(100)).first { $0.id == sent }
            return answer != nil
        }
        guard let answer else { throw Complaint("it is not answered") }
        return try Self.unpack(answer.result.get(), as: R.self)
    }
}
