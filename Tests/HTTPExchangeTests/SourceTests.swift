import Testing

@testable import HTTPExchange

/// The sources by which requests are counted.
struct SourceTests {
    @Test(arguments: [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2"), ("2001:db8::1", "2001:db8:0:0:9::"),
        ("::1", "::2"), ("fe80::1%eth0", "fe80::2"), ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:DB8::", "2001:db8::7"),
    ])
    func `addresses of one network are one source`(one: String, other: String) {
        #expect(Source.network(of: one) == Source.network(of: other))
    }

    @Test(arguments: [
        (["192.0.2.1"], "192.0.2.1"), (["6.6.6.6, 192.0.2.1"], "192.0.2.1"),
        (["6.6.6.6", "192.0.2.1,10.0.0.2"], "192.0.2.1"), (["2001:db8::7"], "2001:db8::7"),
        ([], "10.0.0.1"), (["10.0.0.2"], "10.0.0.1"), (["192.0.2.1, unknown"], "10.0.0.1"),
        (["192.0.2.1:80"], "10.0.0.1"), ([""], "10.0.0.1"),
    ])
    func `behind a proxy the proxy says who the browser is`(forwarded: [String], source: String) {
        let proxies: Set = ["10.0.0.1", "10.0.0.2"]
        #expect(
            Source.address(of: "10.0.0.1", forwarded: forwarded, proxies: proxies) == source)
        #expect(
            Source.address(of: "6.6.6.6", forwarded: forwarded, proxies: proxies) == "6.6.6.6")
    }

    @Test(arguments: ["10.0.0.1", "::ffff:10.0.0.1", "::FFFF:a00:1"])
    func `a proxy is known by its IPv4 address on a socket for IPv4 and IPv6`(proxy: String) {
        for peer in ["10.0.0.1", "::ffff:10.0.0.1"] {
            let found = Source.address(
                of: peer, forwarded: ["192.0.2.1, ::ffff:10.0.0.1"], proxies: [proxy])
            #expect(found == "192.0.2.1")
            #expect(Source.address(of: peer, forwarded: [], proxies: [proxy]) == "10.0.0.1")
        }
        let stranger = Source.address(
            of: "::ffff:6.6.6.6", forwarded: ["192.0.2.1"], proxies: [proxy])
        #expect(stranger == "6.6.6.6")
    }

    @Test(arguments: [
        ("2001:db8:0:1::1", "2001:db8:0:2::1"), ("192.0.2.7", "192.0.2.8"),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8"), ("::1:0:0:0:1", "::2:0:0:0:1"),
        ("", "192.0.2.7"), ("2001:db8::1", "2001:db8:1::1"),
    ])
    func `addresses of two networks are two`(one: String, other: String) {
        #expect(Source.network(of: one) != Source.network(of: other))
    }
}
