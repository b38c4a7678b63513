import Speech
import Testing

@testable import Gateway

/// Opening the pages with a browser.
struct WebCommandTests {
    @Test(arguments: ["/usr/bin/false", "/nowhere/xdg-open"])
    func `a browser that can't be opened is an error that has the link`(program: String) throws {
        let link = "http://127.0.0.1:8093/login#name=ann&code=x"
        let failure = try #require(throws: Failure.self) {
            try WebCommand.Open.open(link, with: program)
        }
        #expect(failure.status != .done && failure.sentence.contains("no browser"))
        #expect(failure.advice?.contains(link) == true)
    }

    @Test func `opening a browser is not an error`() throws {
        try WebCommand.Open.open("http://127.0.0.1:8093/", with: "/usr/bin/true")
    }
}
