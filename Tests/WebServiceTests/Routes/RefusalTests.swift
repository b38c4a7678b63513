import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import TestThreads
import Testing

@testable import WebService

/// What each service refuses, in the language of the page.
@Suite(.waiting) struct RefusalTests {
    private let lobby: Lobby
    private let kari: String
    private let cookie: String

    init() throws {
        lobby = try Lobby(with: ["plan-service", "transit-alert-service"])
        kari = try lobby.add("kari", .administrator)
        cookie = try lobby.logIn("kari")
    }

    /// What the server answers in Norwegian once the service has started. Without anything to send
    /// a page is loaded.
    private func said(
        _ path: String, _ sent: String? = "", isJSON: Bool = false, by other: String? = nil
    ) throws -> String {
        let kind = isJSON ? "application/json" : "application/x-www-form-urlencoded"
        var text = ""
        try eventually("\(path) is answered") {
            let answer = try lobby.ask(
                sent == nil ? "GET" : "POST", path, cookie: other ?? cookie, form: sent, kind: kind,
                ["Accept-Language: nb", "Steward-Account: \(kari)"])
            text = answer.body
            return ![401, 503].contains(answer.status)
        }
        return text
    }

    @Test func `refusals of any service are in Norwegian`() throws {
        #expect(
            try said("/log-ins/0192ffff/end")
                .contains("Innloggingen finnes ikke, eller finnes ikke lenger."))
        let long = String(repeating: "x", count: 1001)
        #expect(
            try said("/sites", "name=\(long)&zone=UTC")
                .contains("utenfor grensene for feltet account.CreateSite.name."))
    }

    @Test func `refusals of account-service are in Norwegian`() throws {
        let ole = try lobby.add("ole", .crew)
        let long = String(repeating: "x", count: 101)
        for (path, form, text) in [
            ("/sites", "name=\(long)&zone=UTC", "Navnet på et sted har 1 til 100 tegn."),
            ("/people/nobody/disable", "", "ingen konto «nobody» i organisasjonen din"),
            (
                "/people/\(ole)/grant", "role=administrator&site=x",
                "Rollen «Administrator» gjelder på alle steder."
            ),
            ("/people/\(ole)/grant", "role=crew&site=Moon", "ikke noe sted «Moon»"),
            ("/people/\(ole)/revoke", "role=shiftManager&site=-", "ole har ingen slik rolle."),
            ("/people/\(ole)/care", "person=\(ole)", "Alle kan allerede opptre for seg selv."),
        ] { #expect(try said(path, form).contains(text), "\(path) \(form)") }
    }

    @Test func `refusals of transit-alert-service are in Norwegian`() throws {
        var ids = MessageID.Generator()
        for (policy, text) in [
            (7, "Personvernerklæringen er endret."),
            (0, "må godtas før posisjoner blir registrert."),
            (2, "Det finnes ingen ruteplan ennå."),
        ] {
            let id = ids.next(at: WallClock.milliseconds())
            let begin = #"{"id":"\#(id)","feed":"town","stopId":"1","policy":\#(policy)}"#
            #expect(try said("/ride", begin, isJSON: true).contains(text))
        }
        #expect(try said("/ride/stops?text=oslo", nil).contains("Det finnes ingen ruteplan ennå."))
        let id = ids.next(at: WallClock.milliseconds())
        let end = #"{"id":"\#(id)"}"#
        #expect(
            try said("/ride/0192ffff/finish", end, isJSON: true)
                .contains("Reisen finnes ikke, eller finnes ikke lenger."))
        let rating = #"{"id":"\#(ids.next(at: WallClock.milliseconds()))","useful":false,"#
        #expect(
            try said("/ride/0192ffff/feedback", rating + #""comment":"Too late"}"#, isJSON: true)
                .contains("Reisen finnes ikke, eller finnes ikke lenger."))
    }

    @Test func `refusals of plan-service are in Norwegian`() throws {
        #expect(
            try said("/plan/nowhere", nil)
                .contains("Det finnes ingen plantegning «nowhere» i organisasjonen din."))
    }

    @Test func `refusals of the notifier are in Norwegian`() throws {
        for (path, form, text) in [
            (
                "/alerts/0192ffff/acknowledge", "",
                "Varselet finnes ikke, eller finnes ikke lenger."
            ),
            (
                "/alerts/preferences", "mail=ole&from=warning&language=nb",
                "«ole» er ikke en vanlig e-postadresse"
            ),
            (
                "/alerts/quiet-hours", "quietFrom=22:00&quietUntil=22:00",
                "Stille timer må slutte på et annet tidspunkt enn de begynner."
            ),
            ("/alerts/channels/siren/test", "", "Du har ingen kanal «siren»."),
        ] { #expect(try said(path, form).contains(text), "\(path) \(form)") }
    }

    @Test func `refusals of checklist-service are in Norwegian, even of operations`() throws {
        try lobby.openShift()
        // The sites of a person are read when the person logs in.
        let cookie = try lobby.logIn("kari")
        let shift = try lobby.shift()
        #expect(
            try said("/shift/Harbour/start", #"{"dayPart":1}"#, isJSON: true, by: cookie)
                .contains("er fortsatt åpent på «Harbour» siden"))
        let end = #"{"shift":"\#(shift)","despiteOpen":false}"#
        #expect(
            try said("/shift/Harbour/end", end, isJSON: true, by: cookie)
                .contains("Fortsatt åpent: oppgaver i "))
        for (report, text) in [
            (#""area":"moon","text":"Cold""#, "Stedet har ikke noe område «moon»."),
            (#""area":"","text":"""#, "En tekst mangler."),
        ] {
            let sent = #"{"name":"Oven","state":"faulty",\#(report)}"#
            #expect(
                try said("/shift/Harbour/equipment", sent, isJSON: true, by: cookie)
                    .contains(text), "\(report)")
        }
        #expect(
            try said("/operations/0192ffff", nil, by: cookie)
                .contains("Skiftet finnes ikke, eller finnes ikke lenger."))
        var ids = MessageID.Generator()
        let now = WallClock.milliseconds()
        let long = String(repeating: "x", count: 201)
        let todos = [
            AddTodo(title: "Glass", area: "kitchen", priority: "whenever"),
            AddTodo(title: long, area: "kitchen", priority: "immediate"),
        ].enumerated().map { index, todo in
            ShiftOperation(
                id: ids.next(at: now).bytes, shift: shift, device: "web-1",
                deviceSequence: UInt64(index + 1), deviceTime: now, change: .addTodo(todo))
        }
        let sent = try JSONEncoder().encode(RecordOperations(operations: todos, deviceHead: 2))
        // An operation that was refused is refused again for the same reason.
        for _ in 1...2 {
            let answer = try said(
                "/operations", String(decoding: sent, as: UTF8.self), isJSON: true, by: cookie)
            #expect(answer.contains(#""refusal":"Stedet har ingen slik prioritet.""#))
            #expect(answer.contains(#""refusal":"Teksten har 1 til 200 tegn.""#))
            for text in [
                #""en":"The text has 1 to 200 characters.""#,
                #""nb":"Teksten har 1 til 200 tegn.""#,
                #""sv":"Texten har 1 till 200 tecken.""#,
            ] { #expect(answer.contains(text), "\(answer)") }
        }
    }

    @Test func `what isn't there is said in the language that the person prefers`() throws {
        let wish = "mail=kari%40example.org&from=warning&language=nb"
        #expect(
            try lobby.ask("POST", "/alerts/preferences", cookie: cookie, form: wish).status == 303)
        // The browser wants English.
        let page = try lobby.ask("GET", "/plan/x/nothing.svg", cookie: cookie)
        #expect(page.status == 404 && page.body.contains("lang=\"nb\""))
        let forms = [
            "/people/x/promote": "a=b", "/alerts/channels/x/paint": "a=b",
            "/log-ins/picture": "site=x",
        ]
        for (path, form) in forms {
            let answer = try lobby.ask("POST", path, cookie: cookie, form: form)
            #expect(answer.status == 404 && answer.body.contains("lang=\"nb\""), "\(path)")
        }
    }
}
