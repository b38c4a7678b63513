import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// How a client handles an unfinished handshake.
@Suite(.serialized, .waiting) struct HandshakeTests {
    private let system: System
    private let port = Loopback.port()

    init() throws { system = try System() }

    /// The error of a query to the notifier, whose commands endpoint has the fourth port.
    private func error(within deadline: Duration = .seconds(30)) throws -> ClientError? {
        let client = try Client(
            system.connection(bus: "tcp://127.0.0.1:\(port)"), to: .notifier)
        do {
            _ = try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: deadline)
            return nil
        } catch let error as ClientError { return error }
    }

    @Test func `a service that ends during the handshake counts as not running, not as denying`()
        throws
    {
        for _ in 0..<20 {
            let ending = try Hangup(port: port + 3, limit: 1)

            #expect(try error() == .notRunning(.notifier))
            #expect(ending.accepted == 1)
        }
    }

    @Test func `a peer that breaks off every handshake isn't the service, and denies nothing`()
        throws
    {
        let other = try Hangup(port: port + 3)

        #expect(try error() == .noHandshake(.notifier))
        #expect(other.accepted > 1)
    }
}
