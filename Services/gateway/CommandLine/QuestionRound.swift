import Bus
import Messages
import ShiftClient
import Speech

/// One query to each of several services, sent at the same time, so that a service that is down or
/// hangs doesn't delay the others.
struct QuestionRound {
    /// What each service answered, or why it didn't.
    private let answers: [ServiceName: Result<Envelope, ClientError>]

    /// Sends the queries and waits for all answers.
    ///
    /// - Parameter time: how long to wait for a service that doesn't answer.
    init(
        _ session: Session, _ questions: [(ServiceName, any ProtobufMessage)],
        within time: Duration = .seconds(2)
    ) throws {
        var answers: [ServiceName: Result<Envelope, ClientError>] = [:]
        var asked: [(client: Client, question: any ProtobufMessage, isAgain: Bool)] = []
        for (service, question) in questions {
            do {
                let client = try session.client(service)
                try client.send(question, deadline: time)
                asked.append((client, question, false))
            } catch let error as ClientError { answers[service] = .failure(error) }
        }
        while asked.contains(where: { $0.client.inFlight > 0 }) {
            for index in asked.indices where asked[index].client.inFlight > 0 {
                let client = asked[index].client
                for answer in try client.receive(within: .milliseconds(2)) {
                    if !asked[index].isAgain, case .success(let reply) = answer.result,
                        try session.renewsToken(after: reply)
                    {
                        asked[index].isAgain = true
                        try client.send(asked[index].question, deadline: time)
                        continue
                    }
                    answers[client.service] = answer.result
                }
            }
        }
        self.answers = answers
    }

    /// What a service answered; nil if it can't be reached now.
    ///
    /// - Throws: ``ClientError/refused(_:)`` and other errors that don't concern reaching the
    ///   service.
    func answer<R: ProtobufMessage>(of service: ServiceName, as _: R.Type) throws -> R? {
        do { return try answers[service].map { try Client.unpack($0.get(), as: R.self) } } catch {
            guard Failure(error)?.isUnreachable == true else { throw error }
            return nil
        }
    }
}
