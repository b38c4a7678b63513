import HTTPExchange
import Messages
import Testing

@testable import WebService

/// What tells log-ins apart.
struct LogInNameTests {
    @Test func `each button that ends a log-in has a name of its own, also on devices of one kind`()
        throws
    {
        let files = try WebFiles.shelf(["STEWARD_WEB_FILES": Lobby.files])
        let target = try #require(Target("/log-ins"))
        let sessions = (1...2).map {
            Session(
                id: "s\($0)", device: "Chromium, Linux", began: Int64($0) * 86_400_000,
                used: Int64($0) * 86_400_000)
        }
        let page = LogInsPage(
            visit: Visit(Request(method: .get, target: target), files),
            person: Person(BrowserLogIn(), seen: 0), sessions: sessions)
        let html = String(decoding: page.response.body, as: UTF8.self)

        let names = html.matches(of: /<span class="away">(Chromium, Linux[^<]*)</).map { $0.1 }

        #expect(names.count == 2 && Set(names).count == 2)
    }
}
