import Markup
import Testing

/// Pieces of pages.
struct NodeTests {
    @Test func `an element is written with its attributes and children`() {
        let node = tag("p", ["class": "note", "id": nil], "one ", tag("b", [:], "two"), tag("br"))
        #expect(node.html == "<p class=\"note\">one <b>two</b><br></p>")
        #expect(node.json == #"["p",{"class":"note"},"one ",["b",{},"two"],["br",{}]]"#)
        #expect(node.plainText == "one two")
    }

    @Test func `an attribute without a value is written bare`() {
        #expect(tag("input", ["required": ""]).html == "<input required>")
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onclick='x", "&lt;b>",
        "</title><script>", "]]>", "<!--", "\u{202E}evil\u{2066}", "\0<b\0>", "javascript:alert(1)",
        "\u{2028}\u{2029}\\u003cb>", "{{7*7}}", "</textarea><svg/onload=x>",
    ])
    func `hostile text stays text, in an element and in an attribute`(text: String) {
        let html = tag("p", ["title": text], .text(text)).html
        #expect(html.hasPrefix("<p title=\"") && html.hasSuffix("</p>"))
        // There are only the element's two tags, and only the attribute's two quotation marks.
        #expect(html.count { $0 == "<" } == 2)
        #expect(html.count { $0 == ">" } == 2)
        #expect(html.count { $0 == "\"" } == 2)
        #expect(!html.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
        let json = Node.text(text).json
        #expect(!json.contains("<") && !json.contains("\n"))
    }

    @Test func `a quotation mark, a backslash and a line end are escaped in JSON`() {
        #expect(Node.text("a\"b\\c\nd\te<").json == #""a\"b\\c\nd\te\u003c""#)
    }
}
