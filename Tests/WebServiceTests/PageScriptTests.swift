import Foundation
import TestSupport
import TestThreads
import Testing

/// The scripts of the pages, run by node. Each file in `Tests/WebPages` tests one of them.
@Suite(.waiting) struct PageScriptTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let node = "/usr/bin/node"
    private static let files = [
        "answers.test.mjs", "bell.test.mjs", "board.test.mjs", "copy.test.mjs", "courier.test.mjs",
        "fold.test.mjs", "former.test.mjs", "live.test.mjs", "look.test.mjs", "photos.test.mjs",
        "positions.test.mjs", "ride.test.mjs", "sheets.test.mjs", "shift.test.mjs", "sw.test.mjs",
        "undoing.test.mjs", "walk.test.mjs",
    ]

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: node),
            "the scripts of pages are not tried without node: deploy/setup --tests installs it"),
        arguments: files)
    func `the scripts of pages pass their own tests`(name: String) throws {
        let run = Process()
        run.executableURL = URL(filePath: Self.node)
        run.arguments = ["--test", Self.root.appending(path: "Tests/WebPages/\(name)").path]
        let output = Pipe()
        run.standardOutput = output
        run.standardError = output
        try run.run()
        let words = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        run.waitUntilExit()
        #expect(run.terminationStatus == 0, "\(words)")
        // A file without a test would pass too.
        let passed = words.firstMatch(of: /# pass (\d+)/).flatMap { Int($0.1) } ?? 0
        #expect(passed > 0, "\(words)")
    }

    @Test func `every file of Tests WebPages is run`() throws {
        let folder = Self.root.appending(path: "Tests/WebPages").path
        let found = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(found.filter { $0.hasSuffix(".test.mjs") }.sorted() == Self.files)
    }
}
