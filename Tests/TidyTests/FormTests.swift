import Testing

/// How the code is written: sizes, words, and what no code may do.
struct FormTests {
    @Test func `a line has at most 100 columns`() {
        #expect(Repository.files.flatMap(Self.longLines) == [])
    }

    /// The lines of more than 100 characters; in a document a table and a link may be longer.
    static func longLines(_ file: TextFile) -> [String] {
        let kinds = [".swift", ".proto", ".h", ".c", ".py", ".sh", "Makefile", ".editorconfig"]
        let table: Regex<Substring>
        if file.path.hasSuffix(".md") {
            table = /^\s*\||\]\(|https:/
        } else if !file.isGenerated, kinds.contains(where: file.path.hasSuffix) {
            table = /^ *\/\/\/ \|/
        } else {
            return []
        }
        return file.search.lines(longerThan: 100)
            .filter { $0.text.count > 100 && !$0.text.contains(table) }
            .map { "\(file.path):\($0.number)" }
    }

    @Test func `a function has at most 70 lines`() {
        #expect(Repository.swift.flatMap(Self.longFunctions) == [])
    }

    static func longFunctions(_ file: TextFile) -> [String] {
        file.functions.filter { $0.length > 70 }
            .map { "\(file.path):\($0.line): \($0.length) lines" }
    }

    @Test func `a file has at most 400 lines`() {
        #expect(Repository.swift.flatMap(Self.tooLong) == [])
    }

    static func tooLong(_ file: TextFile) -> [String] {
        // The last line is empty.
        let count = file.search.lineCount - 1
        return count > 400 ? ["\(file.path): \(count) lines"] : []
    }

    @Test func `a name says what the thing is`() {
        let types = Repository.swift.flatMap(Self.vagueTypes)
        let paths = Repository.files.map(\.path).filter {
            ($0.hasPrefix("Services/") || $0.hasPrefix("Shared/")) && Self.isVague($0)
        }
        #expect(types + paths == [])
    }

    static func vagueTypes(_ file: TextFile) -> [String] {
        let kinds = ["struct ", "class ", "enum ", "protocol ", "actor ", "typealias "]
        return file.code.lines(having: kinds).flatMap {
            $0.text.matches(of: /\b(?:struct|class|enum|protocol|actor|typealias) ([A-Z]\w*)/)
        }.map { String($0.1) }.filter(isVague).map { "\(file.path): \($0)" }
    }

    private static let vague: Set = [
        "Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Common", "Core", "Base",
        "Impl", "Misc", "DTO", "Model", "Data", "Info", "Object", "Extensions",
    ]

    static func isVague(_ name: String) -> Bool {
        let search = TextSearch(name)
        guard vague.contains(where: search.has) else { return false }
        return name.matches(of: /[A-Z]+(?![a-z])|[A-Z][a-z]+/).contains {
            vague.contains(String($0.0))
        }
    }

    /// A pattern that is forbidden in code.
    struct Ban: Sendable {
        let pattern: String
        /// Plain words, one of which is in every line that matches.
        let words: [String]
        /// What to write instead.
        let instead: String
        /// The files in which it is allowed, by the beginnings of their paths.
        let allowed: [String]

        init(_ pattern: String, _ words: [String], _ instead: String, _ allowed: [String]) {
            self.pattern = pattern
            self.words = words
            self.instead = instead
            self.allowed = allowed
        }

        func places(in file: TextFile) throws -> [String] {
            guard !allowed.contains(where: file.path.hasPrefix) else { return [] }
            return try file.places(of: pattern, having: words)
        }
    }

    static let forbidden = [
        Ban(#"\btry!|\bas!"#, ["try!", "as!"], "throw, or guard", []),
        Ban(
            #"\bfatalError\("#, ["fatalError("], "throw an Outage, or state a precondition",
            ["Tests/"]),
        Ban(
            #"\btry\?"#, ["try?"], "catch what is expected, and let the rest through",
            ["Tests/", "Shared/Messages/", "Shared/Bus/Client.swift"]),
        Ban(
            #"\bprint\("#, ["print("], "write to the log, or through the gateway's printer",
            ["Tests/", "Shared/ServiceRuntime/Loop/EntryPoint.swift"]),
        Ban(
            #"\b(u|nano)?sleep\("#, ["sleep("], "wait for what is to happen, with a deadline",
            [
                "Tests/TestSupport/Complaint.swift", "Tests/FaultTests/Crowd.swift", "Tests/Toys/",
                "Tests/Bench/", "Tests/BusTests/ClientTests.swift", "Tests/Workday/",
            ]),
        Ban(
            #"\bProcessInfo\b|\bgetenv\("#, ["ProcessInfo", "getenv("],
            "read settings in Configuration, once",
            [
                "Shared/Bus/Configuration.swift", "Services/gateway/Terminal/Terminal.swift",
                // The program that it runs gets the whole environment.
                "Services/gateway/General/AlertProgram.swift", "Tests/",
            ]),
        Ban(
            #"@unchecked Sendable|nonisolated\(unsafe\)"#,
            ["@unchecked Sendable", "nonisolated(unsafe)"], "stay on one thread",
            ["Shared/Bus/", "Shared/WebClient/WebConnections.swift", "Tests/"]),
        Ban(
            #"\bactor [A-Z]|\basync\b|\bawait\b"#, ["actor ", "async", "await"],
            "a service has one thread and one loop",
            ["Tests/"]),
        Ban(
            #"\bDate\(\)|\bUUID\(\)|\b(Date|\w*Clock)\.now\b|\bWallClock\b|\bclock_gettime\("#,
            ["Date()", "UUID()", ".now", "WallClock", "clock_gettime("],
            "use Transaction.now and Transaction.makeID",
            [
                "Shared/Bus/", "Shared/ServiceRuntime/", "Services/gateway/",
                "Services/web-service/", "Tests/",
            ]),
        Ban(
            #"\bcontents\(atPath:|\breadToEnd\(|\b(Data|String)\(contentsOf(File)?:"#,
            ["contents(atPath:", "readToEnd(", "(contentsOf"],
            "read with InputFile: what someone names may be a device without an end",
            [
                // Files of Steward's own, and one that the operator's settings name.
                "Shared/Bus/KeyRing.swift", "Shared/ServiceRuntime/Backup/",
                "Services/gateway/WorkingCopy/", "Services/gateway/CommandLine/PersonalFile.swift",
                "Services/web-service/HTTPExchange/FileShelf.swift",
                "Services/notifier/MailConfiguration.swift", "Tests/",
            ]),
        Ban(
            #"\.write\(to: URL\(|\.write\(toFile:"#, ["write(to: URL(", "write(toFile:"],
            "write with OutputFile: a file is replaced as a whole, and a device stays",
            [
                "Services/gateway/CommandLine/OutputFile.swift",
                // Files of Steward's own.
                "Shared/ServiceRuntime/Backup/", "Services/gateway/WorkingCopy/",
                "Services/web-service/HTTPExchange/FormerFiles.swift", "Tests/",
            ]),
        Ban(
            #"\b(U?Int8|CChar)(\.init)?\(bitPattern:"#, ["(bitPattern:"],
            "use truncatingIfNeeded: a char of C has a sign on x86-64, and none on arm64",
            // A number that always has a sign.
            ["Services/transit-alert-service/TransitFeed/PatternBuilder.swift"]),
        Ban(
            #"\buniqueKeysWithValues:"#, ["uniqueKeysWithValues:"],
            "use uniquingKeysWith: texts whose bytes differ may be equal, which ends the process",
            [
                // The program itself makes the keys.
                "Services/account-service/AccountService.swift", "Services/notifier/Notifier.swift",
                "Services/project-service/Projects/ItemStore.swift",
                "Services/project-service/RedmineMirror/RemoteIssue.swift",
                "Services/project-service/RedmineMirror/RemoteTime.swift",
                "Services/web-service/Desk/BoardShow.swift", "Shared/Phrases/PseudoEnglish.swift",
                "Shared/ServiceRuntime/Ledger/DeadLetterOffice.swift",
                "Shared/ServiceRuntime/Loop/ServiceLoop.swift",
                "Shared/ServiceRuntime/Work/JobRunner.swift", "Tests/",
            ]),
    ]

    @Test func `serialized suites wait on threads of their own`() {
        // The fault tests are run on their own.
        let files = Repository.swift.filter { !$0.path.hasPrefix("Tests/FaultTests/") }
        #expect(files.flatMap(Self.blockingSuites) == [])
    }

    /// The outermost suites that would occupy a processor while they wait.
    static func blockingSuites(_ file: TextFile) -> [String] {
        file.code.lines(having: ["@Suite(.serialized"])
            .filter { $0.text.hasPrefix("@Suite") && !$0.text.contains(".waiting") }
            .map { "\(file.path):\($0.number)" }
    }

    @Test func `the rules see the files of the repository`() {
        #expect(Repository.files.count > 500 && Repository.swift.count > 300)
        #expect(Repository.files.contains { $0.path == "Tests/TidyTests/FormTests.swift" })
    }

    @Test(arguments: forbidden.indices)
    func `APIs with a better alternative aren't used`(rule: Int) throws {
        let rule = Self.forbidden[rule]
        let found = try Repository.swift.flatMap(rule.places)
        #expect(found == [], "instead: \(rule.instead)")
    }

    @Test func `a suggested command is written as a shell reads it`() throws {
        let files = Repository.swift.filter { $0.path.hasPrefix("Services/gateway/") }
        #expect(try files.flatMap(Self.misquoted) == [], "instead: asWord")
    }

    /// The lines with a command in which a name has the quotation marks of a sentence, or single
    /// quotes, which an apostrophe in the name would end.
    static func misquoted(_ file: TextFile) throws -> [String] {
        let pattern = try Regex(#"steward [a-z][a-z -]*[“‘']\\\("#)
        return file.search.lines(having: ["steward "]).filter { $0.text.contains(pattern) }
            .map { "\(file.path):\($0.number)" }
    }

    @Test func `a table never cuts ids, dates and times`() {
        let files = Repository.swift.filter { $0.path.hasPrefix("Services/gateway/") }
        #expect(files.flatMap(Self.cutColumns) == [], "instead: .id(…) or .time(…)")
    }

    /// The lines with a column of ids, dates or times, by its title, that may be cut.
    static func cutColumns(_ file: TextFile) -> [String] {
        file.search.lines(having: [".text(\"", ".text(clock"])
            .filter { line in
                line.text.contains(".text(clock.title(")
                    || line.text.matches(of: /\.text\("([^"]*)"\)/).contains {
                        wholeTitles.contains(String($0.1))
                    }
            }
            .map { "\(file.path):\($0.number)" }
    }

    private static let wholeTitles: Set = [
        "ID", "NO", "JOB", "JOURNEY", "IDENTIFIER", "PUBLIC KEY", "DATE", "DAY", "WEEK", "TIME",
        "AT", "BEGIN", "BEGINS", "END", "ENDS", "START", "DUE", "WAS DUE", "IS DUE", "KEPT",
        "AS OF",
    ]

    /// A pattern, and plain words, one of which is in every line that matches. Split in two, so
    /// that this file passes too.
    static let foreign: [(pattern: String, words: [String])] =
        [
            "/wo" + "rk/", "/tmp/ba" + "sh", "/ro" + "ot/", "/Us" + "ers/", "FIX" + "ME",
            "XX" + "X ",
        ].map { ($0, [$0]) } + [
            ("\\bTO" + "DO\\b", ["TO" + "DO"]), ("/ho" + "me/(?!ann\\b)", ["/ho" + "me/"]),
            ("[Ii]ssue ?#" + "[0-9]", ["ssue #", "ssue#"]),
        ]

    @Test(arguments: foreign.indices)
    func `no file mentions what isn't in the repository`(rule: Int) throws {
        let found = try Repository.files.flatMap { try Self.foreign(rule, in: $0) }
        #expect(found == [])
    }

    static func foreign(_ rule: Int, in file: TextFile) throws -> [String] {
        let lines = file.search.lines(having: foreign[rule].words)
        guard !lines.isEmpty, file.path != "LICENSE" else { return [] }
        let pattern = try Regex(foreign[rule].pattern)
        return lines.filter { $0.text.contains(pattern) }.map { "\(file.path):\($0.number)" }
    }
}
