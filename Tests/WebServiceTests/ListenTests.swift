import HTTPExchange
import HTTPServer
import Testing

/// Where the server of pages listens.
@Suite struct ListenTests {
    @Test func `a server says plainly that its port is in use`() throws {
        let rules = HTTPRules(
            headers: [], admit: { _ in .answer(.plain(.notFound)) }, answer: { _, _ in })
        let first = try HTTPServer(host: "127.0.0.1", port: 0, rules: rules)

        let error = #expect(throws: ListenError.self) {
            try HTTPServer(host: "127.0.0.1", port: first.port, rules: rules)
        }

        #expect(error?.description == "Address already in use")
        try first.stop()
    }
}
