import Bus
import HTTPExchange
import Testing

@testable import WebService

/// The settings for the address on which web-service listens.
struct WebAddressTests {
    @Test func `without settings, web-service listens on this machine alone`() throws {
        let address = try WebAddress([:])
        #expect(address.host == "127.0.0.1")
        #expect(address.port == 8093)
        #expect(address.origins == [])
        #expect(!address.isSecure)
    }

    @Test func `any other address needs an origin with HTTPS`() throws {
        let open = ["STEWARD_WEB_LISTEN": "0.0.0.0:80"]
        #expect(throws: ConfigurationError.self) { try WebAddress(open) }
        let plain = open.merging(["STEWARD_WEB_ORIGIN": "http://steward.example.org"]) { $1 }
        #expect(throws: ConfigurationError.self) { try WebAddress(plain) }
        let secure = open.merging(["STEWARD_WEB_ORIGIN": "https://a.example https://b.example"]) {
            $1
        }
        let address = try WebAddress(secure)
        #expect(address.isSecure)
        #expect(address.origins.map(\.host) == ["a.example", "b.example"])
    }

    @Test func `the cookie of an origin with HTTPS isn't shared with one without`() throws {
        let both = "https://steward.example.org http://localhost:8093"
        #expect(throws: ConfigurationError.self) { try WebAddress(["STEWARD_WEB_ORIGIN": both]) }
        let local = "http://localhost:8093 http://127.0.0.1:8093"
        #expect(try WebAddress(["STEWARD_WEB_ORIGIN": local]).origins.count == 2)
    }

    @Test(arguments: ["8093", ":8093", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", ""])
    func `an address without a host or a port is refused`(text: String) {
        #expect(throws: ConfigurationError.self) { try WebAddress(["STEWARD_WEB_LISTEN": text]) }
    }

    @Test func `proxies are named by their addresses`() throws {
        let address = try WebAddress(["STEWARD_WEB_PROXY": "127.0.0.1 ::1"])
        #expect(address.proxies == ["127.0.0.1", "::1"])
        for wrong in ["localhost", "10.0.0.0/8", "127.0.0.1:80", "127.0.0.1,::1"] {
            #expect(throws: ConfigurationError.self) {
                try WebAddress(["STEWARD_WEB_PROXY": wrong])
            }
        }
    }

    @Test(arguments: ["[::1]:8093", "localhost:1"])
    func `the other names of this machine need no origin`(text: String) throws {
        #expect(try WebAddress(["STEWARD_WEB_LISTEN": text]).origins == [])
    }

    @Test func `behind a container engine, this machine's browsers use the port it publishes`()
        throws
    {
        let settings = ["STEWARD_WEB_LISTEN": "0.0.0.0:8093", "STEWARD_WEB_PORT": "9000"]
        let address = try WebAddress(settings)
        #expect(address.port == 8093)
        #expect(!address.isSecure)
        let gate = Gate(origins: address.origins, port: address.port)
        for (host, isLet) in [
            ("localhost:9000", true), ("127.0.0.1:9000", true), ("[::1]:9000", true),
            ("localhost:8093", false), ("192.0.2.1:9000", false), ("evil.example:9000", false),
        ] {
            #expect((gate.refusal(.get, Headers([("Host", host)])) == nil) == isLet, "\(host)")
        }
        // Only a configured origin counts then; an empty one, as in compose.yaml, is none.
        let named = settings.merging(["STEWARD_WEB_ORIGIN": "https://steward.example.org"]) { $1 }
        #expect(try WebAddress(named).isSecure)
        let empty = settings.merging(["STEWARD_WEB_ORIGIN": ""]) { $1 }
        #expect(try WebAddress(empty).origins.count == 3)
        for wrong in ["0", "65536", "x", "80 81"] {
            #expect(throws: ConfigurationError.self) {
                try WebAddress(["STEWARD_WEB_LISTEN": "0.0.0.0:1", "STEWARD_WEB_PORT": wrong])
            }
        }
    }
}
