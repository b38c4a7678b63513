import Bus
import Messages
import Speech
import Testing

@testable import ShiftClient

@Suite struct BusFailureTests {
    private static let id = MessageID("0192e4a1-7b3c-7def-8123-456789abcdef")

    private func refusal(_ code: Refusal.Code) -> ClientError {
        .refused(Refusal(code: code, message: "there is no feed x"))
    }

    @Test func `every error of the bus has its exit code`() throws {
        let id = try #require(Self.id)

        #expect(Failure(ClientError.notRunning(.notifier))?.status == .notRunning)
        #expect(Failure(ClientError.noAnswer(.notifier, id))?.status == .unknownOutcome)
        // The service didn't handle it, and may answer it next time.
        let late = Refusal(code: .invalid, message: "late").because(.queryLate)
        #expect(Failure(ClientError.refused(late))?.isUnreachable == true)
        #expect(Failure(ClientError.denied(.notifier))?.status == .broken)
        #expect(Failure(ClientError.unexpected(type: "x.Y"))?.status == .broken)
        #expect(Failure(ClientError.tooLarge(bytes: 2_000_000))?.status == .refused)
        #expect(Failure(ConfigurationError("wrong"))?.status == .broken)
    }

    @Test(
        arguments: [
            (.invalid, .refused), (.notFound, .refused), (.conflict, .refused),
            (.forbidden, .refused), (.internal, .broken), (.tooLarge, .refused),
            (.badToken, .refused),
        ] as [(Refusal.Code, Ending)])
    func `a refusal is shown in the service's words`(_ code: Refusal.Code, _ status: Ending) {
        let failure = Failure(refusal(code))

        #expect(failure?.status == status)
        #expect(failure?.sentence == "there is no feed x")
    }

    @Test func `what is beyond the limits of a field is refused without names of the protocol`() {
        let field = "plan.PlanDetails.author_title"
        let error = ProtobufError.tooLong(field: field, bytes: 2_000, limit: 1_000)
        for what in ["the message", "the planning.CreatePlan"] {
            let refusal = Refusal.invalid("\(what) can't be read: \(error)")
                .because(.fieldLimit, of: field)

            let failure = Failure(ClientError.refused(refusal))

            #expect(
                failure?.sentence == "the author title has 2000 bytes; it may have at most 1000")
            #expect(Failure(refusal)?.sentence == failure?.sentence)
        }
    }

    @Test func `an unknown outcome names the id to query with`() throws {
        let id = try #require(Self.id)

        let failure = Failure(ClientError.noAnswer(.transitAlert, id))

        #expect(failure?.sentence.contains("\(id)") == true)
        #expect(failure?.advice?.contains("--id \(id)") == true)
    }

    @Test func `an error about a service that isn't running says how to start it`() {
        let failure = Failure(ClientError.notRunning(.transitAlert))

        #expect(failure?.sentence == "transit-alert-service is not running")
        #expect(failure?.advice == "start it: steward up")
    }

    @Test func `typed text can't control the terminal when it is shown`() {
        let refusal = Refusal.notFound("there is no plan “\u{1B}[2Jx\u{202E}”")

        #expect(Failure(refusal)?.sentence == "there is no plan “ [2Jx ”")
        #expect(Failure(.usage, "one\ntwo", advice: "a\u{7}").sentence == "one\ntwo")
        #expect(Failure(.usage, "one", advice: "a\u{7}").advice == "a ")
    }
}
