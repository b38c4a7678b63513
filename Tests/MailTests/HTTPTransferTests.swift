import TestSupport
import Testing
import Transfers

/// Requests to a real web server, and what its answer means.
@Suite struct HTTPTransferTests {
    private let system: System

    init() throws { system = try System() }

    private func outcome(of behaviour: String) throws -> DeliveryOutcome {
        let server = try WebServer(in: system)
        try server.behave(behaviour)
        var limits = HTTPTransfer.Limits()
        limits.whole = .seconds(2)
        let request = HTTPRequest(url: server.url("/ring"), headers: [], body: Array("{}".utf8))
        let outcome = HTTPTransfer(.everywhere, limits: limits).send(request)
        #expect(try server.requests().count == 1)
        return outcome
    }

    @Test(arguments: ["200", "stall 200", "flood"])
    func `a server that has said yes has accepted, however its answer ends`(
        behaviour: String
    ) throws {
        #expect(try outcome(of: behaviour) == .accepted)
    }

    @Test func `a server that has said that it never will has refused, even if it then hangs`()
        throws
    {
        #expect(
            try outcome(of: "stall 422") == .refused("the server answers with status 422"))
    }

    @Test(arguments: ["hang", "cut", "stall 500"])
    func `a server that hasn't said yes has not accepted`(behaviour: String) throws {
        guard case .delayed(let reason, _) = try outcome(of: behaviour) else {
            Issue.record("it counts as accepted, or as refused for good")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(arguments: [
        ("429 7", 7), ("503 -5", 0), ("503 soon", 0), ("503 9223372036854775807", 86_400),
    ])
    func `a server may ask for a pause of a day at most`(behaviour: String, pause: Int) throws {
        guard case .delayed(_, let after) = try outcome(of: behaviour) else {
            Issue.record("it counts as accepted, or as refused for good")
            return
        }
        #expect(after == pause)
    }
}
