import Testing

/// What the files of web-service may do.
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

    @Test func `no control of a form hides a member of forms that scripts use`() {
        let scripts = Repository.files.filter {
            $0.path.hasPrefix("Services/web-service/Web/") && $0.path.hasSuffix(".js")
        }
        #expect(scripts.count > 5)
        #expect(scripts.flatMap(Self.hiddenMembers) == [])
    }

    private static let members: Set<Substring> = [
        "after", "append", "before", "children", "classList", "click", "closest", "dataset",
        "elements", "focus", "hidden", "remove", "replaceWith", "reset", "submit",
    ]

    /// The controls whose name or id is that of a member: if a button is named “remove”,
    /// `form.remove` is that button.
    static func hiddenMembers(_ script: TextFile) -> [String] {
        script.lines.enumerated().filter { line in
            line.element.matches(of: /\b(?:name|id): "(\w+)"/).contains {
                members.contains($0.output.1)
            }
        }.map { "\(script.path):\($0.offset + 1)" }
    }
}
