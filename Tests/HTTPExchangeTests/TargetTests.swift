import Testing

@testable import HTTPExchange

/// What the target of a request says.
struct TargetTests {
    @Test func `a path and its query are split and decoded`() throws {
        let target = try #require(Target("/board/Caf%C3%A9%20S%C3%B8r?lang=nb&a=1+2&empty"))
        #expect(target.parts == ["board", "Café Sør"])
        #expect(target.query["lang"] == "nb")
        #expect(target.query["a"] == "1 2")
        #expect(target.query["empty"] == "")
        #expect(target.query["none"] == nil)
        #expect(try #require(Target("/")).parts == [])
    }

    @Test(arguments: [
        "", "board", "http://evil.example/", "//evil.example/", "/a//b", "/a/", "/./a", "/a/..",
        "/%2e%2e/a", "/a%2fb", "/a%5cb", "/a%00b", "/a%0ab", "/a%", "/a%4", "/a%zz", "/a%ff",
        "/a#b",
        "/" + String(repeating: "a", count: 8192), "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q",
    ])
    func `a path that another program could read differently is refused`(text: String) {
        #expect(Target(text) == nil)
    }

    @Test(arguments: [
        "//evil.example", "/\\evil.example", "https://evil.example", "/a b", "/a\nb", "", "/%zz",
        "javascript:alert(1)", "/\tevil",
    ])
    func `a log-in redirects only to this server`(text: String) {
        #expect(Target.local(text) == nil)
    }

    @Test func `a log-in may redirect to any path of this server`() {
        #expect(Target.local("/board/Harbour?inches=24") == "/board/Harbour?inches=24")
    }

    @Test func `encoded text decodes to the same text`() throws {
        let text = "å/b?c=d&e+f%20\"<"
        let target = try #require(Target("/a?x=" + Target.encoded(text)))
        #expect(target.query["x"] == text)
    }

    @Test func `a repeated field has no value, and too many fields are refused`() throws {
        let fields = try #require(Fields(Array("a=1&b=2&a=3".utf8)))
        #expect(fields["a"] == nil)
        #expect(fields["b"] == "2")
        let many = (0...100).map { "f\($0)=1" }.joined(separator: "&")
        #expect(Fields(Array(many.utf8)) == nil)
    }

    @Test func `fields keep their order when those with a name are left out`() throws {
        let fields = try #require(Fields(Array("a=1&b=2&a=3&c=%C3%A5".utf8)))
        #expect(fields.without("a").encoded == "b=2&c=%C3%A5")
        #expect(fields.without("d") == fields)
    }

    @Test func `a text that is slow to compare is refused wherever a request has it`() {
        let (most, endless) = (Self.marks(30), Self.marks(31))
        #expect(Target("/e" + Target.encoded(most)) != nil)
        #expect(Target("/e" + Target.encoded(endless)) == nil)
        #expect(Target("/a?e" + Target.encoded(endless)) == nil)
        #expect(Fields(Array("name=e\(endless)".utf8)) == nil)
        #expect(Headers([("X", endless)]).areSlow)
        #expect(!Headers([("X", most)]).areSlow)
    }

    @Test(arguments: [
        ("{\"a\":\"Å\\u00e5\\n\\ud83d\\ude00\"}", true),
        ("{\"\(TargetTests.marks(30))\":1}", true),
        ("{\"\(TargetTests.marks(31))\":1}", false),
        ("[\"" + String(repeating: "\\u0316\\u0301", count: 16) + "\"]", false),
        ("[\"" + String(repeating: "\\ud834\\udd65", count: 31) + "\"]", false),
        ("[\"\\u03\"]", false), ("[\"\\", false), ("[\u{0}]", false),
    ])
    func `JSON that is slow to compare is not decoded, however its marks are written`(
        text: String, mayBe: Bool
    ) throws {
        let request = Request(
            method: .post, target: try #require(Target("/a")), body: Array(text.utf8))
        #expect(request.mayBeJSON == mayBe)
    }

    /// Combining marks of two classes, alternating.
    private static func marks(_ count: Int) -> String {
        (0..<count).map { $0 % 2 == 0 ? "\u{316}" : "\u{301}" }.joined()
    }

    @Test func `a form is read only from a form`() {
        func request(_ type: String?) -> Request {
            Request(
                method: .post, target: Target("/a") ?? { preconditionFailure() }(),
                headers: Headers(type.map { [("Content-Type", $0)] } ?? []),
                body: Array("name=ann&word=a%2Bb".utf8))
        }
        #expect(request("application/x-www-form-urlencoded; charset=utf-8").form?["word"] == "a+b")
        #expect(request("text/plain").form == nil)
        #expect(request(nil).form == nil)
    }
}
