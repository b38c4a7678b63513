import Testing

@testable import JSONText

/// What is JSON and what isn't, whatever pieces it arrives in.
struct JSONScannerTests {
    /// Skips all values of a text.
    private static func skip(_ bytes: [UInt8], pieces: Int = 1 << 16) throws {
        var scanner = scanner(bytes, pieces: pieces)
        while try scanner.nextDocument() { try scanner.skip() }
    }

    private static func scanner(_ bytes: [UInt8], pieces: Int) -> JSONScanner {
        var rest = bytes[...]
        return JSONScanner {
            defer { rest = rest.dropFirst(pieces) }
            return Array(rest.prefix(pieces))
        }
    }

    /// The fault of a text; nil if it has none.
    private static func fault(_ bytes: [UInt8], pieces: Int = 1 << 16) throws -> JSONFault? {
        do { try skip(bytes, pieces: pieces) } catch let fault as JSONFault { return fault }
        return nil
    }

    @Test(arguments: [
        "", " \n ", "{}", "[]", "null", "true false", "0", "-0.5e+10", "1E5 2", "\"\"",
        #"{"a":[1,{"b":null},"c"],"d":{}}"#, "[1 , 2 ,\t3]\r\n{}", #""\"\\\/\b\f\n\r\t\u00e5""#,
        #""\ud83d\ude00 \ud83d \udead \ud83dx \ud83d\n""#, "\u{FEFF}{}", "\"\u{7F} å 😀\"",
    ])
    func `everything that RFC 8259 allows is read`(text: String) throws {
        for pieces in [1, 2, 3, 7, 1 << 16] {
            #expect(try Self.fault(Array(text.utf8), pieces: pieces) == nil)
        }
    }

    @Test(arguments: [
        "{", "[", "[1", "[1,", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        "{a:1}", "{1:2}", #"{"a":1 "b":2}"#, "[1 2]", "]", "}", "nul", "nulL", "True", "NaN", "'a'",
        "01", "-", "1.", ".5", "1e", "1e+", "+1", "0x10", "\"", "\"a", #""\"#, #""\x""#,
        #""\u12g4""#,
        #""\u12"#, "\"\n\"", "\"\t\"", "// a", "[1]]", "{}}", "\0", "\"a\0b\"", "[1\0]", "\u{A0}1",
        "<html>", "<?xml version=\"1.0\"?>", "key,value\n1,2",
    ])
    func `anything that RFC 8259 doesn't allow is a fault, wherever the text is cut`(text: String)
        throws
    {
        let faults = try [1, 2, 3, 7, 1 << 16].map { pieces in
            try #require(try Self.fault(Array(text.utf8), pieces: pieces))
        }
        #expect(Set(faults).count == 1)
    }

    @Test func `a fault reports its line and its byte`() throws {
        let fault = try #require(try Self.fault(Array("{\"a\": 1}\n\n{\"b\": tru}\n".utf8)))
        #expect(fault.line == 3 && fault.offset == 19)
        #expect(fault.description.hasPrefix("line 3, byte 19: "))
    }

    @Test func `nesting is limited`() throws {
        let deep = { (depth: Int) in
            [UInt8](repeating: UInt8(ascii: "["), count: depth)
                + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        }
        #expect(try Self.fault(deep(JSONScanner.deepest)) == nil)
        #expect(try Self.fault(deep(JSONScanner.deepest + 1)) != nil)
        #expect(try Self.fault(deep(1_000_000)) != nil)
    }

    @Test func `escapes become what they stand for`() throws {
        for pieces in 1...12 {
            var scanner = Self.scanner(
                Array(#""a\u00e5\ud83d\ude00\ud83dz\n\\""#.utf8), pieces: pieces)
            #expect(try scanner.nextDocument())
            #expect(try scanner.text() == "aå😀\u{FFFD}z\n\\")
        }
    }

    @Test func `a key that is slow to compare is a fault`() throws {
        for (count, isFault) in [(15, false), (16, true)] {
            let marks = String(repeating: #"\u0316\u0301"#, count: count)
            var scanner = Self.scanner(Array(#"{"a\#(marks)":1}"#.utf8), pieces: 1 << 16)
            #expect(try scanner.nextDocument())
            try scanner.enterObject()
            let key = try? scanner.nextKey()
            #expect((key == nil) == isFault)
        }
    }

    @Test func `only the beginning of a long text is held`() throws {
        let long = "\"" + String(repeating: "ab\\n", count: 100_000) + "\" 7"
        for pieces in [1_000, 1 << 20] {
            var scanner = Self.scanner(Array(long.utf8), pieces: pieces)
            #expect(try scanner.nextDocument())
            #expect(try scanner.text().utf8.count == JSONScanner.longestText)
            #expect(try scanner.nextDocument())
            #expect(try scanner.number() == "7")
        }
    }

    @Test(
        arguments: [[0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xE5, 0x22]] as [[UInt8]])
    func `text that is read must be UTF-8`(bytes: [UInt8]) throws {
        var scanner = Self.scanner(bytes, pieces: 1)
        #expect(try scanner.nextDocument())
        #expect(throws: JSONFault.self) { try scanner.text() }
    }
}
