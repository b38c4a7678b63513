import Testing

/// Tests that each rule finds what it forbids, and passes everything else.
struct RuleTests {
    private func swift(_ lines: String..., at path: String = "Shared/Toy/Hen.swift") -> TextFile {
        TextFile(path, text: lines.joined(separator: "\n") + "\n")
    }

    private func page(_ lines: String...) -> TextFile {
        TextFile("docs/toys.md", text: lines.joined(separator: "\n") + "\n")
    }

    @Test func `a long line is found by its characters, not by its bytes`() {
        let long = String(repeating: "x", count: 101)
        let fits = String(repeating: "å", count: 100)
        #expect(FormTests.longLines(swift("", fits, "// " + long)) == ["Shared/Toy/Hen.swift:3"])
        #expect(FormTests.longLines(swift("    /// | " + long)) == [])
        #expect(
            FormTests.longLines(page("| " + long, "", long, "see https://" + long, fits))
                == ["docs/toys.md:3"])
        #expect(FormTests.longLines(swift(long, at: "Shared/Toy/Generated/Hen.swift")) == [])
        #expect(FormTests.longLines(swift(long, at: "Shared/Toy/words.txt")) == [])
    }

    @Test func `a long function and a long file are found`() {
        let body = Array(repeating: "        hen.lay()", count: 69).joined(separator: "\n")
        let long = swift("struct Hen {", "    func lay(", "    ) {", body, "    }", "}")
        #expect(FormTests.longFunctions(long) == ["Shared/Toy/Hen.swift:2: 72 lines"])
        let short = swift(
            "struct Hen {", "    func lay() {", "    }", "    var eggs: Int", body, "}")
        #expect(FormTests.longFunctions(short) == [])

        let lines = String(repeating: "\n", count: 401)
        #expect(
            FormTests.tooLong(TextFile("Shared/A.swift", text: lines))
                == ["Shared/A.swift: 401 lines"])
        #expect(FormTests.tooLong(TextFile("Shared/A.swift", text: String(lines.dropLast()))) == [])
    }

    @Test func `a suite that would block a processor while it waits is found`() {
        let file = swift(
            "// @Suite(.serialized)", "@Suite(.serialized, .waiting) enum Hens {}",
            "@Suite(.serialized) enum Eggs {", "    @Suite(.serialized) struct Yolks {}", "}")
        #expect(FormTests.blockingSuites(file) == ["Shared/Toy/Hen.swift:3"])
    }

    @Test func `a name that says nothing is found`() {
        let file = swift(
            "// struct EggManager", "struct Egg { enum NestInfo {} }", "class Model {}")
        #expect(
            FormTests.vagueTypes(file) == [
                "Shared/Toy/Hen.swift: NestInfo", "Shared/Toy/Hen.swift: Model",
            ])
        #expect(FormTests.isVague("Shared/Bus/BusUtils.swift"))
        #expect(!FormTests.isVague("Shared/Bus/Modelling.swift"))
    }

    @Test func `a control that hides a member of its form is found`() {
        let script = TextFile(
            "a.js",
            text: """
                button({ name: "removed" }),
                button({ type: "button", name: "remove" }),
                """)
        #expect(WebTests.hiddenMembers(script) == ["a.js:2"])
    }

    /// For each row of ``FormTests/forbidden``, a line for each way to break its rule.
    private static let breaches = [
        ["let egg = try! lay()", "let egg = hen as! Egg"], ["fatalError()"],
        ["let egg = try? lay()"], ["print(egg)"], ["sleep(1)", "usleep(1)", "nanosleep(&time)"],
        ["let all = ProcessInfo.processInfo", "let home = getenv(name)"],
        ["final class Hen: @unchecked Sendable {}", "nonisolated(unsafe) var hens = 0"],
        ["actor Hen {}", "func lay() async {}", "await lay()"],
        [
            "let now = Date()", "let id = UUID()", "let now = Date.now",
            "let now = ContinuousClock.now", "let now = WallClock.milliseconds()",
            "clock_gettime(CLOCK_REALTIME, &time)",
        ],
        [
            "FileManager.default.contents(atPath: path)", "let all = try handle.readToEnd()",
            "let egg = try Data(contentsOf: url)", "try String(contentsOfFile: path)",
        ],
        [
            "try egg.write(to: URL(filePath: path))", "try egg.write(toFile: path)",
            "try egg.write(to: URL(filePath: path), options: .atomic)",
        ],
        [
            "let egg = UInt8(bitPattern: sign)", "eggs.map(UInt8.init(bitPattern:))",
            "eggs.map(CChar.init(bitPattern:))",
        ],
        ["let hens = Dictionary(uniqueKeysWithValues: eggs)"],
    ]

    @Test(arguments: FormTests.forbidden.indices)
    func `each way to break a rule is found`(rule: Int) throws {
        try #require(Self.breaches.count == FormTests.forbidden.count)
        for breach in Self.breaches[rule] {
            let file = swift("// \(breach)", "let text = \"\(breach)\"", "    " + breach)
            let places = try FormTests.forbidden.flatMap { try $0.places(in: file) }
            #expect(places == ["Shared/Toy/Hen.swift:3"], "\(breach)")
        }
        for folder in FormTests.forbidden[rule].allowed {
            let file = swift(Self.breaches[rule][0], at: folder + "Hen.swift")
            #expect(try FormTests.forbidden[rule].places(in: file) == [])
        }
    }

    @Test func `a suggested command whose name isn't quoted for a shell is found`() throws {
        let file = swift(
            #"remark("use it: steward egg lay “\(hen)”")"#, #"remark("steward egg lay '\(hen)'")"#,
            #"remark("use it: steward egg lay \(hen.asWord)")"#, #"remark("“\(hen)” lays")"#)
        #expect(
            try FormTests.misquoted(file) == ["Shared/Toy/Hen.swift:1", "Shared/Toy/Hen.swift:2"])
    }

    @Test func `a column of ids or times that may be cut is found`() {
        let file = swift(
            #".text("NAME"), .text("ID"),"#, #".text(clock.title("HATCHED", of: times)),"#,
            #".id("ID"), .time(clock.title("HATCHED", of: times)), .text("IDLE"),"#)
        #expect(FormTests.cutColumns(file) == ["Shared/Toy/Hen.swift:1", "Shared/Toy/Hen.swift:2"])
    }

    @Test func `a word that only resembles a forbidden one is allowed`() throws {
        let file = swift(
            "let blueprint(egg)", "entry!", "asleep(1)", "toUUID()", "awaiting()", "has!",
            "myfatalError()", "let now = Transaction.now")
        for rule in FormTests.forbidden { #expect(try rule.places(in: file) == []) }
    }

    @Test(arguments: FormTests.foreign.indices)
    func `a mention of something that isn't in the repository is found`(rule: Int) throws {
        let samples = [
            "cd /wo" + "rk/main", "in /tmp/ba" + "sh_jobs", "of /ro" + "ot/.ssh",
            "of /Us" + "ers/ann", "// FIX" + "ME: egg", "// XX" + "X egg", "// TO" + "DO egg",
            "in /ho" + "me/bob", "// see issue" + " #12",
        ]
        try #require(samples.count == FormTests.foreign.count)
        let file = swift("struct Hen {", samples[rule], "}")
        #expect(try FormTests.foreign(rule, in: file) == ["Shared/Toy/Hen.swift:2"])

        let others = swift("AUTO" + "DOC", "/ho" + "me/ann", "the issue #", "/work", "XX" + "XL")
        #expect(try FormTests.foreign(rule, in: others) == [])
    }

    @Test func `an import that a folder may not know is found`() {
        let file = swift(
            "public import Foundation", "@testable import GRDB", "// import Bus",
            "import struct Testing.Tag", at: "Shared/Bus/Hen.swift")
        #expect(
            LayoutTests.wrongImports(file) == [
                "Shared/Bus/Hen.swift: GRDB", "Shared/Bus/Hen.swift: Testing",
            ])
        #expect(LayoutTests.importsTestsWrongly(file))
        #expect(
            !LayoutTests.importsTestsWrongly(swift("import Testing", at: "Tests/ToyTests/A.swift")))
    }

    @Test func `a service's file that imports GRDB must store something`() {
        func isWrong(_ name: String) -> Bool {
            LayoutTests.importsStoresWrongly(
                swift("import GRDB", at: "Services/notifier/\(name).swift"))
        }
        #expect(isWrong("Hen"))
        #expect(!isWrong("HenStore"))
    }

    @Test func `a service that the runtime names is found`() {
        let file = swift(
            "let name = \"egg-service\"", "if name == .eggs {}", "[.eggs: 1]", "var eggs: Int",
            "ServiceName.eggs", "key == .eggs")
        #expect(
            LayoutTests.places(naming: "eggs", "egg-service", in: file)
                == [1, 2, 3, 5, 6].map { "Shared/Toy/Hen.swift:\($0)" })
    }

    @Test func `a declaration without a comment is found`() {
        let file = TextFile(
            "Shared/Proto/hen.proto",
            text: """
                // A hen.
                message Hen {
                  // Its name.
                  string name = 1;
                  repeated Egg eggs = 2;
                  map<string, int32> counts = 3;
                }

                enum Egg {
                """)
        #expect(
            LayoutTests.bareDeclarations(file)
                == [5, 6, 9].map { "Shared/Proto/hen.proto:\($0)" })
    }

    @Test func `a link and a path that lead nowhere are found`() {
        let file = page(
            "[here](plans.md) and [there](hens.md#eggs)", "[in](#part) [out](https://a.org)",
            "[up](../README.md) [two](\"lines\nof one\")", "`Shared/Bus` `Shared/Hens/egg.swift`",
            "`docs/plans.md` and `docs/hens.md`")
        #expect(
            LayoutTests.brokenLinks(file) == [
                "docs/toys.md: hens.md", "docs/toys.md: \"lines",
            ])
        #expect(
            LayoutTests.missingPaths(file) == [
                "docs/toys.md: Shared/Hens/egg.swift", "docs/toys.md: docs/hens.md",
            ])
    }
}
