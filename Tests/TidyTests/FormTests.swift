import Testing

/// How the code is written: sizes, words, and what no code may do.
struct FormTests {
    @Test func `a line has at most 100 columns`() {
        let kinds = [".swift", ".proto", ".h", ".c", ".py", ".sh", "Makefile", ".editorconfig"]
        let long = Repository.files.filter { file in
            !file.isGenerated && kinds.contains(where: file.path.hasSuffix)
        }.flatMap { file in
            file.lines.enumerated()
                .filter { $0.element.count > 100 && !$0.element.contains(/^ *\/\/\/ \|/) }
                .map { "\(file.path):\($0.offset + 1)" }
        }
        #expect(long == [])
    }

    @Test func `a line of a document has at most 100 columns unless it is a table or a link`() {
        let long = Repository.files.filter { $0.path.hasSuffix(".md") }.flatMap { file in
            file.lines.enumerated()
                .filter { $0.element.count > 100 && !$0.element.contains(/^\s*\||\]\(|https:/) }
                .map { "\(file.path):\($0.offset + 1)" }
        }
        #expect(long == [])
    }

    @Test func `a function has at most 70 lines`() {
        let long = Repository.swift.flatMap { file in
            file.functions.filter { $0.length > 70 }
                .map { "\(file.path):\($0.line): \($0.length) lines" }
        }
        #expect(long == [])
    }

    @Test func `a file has at most 400 lines`() {
        let long = Repository.swift.filter { $0.lines.count > 401 }
            .map { "\($0.path): \($0.lines.count - 1) lines" }
        #expect(long == [])
    }

    @Test func `a name says what the thing is`() {
        let vague: Set = [
            "Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Common", "Core", "Base",
            "Impl", "Misc", "DTO", "Model", "Data", "Info", "Object", "Extensions",
        ]
        func isVague(_ name: some StringProtocol) -> Bool {
            String(name).matches(of: /[A-Z]+(?![a-z])|[A-Z][a-z]+/).contains {
                vague.contains(String($0.0))
            }
        }
        let types = Repository.swift.flatMap { file in
            file.code.flatMap {
                $0.matches(of: /\b(?:struct|class|enum|protocol|actor|typealias) ([A-Z]\w*)/)
            }.map(\.1).filter(isVague).map { "\(file.path): \($0)" }
        }
        let paths = Repository.files.map(\.path)
            .filter { ($0.hasPrefix("Services/") || $0.hasPrefix("Shared/")) && isVague($0) }
        #expect(types + paths == [])
    }

    /// A pattern, why it is forbidden, and the folders or files where it has its place.
    static let forbidden: [(pattern: String, instead: String, allowed: [String])] = [
        (#"\btry!|\bas!"#, "throw, or guard", []),
        (#"\bfatalError\("#, "throw an Outage, or state a precondition", ["Tests/"]),
        (
            #"\btry\?"#, "catch what is expected, and let the rest through",
            ["Tests/", "Shared/Messages/", "Shared/Bus/Client.swift"]
        ),
        (
            #"\bprint\("#, "write to the log, or through the gateway's printer",
            ["Tests/", "Shared/ServiceRuntime/Loop/EntryPoint.swift"]
        ),
        (
            #"\b(u|nano)?sleep\("#, "wait for what is to happen, with a deadline",
            [
                "Tests/TestSupport/Complaint.swift", "Tests/FaultTests/Crowd.swift", "Tests/Toys/",
                "Tests/Bench/", "Tests/BusTests/ClientTests.swift", "Tests/Workday/",
            ]
        ),
        (
            #"\bProcessInfo\b|\bgetenv\("#, "read settings in Configuration, once",
            [
                "Shared/Bus/Configuration.swift", "Services/gateway/Terminal/Terminal.swift",
                "Tests/",
            ]
        ),
        (
            #"@unchecked Sendable|nonisolated\(unsafe\)"#, "stay on one thread",
            ["Shared/Bus/", "Tests/"]
        ),
        (
            #"\bactor [A-Z]|\basync\b|\bawait\b"#, "a service has one thread and one loop",
            ["Tests/"]
        ),
        (
            #"\bDate\(\)|\bUUID\(\)|\b(Date|\w*Clock)\.now\b|\bWallClock\b|\bclock_gettime\("#,
            "use Transaction.now and Transaction.makeID",
            [
                "Shared/Bus/", "Shared/ServiceRuntime/", "Services/gateway/",
                "Tests/",
            ]
        ),
    ]

    @Test func `the files of the repository are looked at`() {
        #expect(Repository.files.count > 500 && Repository.swift.count > 300)
        #expect(Repository.files.contains { $0.path == "Tests/TidyTests/FormTests.swift" })
    }

    @Test(arguments: forbidden.indices)
    func `what has a better way is not used`(rule: Int) throws {
        let rule = Self.forbidden[rule]
        let found = try Repository.swift
            .filter { file in !rule.allowed.contains(where: file.path.hasPrefix) }
            .flatMap { try $0.places(of: rule.pattern) }
        #expect(found == [], "instead: \(rule.instead)")
    }

    /// Written in halves, so that this file passes too.
    static let foreign = [
        "\\bTO" + "DO\\b", "FIX" + "ME", "XX" + "X ", "/wo" + "rk/", "/tmp/ba" + "sh",
        "/ho" + "me/(?!ann\\b)",
        "/ro" + "ot/", "/Us" + "ers/", "[Ii]ssue ?#" + "[0-9]",
    ]

    @Test(arguments: foreign)
    func `no file speaks of what is not in the repository`(words: String) throws {
        let pattern = try Regex(words)
        let others = Repository.files.filter {
            // Most have none, which is seen sooner in one look at all of the text.
            $0.path != "LICENSE" && $0.text.contains(pattern)
        }
        let found = others.flatMap { file in
            file.lines.enumerated().filter { $0.element.contains(pattern) }
                .map { "\(file.path):\($0.offset + 1)" }
        }
        #expect(found == [])
    }
}
