import ArgumentParser
import Messages
import PlanSpeech
import Speech
import Testing

@testable import Gateway

@Suite struct PlanScriptTests {
    /// What is wrong with a script.
    static func failure(_ text: String) -> Failure? {
        #expect(throws: Failure.self) { try PlanScript(Array(text.utf8), named: "a.plan") }
    }

    @Test(
        arguments: [
            ("add bed", ["add", "bed"]), ("  add\tbed  ", ["add", "bed"]),
            ("label bed-1 'Guest bed' # old", ["label", "bed-1", "Guest bed"]),
            ("label bed-1 \"Guest's bed\"", ["label", "bed-1", "Guest's bed"]),
            ("label bed-1 --label=\"a b\"", ["label", "bed-1", "--label=a b"]),
            ("label bed#1 ''", ["label", "bed#1", ""]), ("a\\ b \\#c", ["a b", "#c"]),
            ("# nothing", []), ("", []), ("a 'b\\' c", ["a", "b\\", "c"]),
        ] as [(String, [String])])
    func `words are split as in a shell`(_ line: String, _ words: [String]) throws {
        #expect(try PlanScript.words(of: line[...], at: 1, "").map(\.text) == words)
    }

    @Test func `each word has its column`() throws {
        let words = try PlanScript.words(of: "  add 'a b'  c", at: 1, "")

        #expect(words.map(\.column) == [3, 7, 14])
    }

    @Test func `empty lines and comments count in line numbers`() throws {
        let script = try PlanScript(
            Array("\u{FEFF}# a bath\r\n\r\nundo\r\nsteward plan redo 2\r\n".utf8), named: "a.plan")

        #expect(script.lines.map(\.number) == [3, 4])
        #expect((script.lines[1].command as? PlanCommand.Redo)?.options.steps == 2)
    }

    @Test(
        arguments: [
            ("undo\nwal --from 0,0", "a.plan:2:1: “wal” is not a command of plans", "mean wall?"),
            ("label x 'y", "a.plan:1:9: this quote is not closed", "same line"),
            ("undo 0", "a.plan:1:1: say how many steps", "plan undo --help"),
            ("undo\nlabel x y\\\nundo", "a.plan:2:10: nothing follows this", "one line"),
            ("wall --from 0;0 --to 1,1", "a.plan:1:6: The value", "plan wall --help"),
            ("wall --from 0,0 --to", "a.plan:1:17: Missing value", "plan wall --help"),
            ("add bed --at 0,0", "a.plan:1:1: Missing expected", "plan add --help"),
            ("wall --help", "a.plan:1:1: help is not for scripts", "plan wall --help"),
            ("undo\nrun b.plan", "a.plan:2:1: “run” can't be used in a script", "plan run"),
            ("delete X --yes", "a.plan:1:1: “delete” can't be used", "plan delete"),
            ("remove x -p Y", "a.plan:1:1: --plan, --force, --id and --json", "remove --help"),
            ("remove x --force", "a.plan:1:10: --plan, --force, --id", "remove --help"),
        ] as [(String, String, String)])
    func `a mistake is reported with its line, its column and the remedy`(
        _ text: String, _ sentence: String, _ advice: String
    ) throws {
        let failure = try #require(Self.failure(text))

        #expect(failure.sentence.hasPrefix(sentence), "\(failure.sentence)")
        #expect(failure.advice?.contains(advice) == true, "\(failure.advice ?? "")")
        #expect(failure.status == .refused)
    }

    @Test func `bytes that aren't text are refused`() {
        let failure = #expect(throws: Failure.self) {
            try PlanScript([0x61, 0xFF, 0x0A], named: "a.plan")
        }

        #expect(failure?.sentence == "a.plan isn't text in UTF-8")
    }

    @Test func `a script that is too large is refused before it is read`() throws {
        let line = "draw\n"
        func failure(_ text: String) -> Failure? {
            #expect(throws: Failure.self) {
                try PlanScript(Array(text.utf8), named: "a.plan")
            }
        }
        let large = failure(String(repeating: " ", count: PlanScript.largest + 1))
        #expect(large?.sentence == "a.plan is larger than 1 MiB, which no script needs")
        let many = failure(String(repeating: line, count: PlanScript.mostCommands + 1))
        #expect(many?.sentence == "a.plan:5001: a script has at most 5000 commands")
        // As long as a script may be, and one word: in time that grows with its length.
        let word = String(repeating: "a", count: PlanScript.largest)
        #expect(try PlanScript.words(of: word[...], at: 1, "a.plan").map(\.text) == [word])
    }

    @Test func `consecutive edits are one step`() throws {
        let script = try PlanScript(
            Array(
                """
                create A
                add bed --at 0,0 --size 1x1
                move bed-1 --east 1
                undo
                remove bed-1
                """.utf8), named: "a.plan")

        let steps = PlanScriptStep.steps(of: script.lines).map { step in
            switch step {
            case .edits(let lines): lines.map(\.number)
            case .other(let line): [-line.number]
            }
        }

        #expect(steps == [[-1], [2, 3], [-4], [5]])
    }

    @Test func `an edit names the revision of the plan from which it was made`() {
        let plan = Plan(id: "home", revision: 7)
        let action = PlanAction(action: .add(AddItems()))

        let edit = EditPlan(of: plan, [action], force: true)

        #expect(edit.plan == "home" && edit.expectedRevision == 7)
        #expect(edit.actions == [action] && edit.force)
    }
}
