import ArgumentParser
import Testing

@testable import Gateway

@Suite struct MistypedTests {
    @Test(
        arguments: [
            ("paln", "steward", "did you mean plan? "),
            ("plan lsit", "steward plan", "mean list? "),
            ("plan drwa", "steward plan", "mean draw? "),
            ("plan library delete X", "steward plan library", ""),
            ("catalogue serach bed", "steward catalogue", ""),
        ])
    func `an unknown command is named, with the one that may be meant`(
        _ line: String, _ path: String, _ advice: String
    ) throws {
        let words = line.split(separator: " ").map(String.init)
        let wrong = try #require(words.first { !path.split(separator: " ").contains($0[...]) })

        let failure = try #require(Mistyped.failure(words))

        #expect(failure.status == .usage)
        #expect(failure.sentence == "“\(wrong)” is not a command of \(path)")
        #expect(failure.advice?.hasSuffix("\(advice)all: \(path) --help") == true)
        #expect(failure.advice?.contains("mean") == !advice.isEmpty)
    }

    @Test(
        arguments: [
            ("checklist untick 4", "steward checklist tick TASK --clear"),
            ("checklist check 4", "steward checklist tick TASK"),
        ])
    func `a command that has another name is answered with it`(
        _ line: String, _ meant: String
    ) throws {
        let failure = try #require(
            Mistyped.failure(line.split(separator: " ").map(String.init)))

        #expect(failure.advice == "it is " + meant)
        let words = meant.split(separator: " ").dropFirst().map(String.init)
        _ = try Steward.parseAsRoot(words)
    }

    @Test func `swapped letters count as one slip`() {
        #expect(Mistyped.distance("list", "lsit") == 1)
        #expect(Mistyped.distance("wall", "wal") == 1)
        #expect(Mistyped.distance("delete", "lsit") == 5)
        #expect(Mistyped.distance("", "ab") == 2)
    }

    @Test(arguments: ["plan", "plan list lsit", "plan view 3", "help plan list", "--help paln", ""])
    func `other mistakes are left to the parser`(_ line: String) {
        #expect(Mistyped.failure(line.split(separator: " ").map(String.init)) == nil)
    }

    @Test(
        arguments: [
            ("help paln", "paln", "steward"), ("help plan drwa", "drwa", "steward plan"),
            ("help status now", "now", "steward status"),
        ])
    func `help for an unknown command says so`(
        _ line: String, _ wrong: String, _ path: String
    ) throws {
        let failure = try #require(
            Mistyped.failure(line.split(separator: " ").map(String.init)))

        #expect(failure.status == .usage)
        #expect(failure.sentence == "“\(wrong)” is not a command of \(path)")
    }

    @Test(
        arguments: [
            ("plan create My flat", "'My flat'"),
            ("plan room Living room --size 3x3m", "'Living room'"),
            ("issue create Paint the wall --priority low", "'Paint the wall'"),
            ("transit ride r.csv --to General Hospital --speed 2", "'General Hospital'"),
            ("todo add --area kitchen Buy milk", "'Buy milk'"), ("plan check tek17", nil),
            ("day show tomorrow", nil), ("plan use", nil), ("plan use Home --speed 2", nil),
            ("plan create Ann's flat", nil), ("issue show 4 5", nil),
            ("plan create Storgata 1", "'Storgata 1'"),
        ] as [(String, String?)])
    func `words that the shell took apart are to be quoted`(
        _ line: String, _ quoted: String?
    ) throws {
        let words = line.split(separator: " ").map(String.init)
        let error = try #require(throws: (any Error).self) { try Steward.parseAsRoot(words) }

        let advice = Mistyped.quoting(words, Steward.fullMessage(for: error))

        #expect(advice == quoted.map { "put words that belong together in quotes: \($0)" })
    }

    @Test func `an argument that isn't UTF-8 is refused with its position`() throws {
        #expect(try Mistyped.words([Array("ø".utf8), []]) == ["ø", ""])
        do {
            _ = try Mistyped.words([Array("site".utf8), [0x61, 0xFF]])
            Issue.record("it was taken")
        } catch {
            #expect(error.status == .usage)
            #expect(error.sentence == "argument 2 isn't text in UTF-8")
        }
    }

    @Test(
        arguments: [
            "transit stops x", "mail list", "alerts list", "plan list", "plan history",
            "catalogue find bed", "user audit", "archive find", "shift list",
        ])
    func `a list's limit is at least 1 and at most what the service gives`(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)

        _ = try Steward.parseAsRoot(words + ["--limit", "1"])
        for limit in ["0", "1000000"] {
            let error = try #require(throws: (any Error).self) {
                try Steward.parseAsRoot(words + ["--limit", limit])
            }
            #expect(Steward.exitCode(for: error) == .validationFailure)
            #expect(Steward.fullMessage(for: error).contains("--limit is a number from 1 to "))
        }
    }

    @Test func `an unknown language is refused`() throws {
        _ = try Steward.parseAsRoot(["site", "settings", "--language", "nb"])
        for language in ["xx", "eng", "", "klingon"] {
            let error = try #require(throws: (any Error).self) {
                try Steward.parseAsRoot(["site", "settings", "--language", language])
            }
            #expect(Steward.fullMessage(for: error).contains("isn't an ISO 639-1 language"))
        }
    }

    @Test func `a value may begin with a minus`() throws {
        let words = [
            "move", "bed", "--by", "-5,3", "--east", "-.5m", "--limit=3", "-1", "--", "-2",
        ]

        #expect(
            Mistyped.joiningNegatives(words) == [
                "move", "bed", "--by=-5,3", "--east=-.5m", "--limit=3", "-1", "--", "-2",
            ])
    }

    @Test func `every command without subcommands accepts --json`() {
        func leaves(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            let below = command.configuration.subcommands
            return below.isEmpty ? [command] : below.flatMap(leaves)
        }
        let all = leaves(Steward.self)

        #expect(all.count > 150)
        for command in all {
            #expect(command.helpMessage().contains("--json"), "\(command._commandName)")
        }
    }

    /// A command and all those below it.
    private static func all(
        _ command: any ParsableCommand.Type = Steward.self
    ) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { all($0) }
    }

    @Test func `every command states its name, which takes the parser longest to find out`() {
        #expect(Self.all().count > 200)
        for command in Self.all() {
            #expect(command.configuration.commandName != nil, "\(command)")
        }
    }

    @Test func `a command with subcommands has no options of its own`() {
        let groups = Self.all().filter { !$0.configuration.subcommands.isEmpty }

        #expect(groups.count > 30)
        for group in groups {
            #expect(Mirror(reflecting: group.init()).children.isEmpty, "\(group)")
        }
    }

    @Test(
        arguments: [
            ("status", "status", ""), ("shift list --limit 3", "list", "--limit 3"),
            ("plan library keep keep", "keep", "keep"), ("shift", nil, ""),
            ("shift lsit", nil, ""), ("help shift list", nil, ""), ("--json shift list", nil, ""),
        ] as [(String, String?, String)])
    func `a command without subcommands parses its own line`(
        _ line: String, _ name: String?, _ rest: String
    ) {
        let leaf = Steward.leaf(of: line.split(separator: " ").map(String.init))

        #expect(leaf?.command._commandName == name)
        #expect(leaf?.rest.joined(separator: " ") ?? "" == rest)
    }

    @Test(
        arguments: [
            "status", "shift list --limit 3", "shift list --limit 0", "shift list --limit",
            "shift list --help", "shift list help", "shift list --version", "shift list --wrong",
            "shift list -- --limit", "shift --help", "shift", "shift lsit", "mail", "mail list",
            "help shift list", "transit ride", "transit ride r.csv --to x --speed 0",
            "plan view --help", "issue create Dig --version One", "alerts acknowledge abc",
            "--version", "",
        ])
    func `a line means the same to its command as to the root`(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        func meaning(_ parse: ([String]) throws -> any ParsableCommand) -> String {
            do {
                let command = try parse(words)
                return "\(type(of: command)) \(command)"
            } catch { return "\(Steward.exitCode(for: error)) \(Steward.fullMessage(for: error))" }
        }

        let own = meaning { try Steward.command(for: $0) }
        let whole = meaning { try Steward.parseAsRoot($0) }
        #expect(own == whole)
    }

    @Test func `a command line that begins with a command is searched only for that one`() {
        func names(_ words: [String]) -> [String] {
            Steward.groups(for: words).flatMap(\.subcommands).map { $0._commandName }
        }
        #expect(names(["plan", "show"]) == ["plan"])
        for words in [[], ["help", "plan"], ["--help"], ["plam"], ["--version", "plan"]] {
            #expect(names(words).count == 50, "\(words)")
        }
    }

    @Test func `every command is in the help once`() {
        let names = Steward.configuration.subcommands.map { $0._commandName }

        #expect(names.count == 50)
        #expect(Set(names).count == names.count)
        #expect(Steward.configuration.ungroupedSubcommands.isEmpty)
    }

    @Test(
        arguments: [
            ("31/12/2026", "a day is written as 2026-03-31, or today or tomorrow"),
            ("1.3.2027", "a day is written as 2026-03-31, or today or tomorrow"),
            ("2027-3-1", "a day is written as 2026-03-31, or today or tomorrow"),
            ("2027-02-30", "there is no such day"), ("2027-02-28", nil), ("7:30", nil),
            ("1.2.3-4", nil), ("soon", nil),
        ] as [(String, String?)])
    func `a day that is written otherwise is answered with how to write it`(
        _ day: String, _ advice: String?
    ) {
        #expect(Mistyped.dating("The value '\(day)' is invalid for '--due <due>'") == advice)
    }
}
