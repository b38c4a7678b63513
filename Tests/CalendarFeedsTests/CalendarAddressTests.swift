import CalendarFeeds
import Testing

/// The addresses of calendars, which are shown to nobody except their servers.
@Suite struct CalendarAddressTests {
    @Test(arguments: [
        ("https://Calendar.Example.org/kari.ics", "https://calendar.example.org", true),
        ("webcal://h/a?key=1#now", "https://h", true),
        ("WEBCAL://h:8443/a", "https://h:8443", true),
        ("http://kari:word@127.0.0.1:8080/a", "http://127.0.0.1:8080", false),
        ("https://[2001:db8::1]/a", "https://[2001:db8::1]", true),
    ])
    func `an address names its server, and whether the connection is encrypted`(
        text: String, server: String, isEncrypted: Bool
    ) throws {
        let address = try CalendarAddress(text)
        #expect(address.server == server && address.isEncrypted == isEncrypted)
        #expect(!address.text.hasPrefix("webcal") && !address.text.contains("#"))
    }

    @Test(arguments: [
        "", "kari.ics", "file:///etc/passwd", "ftp://h/a", "https://", "https:///a",
        "https://h:0/a", "https://h:65536/a", "https://h/å", "https://h/a b", "https://h/\n",
        "gopher://h/a", "https://\(String(repeating: "h", count: 300))/",
        "https://h/\(String(repeating: "a", count: 2_000))",
    ])
    func `an invalid address is refused without being repeated`(text: String) {
        let fault = #expect(throws: CalendarAddress.Fault.self) { try CalendarAddress(text) }
        // The fault is the same whatever was typed.
        #expect(fault == #expect(throws: CalendarAddress.Fault.self) { try CalendarAddress("") })
    }

    @Test func `the user and the password are sent only to the server that they are for`() throws {
        let address = try CalendarAddress("https://kari:word@h/a")
        #expect(try address.redirected(to: "https://h/b").text == "https://kari:word@h/b")
        for other in [
            "https://other/b", "http://h/b", "https://h:8443/b", "https://eva:pass@h/b",
        ] {
            let next = try address.redirected(to: other)
            #expect(next.text == other && !next.text.contains("word"))
        }
        #expect(throws: CalendarAddress.Fault.self) { try address.redirected(to: "file:///etc") }
        #expect(throws: CalendarAddress.Fault.self) { try address.redirected(to: "") }
    }
}
