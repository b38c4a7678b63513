import Bus
import Messages
import TestSupport

/// What a person does all day with one service: one command after another, each of which must be
/// carried out once.
protocol Occupation: AnyObject {
    /// The service that receives the commands.
    var service: ServiceName { get }
    /// The next command; nil if there is none for now.
    func next() throws -> (any ProtobufMessage)?
    /// Handles the answer to a command.
    ///
    /// - Throws: a `Complaint` if the answer doesn't fit a command that was carried out once.
    func take(_ answer: Envelope, to id: MessageID) throws
    /// Compares the answers with the contents of the service.
    ///
    /// - Throws: a `Complaint` if anything was lost, or exists twice.
    func inspect(_ system: System, _ client: Client) throws
}

/// A person with an occupation, who sends the next command when the previous one was answered.
final class Worker {
    /// How long to repeat a command before it counts as lost. Services may be down for a while.
    private static let patience: Duration = .seconds(3000)

    let occupation: any Occupation
    let client: Client
    private let pause: Duration
    private var asked: MessageID?
    private var rest = ContinuousClock.now
    /// The number of commands answered.
    private(set) var answered = 0

    init(_ occupation: any Occupation, _ client: Client, pause: Duration) {
        (self.occupation, self.client, self.pause) = (occupation, client, pause)
    }

    /// True while a command is not answered.
    var isWaiting: Bool { asked != nil }

    /// Handles the answer if it has arrived, and sends the next command if it is time.
    ///
    /// - Parameter isAtWork: false to send no further command.
    func turn(isAtWork: Bool) throws {
        let now = ContinuousClock.now
        if asked == nil, isAtWork, now >= rest, let command = try occupation.next() {
            asked = try client.send(command, deadline: Self.patience)
            rest = now + pause
        }
        guard asked != nil else { return }
        for answer in try client.receive(within: .zero) where answer.id == asked {
            asked = nil
            answered += 1
            try occupation.take(answer.result.get(), to: answer.id)
        }
    }
}

extension Envelope {
    /// Its message, if it is of that type.
    func message<M: ProtobufMessage>(_: M.Type) throws -> M {
        do { return try Client.unpack(self, as: M.self) } catch {
            throw Complaint("no \(M.protobufName): \(error)")
        }
    }

    /// Its refusal; nil if it isn't one.
    var refusal: Refusal? {
        get throws { type == Refusal.protobufName ? try Refusal(unpacking: data) : nil }
    }
}
