import Bus
import HTTPExchange
import Markup
import Messages
import Phrases

/// The page that says why a request wasn't answered, and what happens next.
struct FaultPage {
    private let status: Status
    private let visit: Visit
    private let text: String
    private let note: String

    /// The page for a status.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - visit: the request.
    ///   - seconds: how long to wait after too many requests.
    ///   - note: what the person should know; nil for the usual text of this status.
    init(_ status: Status, _ visit: Visit, seconds: Int = 1, note: String? = nil) {
        let words = Words<WebPhrase>(visit.language)
        (self.status, self.visit) = (status, visit)
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
    }

    /// The page for a service that refused or didn't answer.
    init(_ error: ClientError, _ visit: Visit) {
        let words = Words<WebPhrase>(visit.language)
        self.visit = visit
        switch error {
        case .refused(let refusal):
            status = Self.status(of: refusal)
            text = words.say(status == .forbidden ? .forbidden : .refused)
            note = refusal.code == .internal ? words.say(.failed) : refusal.message
        case .noAnswer(let service, _):
            (status, text) = (.unavailable, words.say(.refused))
            note =
                visit.request.method.changes
                ? words.say(.unknownOutcome) : words.say(.noAnswer, ["service": service.rawValue])
        case .notRunning(let service), .denied(let service), .noHandshake(let service):
            (status, text) = (.unavailable, words.say(.refused))
            note = words.say(.notRunning, ["service": service.rawValue])
        case .unexpected, .tooLarge:
            (status, text, note) = (.unavailable, words.say(.refused), words.say(.failed))
        }
    }

    /// The status for a refusal.
    static func status(of refusal: Refusal) -> Status {
        switch refusal.code {
        case .notFound: .notFound
        case .conflict: .conflict
        case .forbidden: .forbidden
        case .badToken: .unauthorized
        case .tooLarge: .tooLarge
        case .internal: .unavailable
        default: .badRequest
        }
    }

    var response: Response {
        let words = Words<WebPhrase>(visit.language)
        var frame = Frame(visit, visit.language, title: text)
        frame.reloads = status == .unavailable
        return frame.page(
            [
                tag(
                    "section", ["class": "card narrow"],
                    tag("h1", [:], .text(text)), tag("p", ["class": "lead"], .text(note)),
                    tag(
                        "p", [:],
                        tag("a", ["class": "button", "href": "/"], .text(words.say(.back)))))
            ], status: status)
    }
}
