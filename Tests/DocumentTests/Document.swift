import Foundation
import TestSupport
import Testing

/// A document of this repository, to extract its code blocks.
struct Document {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let text: String

    init(_ path: String) throws {
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The code blocks in one language, in order; `""` for those that name none.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var open: (language: String, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if !line.hasPrefix("```") {
                open?.lines.append(line)
            } else if let block = open {
                if block.language == language { blocks.append(block.lines.joined(separator: "\n")) }
                open = nil
            } else {
                open = (String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }
}

/// A terminal in an empty home directory for the commands of a document. The current directory is
/// the repository's, and the programs are those of this test run.
struct Terminal {
    let system: System

    /// Runs a script to its end, and returns what it printed. The test fails if the script does.
    @discardableResult
    func run(_ script: String) throws -> String {
        let program = try start(script)
        let end = try program.waitForEnd()
        try #require(end == .exited(0), "\(script)\n\(program.out)\n\(program.lastWords)")
        return program.out
    }

    /// Starts a script whose last command runs until the test is over.
    func start(_ script: String) throws -> Program {
        let lines = script.split(separator: "\n").filter { $0 != "make build" }
            .map { $0.replacing("$PWD/.build/debug", with: System.executables) }
        // A command may continue on the next line.
        let last = lines.indices.last { $0 == 0 || !lines[$0 - 1].hasSuffix("\\") } ?? 0
        let text = lines.enumerated().map { ($0.offset == last ? "exec " : "") + $0.element }
            .joined(separator: "\n")
        return try system.spawn(
            ["/bin/bash", "-euc", "cd '\(Document.root.path)'\n\(text)"],
            environment: [
                "HOME": system.directory, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
            ])
    }
}
