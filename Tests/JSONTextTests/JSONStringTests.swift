import JSONText
import Testing

/// Texts as JSON strings.
struct JSONStringTests {
    @Test func `whatever a text has comes back when its string is read`() throws {
        let single = (0...0x2FFF).compactMap { Unicode.Scalar($0 as UInt32) }.map { String($0) }
        for text in single + ["", "plain", "😀", "a\r\nb"] {
            let quoted = JSONString.quoted(text)
            var chunks = [Array(quoted.utf8)]
            var scanner = JSONScanner { chunks.popLast() ?? [] }
            #expect(try scanner.nextDocument())
            let read = try scanner.text()
            #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test func `a string is on one line, and ends no script of a page`() {
        #expect(JSONString.quoted("a\"b\\c\r\nd\te\u{1}é") == #""a\"b\\c\r\nd\te\u0001é""#)
        #expect(JSONString.quoted("</script>\u{2028}") == #""\u003c/script>\u2028""#)
    }
}
