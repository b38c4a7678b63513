import Messages
import Testing

@testable import Phrases

/// Texts that one program passes to another, which puts them into a language.
struct SaidTests {
    private static let alert: AlertRaised = {
        var alert = AlertRaised(
            key: "k",
            actions: [Action(name: "check", Said(.seeFindings), target: "steward plan check p")])
        alert.say(
            Said(.getReady, ["stop": .word(.yourStop), "time": .seconds(200)]),
            [
                PhraseLine([
                    Said<AlertPhrase>(.toGo, ["distance": .metres(1_290)]), Said(.estimated),
                ]),
                PhraseLine([Said<FindingPhrase>(.at, ["item": .word(.bed)])]),
            ])
        return alert
    }()

    @Test func `an alert is given in English, and in the language of its reader`() throws {
        let alert = try AlertRaised(unpacking: Self.alert.packed())
        #expect(alert.title == "Get ready: your stop in about 3 min 20 s")
        #expect(
            alert.body
                == "1.2 km to go (estimated: there is no fresh position)\nThe bed:")
        let norwegian = alert.said(in: .norwegian)
        #expect(norwegian.title == "Gjør deg klar: holdeplassen din om ca. 3 min 20 s")
        #expect(norwegian.body == "1,2 km igjen (anslag: mangler ny posisjon)\nSengen:")
        #expect(norwegian.actions.map(\.title) == ["Se funnene"])
        #expect(norwegian.said(in: .english) == alert)
    }

    @Test func `an alert with very long texts is cut, and can be read in each language`() throws {
        let long = String(repeating: "å", count: 9_000)
        var alert = AlertRaised(key: "k")
        alert.say(
            Said(.plain, ["text": .text(long)]),
            (0..<20).map { _ in PhraseLine([Said<AlertPhrase>(.plain, ["text": .text(long)])]) })

        for language in Language.allCases {
            let told = alert.said(in: language)
            #expect(try AlertRaised(unpacking: told.packed()) == told)
            #expect(told.title.utf8.count == 8_000)
            #expect(told.body.utf8.count > 65_000)
        }
        #expect(try AlertRaised(unpacking: alert.packed()) == alert)
    }

    @Test(arguments: [
        "", "getReady", "alerts.", "alerts.nonsense", "nonsense.getReady", "papers.sales",
        "alerts.getReady.one",
    ])
    func `an alert with an unknown phrase is shown as it came`(key: String) {
        var alert = Self.alert
        alert.titlePhrase?.key = key
        alert.bodyLines[1].phrases[0].key = key
        let told = alert.said(in: .swedish)
        #expect(told.title == alert.title && told.body == alert.body)
    }

    @Test func `an alert that lacks an argument is shown as it came`() {
        var alert = Self.alert
        alert.titlePhrase?.arguments.removeLast()
        #expect(alert.said(in: .swedish).title == alert.title)
        alert.titlePhrase?.arguments.append(PhraseArgument(name: "time"))
        #expect(alert.said(in: .swedish).title == alert.title)
        alert.titlePhrase?.arguments[1].value = .word("alerts.getReady")
        #expect(alert.said(in: .swedish).title == alert.title)
        alert.titlePhrase?.arguments[1].value = .text("{stop}")
        #expect(alert.said(in: .swedish).title == "Gör dig redo: din hållplats om cirka {stop}")
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 59, 60, .max])
    func `any number can be said`(number: Int64) {
        for value in [PhraseArgument.Value.seconds(number), .metres(number), .number(number)] {
            let phrase = Phrase(
                key: "alerts.toGo", arguments: [PhraseArgument(name: "distance", value: value)])
            #expect(phrase.text(in: .norwegian)?.hasSuffix(" igjen") == true)
        }
    }

    @Test func `times and distances are as exact as people need`() {
        let times = [1, 45, 60, 200].map { Language.english.duration(seconds: $0) }
        #expect(times == ["1 second", "45 seconds", "1 min", "3 min 20 s"])
        let distances = [7, 659, 999, 1_000, 12_345].map { Language.swedish.distance(metres: $0) }
        #expect(distances == ["0 m", "650 m", "990 m", "1,0 km", "12,3 km"])
    }
}
