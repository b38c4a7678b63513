import Bus
import Messages
import ShiftClient
import Speech

/// Queries to several services, sent at the same time, so that a service that is down or hangs
/// doesn't delay the others.
struct QuestionRound {
    /// The outcome of each query, in the order of the queries.
    private var answers: [Result<Envelope, ClientError>?]

    /// Sends the queries and waits for all answers.
    ///
    /// - Parameter time: how long to wait for a service that doesn't answer.
    init(
        _ session: Session, _ questions: [(ServiceName, any ProtobufMessage)],
        within time: Duration = .seconds(2)
    ) throws {
        answers = Array(repeating: nil, count: questions.count)
        var asked: [(number: Int, client: Client, isAgain: Bool)] = []
        var unasked: ConfigurationError?
        for (number, (service, question)) in questions.enumerated() {
            do {
                let client = try session.client(service)
                try client.send(question, deadline: time)
                asked.append((number, client, false))
            } catch let error as ClientError {
                answers[number] = .failure(error)
            } catch let error as ConfigurationError {
                // The key of this service can't be used; those of the others may be good.
                unasked = error
            }
        }
        if asked.isEmpty, let unasked { throw unasked }
        while asked.contains(where: { $0.client.inFlight > 0 }) {
            for index in asked.indices where asked[index].client.inFlight > 0 {
                let (number, client, isAgain) = asked[index]
                for answer in try client.receive(within: .milliseconds(2)) {
                    if !isAgain, case .success(let reply) = answer.result,
                        try session.renewsToken(after: reply, to: client.token)
                    {
                        asked[index].isAgain = true
                        try client.send(questions[number].1, deadline: time)
                        continue
                    }
                    answers[number] = answer.result
                }
            }
        }
    }

    /// The answer to a query; nil if its service can't be reached now, or its answer makes no
    /// sense.
    ///
    /// - Parameter number: its place among the queries, from 0.
    /// - Throws: ``ClientError/refused(_:)`` and other errors that don't concern the service alone.
    func answer<R: ProtobufMessage>(to number: Int, as _: R.Type) throws -> R? {
        do { return try answers[number].map { try Client.unpack($0.get(), as: R.self) } } catch {
            guard Failure(error)?.isUnreachable == true || Self.isOfService(error) else {
                throw error
            }
            return nil
        }
    }

    /// True if a service has failed, or has another version.
    static func isOfService(_ error: any Error) -> Bool {
        switch error {
        case ClientError.refused(let refusal): [.internal, .unknownType].contains(refusal.code)
        case ClientError.unexpected: true
        default: error is ProtobufError
        }
    }
}
