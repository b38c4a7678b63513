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
    func `a command that there isn't is named, with the one that may be meant`(
        _ line: String, _ path: String, _ advice: String
    ) throws {
        let words = line.split(separator: " ").map(String.init)
        let wrong = try #require(words.first { !path.split(separator: " ").contains($0[...]) })

        let failure = try #require(Mistyped.failure(words))

        #expect(failure.status == .usage)
        #expect(failure.sentence == "“\(wrong)” is no command of \(path)")
        #expect(failure.advice?.hasSuffix("\(advice)all: \(path) --help") == true)
        #expect(failure.advice?.contains("mean") == !advice.isEmpty)
    }

    @Test func `letters that are swapped are one slip`() {
        #expect(Mistyped.distance("list", "lsit") == 1)
        #expect(Mistyped.distance("wall", "wal") == 1)
        #expect(Mistyped.distance("delete", "lsit") == 5)
        #expect(Mistyped.distance("", "ab") == 2)
    }

    @Test(arguments: ["plan", "plan list lsit", "plan view 3", "help paln", "--help paln", ""])
    func `what is wrong elsewhere is left to others`(_ line: String) {
        #expect(Mistyped.failure(line.split(separator: " ").map(String.init)) == nil)
    }

    @Test func `a value that begins with a minus is the value of its option`() throws {
        let words = [
            "move", "bed", "--by", "-5,3", "--east", "-.5m", "--limit=3", "-1", "--", "-2",
        ]

        #expect(
            Mistyped.joiningNegatives(words) == [
                "move", "bed", "--by=-5,3", "--east=-.5m", "--limit=3", "-1", "--", "-2",
            ])
    }

    @Test func `every command has its place in the help, once`() {
        let names = Steward.configuration.subcommands.map { $0._commandName }

        #expect(names.count == 35)
        #expect(Set(names).count == names.count)
        #expect(Steward.configuration.ungroupedSubcommands.isEmpty)
    }
}
