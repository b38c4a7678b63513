import Bus
import HTTPExchange
import Messages
import Phrases
import Testing

@testable import WebService

/// The texts of refusals.
struct RefusalWordsTests {
    private static let norwegian = Words<WebPhrase>(.norwegian)

    @Test func `what has no phrase is marked as English`() throws {
        let files = try WebFiles.shelf(["STEWARD_WEB_FILES": Lobby.files])
        let target = try #require(Target("/sites"))
        let visit = Visit(Request(method: .post, target: target), files)
        func page(_ refusal: Refusal) -> String {
            let page = FaultPage(.refused(refusal), visit, in: .norwegian)
            return String(decoding: page.response.body, as: UTF8.self)
        }
        #expect(page(.conflict("the oven is cold")).contains(#"lang="en">the oven is cold"#))
        let taken = page(Refusal.conflict("taken").because(.siteTaken, of: "Havna"))
        #expect(taken.contains(#"<p class="lead">Det finnes allerede et sted «Havna».<"#))
    }

    @Test func `a refusal that lacks a part of its phrase is shown in its own words`() {
        let refusal = Refusal.invalid("a name has 1 to 100 characters")
        #expect(Self.norwegian.text(of: refusal.because(.textLength)) == refusal.message)
        #expect(!Self.norwegian.knows(refusal.because(.textLength)))
        let whole = Self.norwegian.text(of: refusal.because(1...100, in: "nothing known"))
        #expect(whole == "Teksten har 1 til 100 tegn.")
    }

    @Test func `what is open in a shift is listed in parts`() {
        let refusal = Refusal.conflict("still open: much").because(
            .shiftUnfinished, ["lists": "Åpning (2), Kjøkken (1)", "todos": "1", "travelPath": "1"])
        #expect(
            Self.norwegian.text(of: refusal)
                == "Fortsatt åpent: oppgaver i Åpning (2), Kjøkken (1), ett gjøremål, runden som "
                + "skulle vært gått. Bekreft for å avslutte skiftet likevel.")
    }

    @Test func `a phrase has only placeholders that refusals fill`() {
        let parts: Set<String> = [
            "subject", "role", "time", "field", "thing", "least", "most", "things", "manager",
            "date", "known", "number", "width", "height", "scale",
        ]
        for phrase in WebPhrase.allCases where phrase.rawValue.hasPrefix("refusal.") {
            let places = Self.norwegian.unfilled(phrase).matches(of: /\{(\w+)\}/)
                .map { $0.1.lowercased() }
            #expect(parts.isSuperset(of: places), "\(phrase)")
        }
    }
}
