import Bus
import HTTPExchange
import Markup
import Messages
import Phrases

/// The page that says why a request wasn't answered, and what happens next.
struct FaultPage {
    /// How soon the page tries again, in seconds.
    private static let pause = 5

    private(set) var status: Status
    private let visit: Visit
    private let language: Language
    private let text: String
    /// Why the request wasn't answered, and what to do.
    let note: String
    /// The same above a form that is shown again.
    private(set) var formNote: String
    /// True if the note is English and the page isn't.
    private var isEnglish = false

    /// The page for a status.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - visit: the request.
    ///   - seconds: how long to wait after too many requests.
    ///   - note: what the person should know; nil for the usual text of this status.
    ///   - language: the language that the person prefers; nil for that of the browser.
    init(
        _ status: Status, _ visit: Visit, seconds: Int = 1, note: String? = nil,
        in language: Language? = nil
    ) {
        let language = language ?? visit.language
        let words = Words<WebPhrase>(language)
        (self.status, self.visit, self.language) = (status, visit, language)
        let usual: WebPhrase =
            switch status {
            case .notFound: .notFoundNote
            case .methodNotAllowed: .wrongMethod
            case .tooMany: .tooMany
            default: .failed
            }
        let isMissing = status == .notFound || status == .methodNotAllowed
        text = words.say(isMissing ? .notFound : .refused)
        self.note = note ?? words.say(usual, ["count": "\(seconds)"])
        formNote = self.note
    }

    /// The page for a service that refused or didn't answer.
    ///
    /// - Parameters:
    ///   - error: why there is no answer.
    ///   - visit: the request.
    ///   - language: the language that the person prefers; nil for that of the browser.
    init(_ error: ClientError, _ visit: Visit, in language: Language? = nil) {
        let language = language ?? visit.language
        let words = Words<WebPhrase>(language)
        (self.visit, self.language) = (visit, language)
        switch error {
        case .refused(let refusal):
            status = Self.status(of: refusal)
            text = words.say(Self.heading(of: status, changes: visit.request.method.changes))
            note = refusal.code == .internal ? words.say(.failed) : words.text(of: refusal)
            isEnglish = refusal.code != .internal && !words.knows(refusal)
        case .noAnswer(let service, _):
            (status, text) = (.unavailable, words.say(.refused))
            note =
                visit.request.method.changes
                ? words.say(.unknownOutcome) : words.say(.noAnswer, ["service": service.rawValue])
        case .notRunning(let service), .denied(let service), .noHandshake(let service):
            (status, text) = (.unavailable, words.say(.refused))
            note = words.say(
                visit.request.method.changes ? .notRunningNow : .notRunning,
                ["service": service.rawValue])
        case .unexpected, .tooLarge:
            (status, text, note) = (.unavailable, words.say(.refused), words.say(.failed))
        }
        formNote = note
        // The form that is shown again is new, so the page needn't be loaded again.
        if case .refused(let refusal) = error, refusal.isBecause(.idOld) {
            formNote = words.say(.formOld)
        }
    }

    /// The heading for a service that refused. Somebody who only wanted to see something that
    /// doesn't exist didn't try to do anything.
    private static func heading(of status: Status, changes: Bool) -> WebPhrase {
        switch status {
        case .forbidden: .forbidden
        case .notFound where !changes: .notFound
        default: .refused
        }
    }

    /// The status for a refusal.
    static func status(of refusal: Refusal) -> Status {
        switch refusal.code {
        case .badToken where refusal.isBecause(.keyAwaited): .unavailable
        case .conflict where refusal.mayPass: .unavailable
        case .notFound: .notFound
        case .conflict: .conflict
        case .forbidden: .forbidden
        case .badToken: .unauthorized
        case .tooLarge: .tooLarge
        case .internal: .unavailable
        default: .badRequest
        }
    }

    /// The same page with a status that says that the request may succeed later.
    var unavailable: FaultPage {
        var page = self
        page.status = .unavailable
        return page
    }

    /// The same above a form that is shown again.
    var banner: Node { Self.banner(formNote, language: isEnglish ? "en" : nil) }

    /// The fault, above a form that is shown again.
    ///
    /// - Parameters:
    ///   - text: what is wrong.
    ///   - language: the language of the text, if the page has another.
    static func banner(_ text: String, language: String? = nil) -> Node {
        tag(
            "p", ["class": "fault", "role": "alert", "id": "fault"], Icon.warning,
            tag("span", ["lang": language], .text(text)))
    }

    var response: Response {
        let words = Words<WebPhrase>(language)
        let page = Frame(visit, language, title: text).page(
            [
                tag(
                    "section", ["class": "card narrow"],
                    tag("h1", [:], .text(text)),
                    tag("p", ["class": "lead", "lang": isEnglish ? "en" : nil], .text(note)),
                    tag(
                        "p", [:],
                        tag("a", ["class": "button", "href": "/"], .text(words.say(.back)))))
            ], status: status)
        // A form isn't sent again by itself. Browsers heed this header with and without JavaScript.
        guard status == .unavailable, !visit.request.method.changes else { return page }
        return page.adding("Refresh", visit.refresh(after: Self.pause))
    }
}

extension Refusal {
    /// True if the same command may be accepted later although nobody does anything: too much is
    /// under way, or too many answers are kept for the account.
    var mayPass: Bool { isBecause(.answersLimit) || isBecause(.serviceBusy) }
}
