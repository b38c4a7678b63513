import HTTPExchange
import Messages
import Testing

@testable import WebService

/// Lists of which a page shows a part.
struct ListBoundTests {
    @Test func `the list of plans says if there are more than it shows`() throws {
        let files = try WebFiles.shelf(["STEWARD_WEB_FILES": Lobby.files])
        let target = try #require(Target("/plans"))
        func page(_ found: Plans) -> String {
            let page = PlansPage(
                visit: Visit(Request(method: .get, target: target), files),
                person: Person(BrowserLogIn(), seen: 0), text: "", found: found)
            return String(decoding: page.response.body, as: UTF8.self)
        }
        let plans = [Plan(id: "p", details: PlanDetails(name: "Seaview"))]

        #expect(page(Plans(plans: plans, more: true)).contains("There are more plans."))
        #expect(!page(Plans(plans: plans)).contains("There are more plans."))
    }
}
