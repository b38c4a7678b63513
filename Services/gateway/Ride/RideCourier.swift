import Bus
import Foundation
import Messages
import ShiftClient
import Speech
import Terminal

/// Sends the messages of a ride to the service, one at a time: if two were sent again after a
/// restart, they could arrive in the wrong order.
///
/// It holds on to a message that can't be sent because account-service, which renews the access
/// token, can't be reached, and to one that was refused for a reason that may pass.
final class RideCourier {
    /// How long to hold on to a message, and then to wait for its answer, before giving it up.
    static let patience: Duration = .seconds(60)
    /// How long to wait before sending a message again that could not be sent.
    private static let pause: Duration = .seconds(1)

    /// Why the message can't be sent now; nil if it was sent.
    private(set) var obstacle: String?
    private let session: Session
    private let client: Client
    private var message: (any ProtobufMessage)?
    private var id: MessageID?
    private var begun = ContinuousClock.now
    /// When to send the message; nil once it is sent.
    private var due: ContinuousClock.Instant?

    /// A courier that uses a client. Others may use it too.
    init(_ session: Session, _ client: Client) { (self.session, self.client) = (session, client) }

    /// True until the message is answered.
    var isBusy: Bool { message != nil }

    /// True while the message is not sent.
    var isHeld: Bool { due != nil }

    /// How long the message has had no answer.
    var waited: Duration { isBusy ? ContinuousClock.now - begun : .zero }

    /// Sends a message, now or when it is possible. The one before must be answered.
    func send(_ message: any ProtobufMessage) throws {
        self.message = message
        begun = ContinuousClock.now
        due = begun
        try sendIfDue()
    }

    /// Receives the reply to the message.
    ///
    /// - Parameter time: how long to wait at most; nil is returned if it has not come.
    /// - Throws: ``ClientError`` if there is none in time; the message is given up then.
    /// - Returns: the reply, which may be a refusal.
    func reply(within time: Duration) throws -> Envelope? {
        try sendIfDue()
        guard isBusy, !isHeld else { return nil }
        for answer in try client.receive(within: time) where answer.id == id {
            if case .success(let reply) = answer.result, try holds(after: reply) { return nil }
            message = nil
            return try answer.result.get()
        }
        return nil
    }

    /// Holds on to the message if it was refused for a reason that may pass. Nothing was changed
    /// then, so it is sent under another id.
    private func holds(after reply: Envelope) throws -> Bool {
        guard reply.type == Refusal.protobufName else { return false }
        if try session.renewsToken(after: reply, to: client.token) {
            due = ContinuousClock.now
            return true
        }
        return hold(because: ClientError.refused(try Refusal(unpacking: reply.data)))
    }

    /// Holds on to the message for a while, unless the error won't pass or there is no time left.
    private func hold(because error: any Error) -> Bool {
        guard Failure.mayPass(error), waited < Self.patience else { return false }
        due = ContinuousClock.now + Self.pause
        obstacle = Failure(error)?.sentence
        return true
    }

    /// Sends a message and waits for its reply.
    ///
    /// - Throws: ``Failure`` if a person ends the program before the message is sent. Once it is
    ///   sent, the reply is awaited, because otherwise nobody would know what became of it.
    func ask<R: ProtobufMessage>(_ message: any ProtobufMessage, for _: R.Type) throws -> R {
        try send(message)
        while true {
            if let envelope = try reply(within: .milliseconds(200)) {
                return try Client.unpack(envelope, as: R.self)
            }
            if isHeld {
                if Interruption.isWanted {
                    (self.message, due) = (nil, nil)
                    throw Failure(.interrupted, "given up", advice: "nothing was begun")
                }
                poll(nil, 0, 100)
            }
        }
    }

    private func sendIfDue() throws {
        guard let message, let due, ContinuousClock.now >= due else { return }
        do {
            id = try client.send(message, deadline: Self.patience)
            (self.due, obstacle) = (nil, nil)
        } catch {
            guard hold(because: error) else {
                (self.message, self.due, obstacle) = (nil, nil, nil)
                throw error
            }
        }
    }
}
