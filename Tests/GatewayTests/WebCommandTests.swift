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

    @Test(arguments: [
        (["STEWARD_WEB_ORIGIN": ""], true),
        (["STEWARD_WEB_ORIGIN": "https://Steward.example.org"], true),
        (["STEWARD_WEB_LISTEN": "[::]:8093"], true), (["STEWARD_WEB_LISTEN": "[::1]:80"], true),
        (["STEWARD_WEB_ORIGIN": "steward.example.org"], false),
        (["STEWARD_WEB_ORIGIN": "https://steward.example.org/"], false),
        (["STEWARD_WEB_ORIGIN": "https://kari@example.org"], false),
        (["STEWARD_WEB_PORT": "80/x"], false), (["STEWARD_WEB_LISTEN": "8093"], false),
        (["STEWARD_WEB_LISTEN": "127.0.0.1"], false),
        (["STEWARD_WEB_ORIGIN": "http://8093"], false),
        (["STEWARD_WEB_LISTEN": "127.0.0.1:99999"], false), (["STEWARD_WEB_LISTEN": ":80"], false),
        (["STEWARD_WEB_LISTEN": ""], false),
    ])
    func `a link leads only to where a browser can find the pages`(
        settings: [String: String], isGood: Bool
    ) {
        let origin = try? WebCommand.Open.sureOrigin(settings)
        #expect((origin != nil) == isGood && (origin ?? "http").hasPrefix("http"))
    }
}
