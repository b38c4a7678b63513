import Testing

@testable import HTTPExchange

/// Who may send requests.
struct GateTests {
    private let local = Gate(origins: [], port: 8093)
    private let site = "https://steward.example.org"

    private func refusal(
        _ gate: Gate, _ method: Request.Method, _ headers: (String, String)...
    ) -> Status? {
        gate.refusal(method, Headers(headers))
    }

    @Test(arguments: ["localhost:8093", "127.0.0.1:8093", "[::1]:8093", "LocalHost:8093"])
    func `without an origin only requests to this machine's names are answered`(host: String) {
        #expect(refusal(local, .get, ("Host", host)) == nil)
    }

    @Test(arguments: [
        "evil.example", "evil.example:8093", "localhost", "localhost:80", "127.0.0.1.evil.example",
        "", "localhost:8093, evil.example",
    ])
    func `a request to another name is misdirected, even if it leads to this machine`(host: String)
    {
        #expect(refusal(local, .get, ("Host", host)) == .misdirected)
    }

    @Test func `a request needs exactly one host`() {
        #expect(refusal(local, .get) == .badRequest)
        #expect(
            refusal(local, .get, ("Host", "localhost:8093"), ("host", "localhost:8093"))
                == .badRequest)
    }

    @Test(arguments: [
        ("same-origin", Status?.none), ("same-site", .forbidden), ("cross-site", .forbidden),
        ("none", .forbidden), ("", .forbidden), ("SAME-ORIGIN", .forbidden),
    ])
    func `a change must come from a page of the same origin`(from: String, expected: Status?) {
        let host = ("Host", "127.0.0.1:8093")
        #expect(refusal(local, .post, host, ("Sec-Fetch-Site", from)) == expected)
        // A browser that says where a request comes from is believed, whatever its origin says.
        #expect(
            refusal(
                local, .post, host, ("Sec-Fetch-Site", from),
                ("Origin", "http://127.0.0.1:8093")) == expected)
    }

    @Test func `without that header the origin decides; without both nothing may change`() throws {
        let gate = Gate(origins: [try #require(Gate.Origin(site))], port: 8093)
        let host = ("Host", "steward.example.org")
        #expect(refusal(gate, .post, host, ("Origin", site)) == nil)
        #expect(refusal(gate, .post, host, ("Origin", "https://evil.example")) == .forbidden)
        #expect(refusal(gate, .post, host, ("Origin", "null")) == .forbidden)
        #expect(refusal(gate, .post, host) == .forbidden)
        #expect(refusal(gate, .get, host) == nil)
        #expect(refusal(gate, .head, host, ("Sec-Fetch-Site", "cross-site")) == nil)
    }

    @Test func `a route for programs refuses anything that a page made a browser send`() {
        let host = ("Host", "127.0.0.1:8093")
        func refused(_ more: (String, String)...) -> Status? {
            local.refusal(.post, Headers([host] + more), from: .program)
        }
        #expect(refused() == nil)
        for from in ["same-origin", "cross-site", "none", ""] {
            #expect(refused(("Sec-Fetch-Site", from)) == .forbidden, "\(from)")
        }
        #expect(refused(("Origin", "http://127.0.0.1:8093")) == .forbidden)
        #expect(refused(("Origin", "null")) == .forbidden)
        #expect(local.refusal(.post, Headers([("Host", "x")]), from: .program) == .misdirected)
    }

    @Test func `with an origin requests to the machine's names aren't answered`() throws {
        let gate = Gate(origins: [try #require(Gate.Origin(site))], port: 8093)
        #expect(refusal(gate, .get, ("Host", "localhost:8093")) == .misdirected)
        #expect(refusal(gate, .get, ("Host", "steward.example.org:443")) == nil)
        #expect(gate.isSecure)
        #expect(!local.isSecure)
    }

    @Test(arguments: [
        "steward.example.org", "https://", "https://a/b", "https://ann@b", "ftp://a", "https://a b",
        "https://a?b",
    ])
    func `text that isn't an origin is refused`(text: String) {
        #expect(Gate.Origin(text) == nil)
    }

    @Test func `an origin is read in lower case, without its default port`() throws {
        #expect(try #require(Gate.Origin("HTTPS://Steward.Example.org:443")).text == site)
        #expect(try #require(Gate.Origin("http://a:80")).host == "a")
        #expect(try #require(Gate.Origin("https://a:8443")).host == "a:8443")
    }
}
