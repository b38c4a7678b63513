import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Files that are imported with `steward catalogue import`.
@Suite(.serialized, .waiting) struct CatalogueImportTests {
    private static func line(_ number: Int, updated: Int = 1) -> String {
        """
        {"id":"p\(number)","title":"Stol \(number)","hmsArtNr":"9\(number)","status":"ACTIVE",\
        "supplier":{"name":"Hjul AS"},"isoCategory":"12220302","supplierRef":"r\(number)",\
        "updated":"2025-01-0\(updated)T00:00:00","data":[{"key":"Totalbredde",\
        "value":"66,\(number % 10)","unit":"cm"},{"key":"Totallengde","value":"107","unit":"cm"}]}

        """
    }

    private static func write(_ text: String, _ name: String, _ shop: Shop) throws -> String {
        let path = shop.system.path(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private static func run(_ shop: Shop, _ words: String...) throws -> (
        end: Program.End, out: String, err: String
    ) {
        let program = try shop.system.spawn(tool: "steward", ["catalogue"] + words)
        return (try program.waitForEnd(), program.out, program.err)
    }

    @Test func `importing a file again changes nothing`() throws {
        let shop = try Shop()
        let path = try Self.write((1...700).map { Self.line($0) }.joined(), "a.ndjson", shop)
        let first = try Self.run(shop, "import", path)
        #expect(first.end == .exited(0), "\(first.err)")
        #expect(first.out == "700 added, 0 changed, 0 unchanged, 0 deleted, 0 refused\n")
        let again = try Self.run(shop, "import", path, path)
        #expect(again.out == "0 added, 0 changed, 1400 unchanged, 0 deleted, 0 refused\n")
        let newer = try Self.write(Self.line(7, updated: 2), "b.ndjson", shop)
        #expect(try Self.run(shop, "import", newer).out.hasPrefix("0 added, 1 changed"))
    }

    @Test func `found products are shown with their sizes and guesses`() throws {
        let shop = try Shop()
        let guess = #"{"id":"g","title":"Uten mål","hmsArtNr":"77","isoCategory":"12220301"}"#
        let path = try Self.write(Self.line(5) + guess, "a.json", shop)
        #expect(try Self.run(shop, "import", path).end == .exited(0))
        let found = try Self.run(shop, "find", "rullestol", "--iso", "1222").out
        #expect(found.contains("66.5 × 107 cm"), "\(found)")
        #expect(found.contains("~70 × ~120 cm"), "\(found)")
        let shown = try Self.run(shop, "show", "77").out
        #expect(shown.contains("guessed: not stated; 700 mm are usual"), "\(shown)")
        let missing = try Self.run(shop, "show", "78")
        #expect(missing.end == .exited(1) && missing.err.contains("no product “78”"))
    }

    @Test func `a file that isn't JSON changes nothing`() throws {
        let shop = try Shop()
        let good = (1...600).map { Self.line($0) }.joined()
        for (name, text) in [
            ("cut", good + Self.line(601).dropLast(20)), ("html", "<html></html>"), ("empty", ""),
            ("none", "{}\n[]"),
        ] {
            let path = try Self.write(String(text), name, shop)
            let result = try Self.run(shop, "import", path)
            #expect(result.end == .exited(1) && result.out.isEmpty, "\(name): \(result)")
        }
        #expect(try Self.run(shop, "import", shop.system.path("missing")).end == .exited(66))
        #expect(try Self.run(shop, "import", "/").end == .exited(66))
        let cut = try Self.run(shop, "import", shop.system.path("cut"))
        #expect(cut.err.contains("line 601"), "\(cut.err)")
        #expect(try shop.find("").matching == 0)
    }

    @Test func `unreadable products are reported with their lines, and the rest are imported`()
        throws
    {
        let shop = try Shop()
        let path = try Self.write(
            Self.line(1) + "{\"title\": \"x\"}\n" + Self.line(2), "a.json", shop)
        let result = try Self.run(shop, "import", path)
        #expect(result.end == .exited(0))
        #expect(result.out.hasPrefix("2 added") && result.out.hasSuffix("1 refused\n"))
        #expect(result.err.contains("line 2: “x”: it has no id and no number"))
    }

    @Test(arguments: 1...2)
    func `an import that is killed and restarted gives the same result`(round: Int) throws {
        let shop = try Shop()
        let text = (1...3_000).map { Self.line($0) }.joined()
        let path = try Self.write(text, "a.ndjson", shop)
        let program = try shop.system.spawn(tool: "steward", ["catalogue", "import", path])
        try eventually("some are there") {
            try shop.find("").matching >= UInt64(round * 500) || !program.isRunning
        }
        program.kill()
        if round == 2 { try shop.restart() }
        let again = try Self.run(shop, "import", path)
        #expect(again.end == .exited(0), "\(again.err)")
        #expect(try shop.find("").matching == 3_000)
        let rows = try shop.rows()
        #expect(try Self.run(shop, "import", path).out.hasPrefix("0 added, 0 changed, 3000 unch"))
        #expect(try shop.rows() == rows)
    }

    @Test func `the import waits for a service that is killed meanwhile`() throws {
        let shop = try Shop()
        let text = (1...3_000).map { Self.line($0) }.joined()
        let path = try Self.write(text, "a.ndjson", shop)
        let program = try shop.system.spawn(tool: "steward", ["catalogue", "import", path])
        try eventually("some are there") {
            try shop.find("").matching >= 500 || !program.isRunning
        }
        try shop.restart()
        #expect(try program.waitForEnd() == .exited(0), "\(program.err)")
        #expect(try shop.find("").matching == 3_000)
        #expect(program.out.hasPrefix("3000 added") || program.out.contains(" unchanged"))
    }

    @Test func `a catalogue can be imported through a pipe`() throws {
        let shop = try Shop()
        let path = try Self.write((1...50).map { Self.line($0) }.joined(), "a.ndjson", shop)
        let command = "cat \(path) | \(System.executables)/steward catalogue import -"
        let program = try shop.system.spawn(
            ["/bin/sh", "-c", command], environment: shop.system.environment())
        #expect(try program.waitForEnd() == .exited(0), "\(program.err)")
        #expect(program.out.hasPrefix("50 added"))
    }
}
