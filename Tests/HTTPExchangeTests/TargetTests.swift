import Testing

@testable import HTTPExchange

/// What a request names.
struct TargetTests {
    @Test func `a path is divided and decoded, and its query too`() throws {
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
    func `a path that could mean another one elsewhere is refused`(text: String) {
        #expect(Target(text) == nil)
    }

    @Test(arguments: [
        "//evil.example", "/\\evil.example", "https://evil.example", "/a b", "/a\nb", "", "/%zz",
        "javascript:alert(1)", "/\tevil",
    ])
    func `a log-in leads on to this server alone`(text: String) {
        #expect(Target.local(text) == nil)
    }

    @Test func `a path of this server is one to lead on to`() {
        #expect(Target.local("/board/Harbour?inches=24") == "/board/Harbour?inches=24")
    }

    @Test func `what is encoded is decoded to the same text`() throws {
        let text = "å/b?c=d&e+f%20\"<"
        let target = try #require(Target("/a?x=" + Target.encoded(text)))
        #expect(target.query["x"] == text)
    }

    @Test func `a field that comes twice has no value, and too many fields are refused`() throws {
        let fields = try #require(Fields(Array("a=1&b=2&a=3".utf8)))
        #expect(fields["a"] == nil)
        #expect(fields["b"] == "2")
        let many = (0...100).map { "f\($0)=1" }.joined(separator: "&")
        #expect(Fields(Array(many.utf8)) == nil)
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
