import ArgumentParser
import Foundation
import Testing

@testable import Gateway

/// Guides whose commands often need hosts, an engine or a receiver that a test doesn't have. A test
/// can still show whether `steward` accepts them.
@Suite struct GuideTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ["deployment", "monitoring", "rides", "transport"])
    func `steward accepts each of its commands in a guide`(guide: String) throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "docs/\(guide).md"), encoding: .utf8)
        let commands = Self.commands(in: text)

        #expect(commands.count >= 3)
        for words in commands {
            #expect(throws: Never.self, "steward \(words)") { _ = try Steward.parseAsRoot(words) }
        }
    }

    @Test func `commands are found behind prompts, in containers and across lines`() {
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
            ```
            """

        #expect(
            Self.commands(in: text) == [
                ["passwd"], ["restore", "/backups"], ["metrics"],
                ["restore", "--apart", "/backups"],
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
        let words = line.trimmingPrefix(/\s+/).replacing(/\s{3,}.*/, with: "")
            .replacing("run --rm restore", with: "run --rm steward restore --apart")
            .split(separator: " ").map { String($0) }
        for (before, place) in zip([""] + words, words.indices).dropLast()
        where words[place] == "steward" && !["-n", "-u"].contains(before)
            && words[place + 1].first?.isLetter == true
        {
            return Array(words[(place + 1)...].prefix { !["<", ">", "|", "&&"].contains($0) })
        }
        return nil
    }
}
