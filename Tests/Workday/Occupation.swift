import Bus
import Messages
import TestSupport

/// What someone does all day with one service: one command after the other, each of which must be
/// carried out once.
protocol Occupation: AnyObject {
    /// The service that is asked.
    var service: ServiceName { get }
    /// The next command; nil when there is none for now.
    func next() throws -> (any ProtobufMessage)?
    /// The command was answered.
    ///
    /// - Throws: a `Complaint` when that is not the answer of a command that was carried out once.
    func take(_ answer: Envelope, to id: MessageID) throws
    /// Compares what was answered with what the service has.
    ///
    /// - Throws: a `Complaint` when something was lost, or is there twice.
    func inspect(_ system: System, _ client: Client) throws
}

/// Someone with an occupation, who gives the next command when the last one was answered.
final class Worker {
    /// How long a command is sent again until it counts as lost. Services may be away for a while.
    private static let patience: Duration = .seconds(3000)

    let occupation: any Occupation
    let client: Client
    private let pause: Duration
    private var asked: MessageID?
    private var rest = ContinuousClock.now
    /// How many commands were answered.
    private(set) var answered = 0

    init(_ occupation: any Occupation, _ client: Client, pause: Duration) {
        (self.occupation, self.client, self.pause) = (occupation, client, pause)
    }

    /// True while a command is not answered.
    var isWaiting: Bool { asked != nil }

    /// Takes the answer when it is there, and gives the next command when it is time.
    ///
    /// - Parameter isAtWork: false when no further command is given.
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
    /// Its message, when it is of that type.
    func message<M: ProtobufMessage>(_: M.Type) throws -> M {
        do { return try Client.unpack(self, as: M.self) } catch {
            throw Complaint("no \(M.protobufName): \(error)")
        }
    }

    /// Its refusal; nil when it is none.
    var refusal: Refusal? {
        get throws { type == Refusal.protobufName ? try Refusal(unpacking: data) : nil }
    }
}
