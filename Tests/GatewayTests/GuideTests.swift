import ArgumentParser
import Foundation
import Testing

@testable import Gateway

/// Guides whose commands often need hosts, an engine or a receiver that a test doesn't have. A test
/// can still show whether `steward` accepts them.
@Suite struct GuideTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        "README.md", "docs/channels.md", "docs/deployment.md", "docs/monitoring.md",
        "docs/projects.md", "docs/rides.md", "docs/routines.md", "docs/transport.md",
    ])
    func `steward accepts each of its commands in a guide`(guide: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: guide), encoding: .utf8)
        let commands = Self.commands(in: text)

        #expect(commands.count >= 3)
        for words in commands {
            #expect(throws: Never.self, "steward \(words)") { _ = try Steward.parseAsRoot(words) }
        }
    }

    @Test func `commands are found behind prompts, in containers, across lines and with quotes`() {
        let text = """
            Type `steward lay`:
            ```text
            first$  env -u STEWARD_BUS steward passwd       the present password is empty
            sudo -u steward env STEWARD_DATA=/data \\
                steward restore /backups
            docker compose run --rm -T --entrypoint tar steward -C /backups -c monday > monday.tar
            docker compose run --rm -T steward metrics > "$to.new"
            docker compose run --rm restore /backups
            kubectl logs -n steward job/restore
            steward lay --in 'the red barn' --list="$HOME/eggs"
            ```
            """

        #expect(
            Self.commands(in: text) == [
                ["passwd"], ["restore", "/backups"], ["metrics"],
                ["restore", "--apart", "/backups"],
                ["lay", "--in", "the red barn", "--list=$HOME/eggs"],
            ])
    }

    /// The arguments of each `steward` in the blocks of code.
    private static func commands(in text: String) -> [[String]] {
        let blocks = text.split(separator: /\n *```/, omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        return blocks.flatMap { block in
            block.replacing(/\\\n +/, with: "").split(separator: "\n")
                .compactMap(arguments(of:))
        }
    }

    /// The arguments of `steward` in a line; nil if it isn't called.
    private static func arguments(of line: Substring) -> [String]? {
        // A remark follows after a wide space.
        let text = line.trimmingPrefix(/\s+/).replacing(/\s{3,}.*/, with: "")
            .replacing("run --rm restore", with: "run --rm steward restore --apart")
        // Behind other programs a quoted text may be a script that calls `steward`.
        let words =
            text.hasPrefix("steward ")
            ? text.matches(of: /(?:'[^']*'|"[^"]*"|[^ ])+/)
                .map { String($0.output.filter { !"'\"".contains($0) }) }
            : text.split(separator: " ").map { String($0) }
        for (before, place) in zip([""] + words, words.indices).dropLast()
        where words[place] == "steward" && !["-n", "-u"].contains(before)
            && words[place + 1].first?.isLetter == true
        {
            return Array(words[(place + 1)...].prefix { !["<", ">", "|", "&&"].contains($0) })
        }
        return nil
    }
}
