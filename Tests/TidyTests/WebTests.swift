import Testing

/// What only one file of web-service may do.
struct WebTests {
    /// On a private bus, a message without a token comes from the owner. So everything is sent
    /// through one function, which takes a proof of who is asking.
    @Test func `only the switchboard of web-service reaches other services`() {
        let files = Repository.swift.filter {
            $0.path.hasPrefix("Services/web-service/")
                && ($0.code.has("Client(") || $0.code.has("Connection("))
        }
        #expect(files.map(\.path) == ["Services/web-service/Desk/Switchboard.swift"])
    }

    @Test func `only the server of web-service knows swift-nio`() {
        let files = Repository.swift.filter { $0.imports.contains { $0.hasPrefix("NIO") } }
        #expect(!files.isEmpty)
        #expect(files.allSatisfy { $0.path.hasPrefix("Services/web-service/HTTPServer/") })
    }
}
