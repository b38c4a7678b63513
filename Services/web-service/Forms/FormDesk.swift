import HTTPExchange
import Messages

/// The forms that are being answered, and those that were a moment ago. A browser that sends one of
/// them again, as it does when a person presses a button twice, gets the same answer: it shows only
/// the last one, and a code in the first would be lost.
///
/// After that, and after a restart, the ledger of the service answers, which keeps no secrets.
struct FormDesk {
    /// What to do with a form.
    enum Step {
        /// Carry it out.
        case carryOut
        /// Give it the answer of the one that is being carried out.
        case wait
        /// It was answered a moment ago.
        case answered(Response)
        /// Refuse it, because it is sent too often.
        case refuse
    }

    private struct Form {
        /// When it was first sent, in milliseconds since 1970.
        let time: Int64
        /// Those who sent it again and wait.
        var waiting: [Visit] = []
        /// The answer; nil before it is there.
        var response: Response?
    }

    /// How long an answer is kept, in milliseconds.
    private static let memory: Int64 = 120_000
    /// The most forms that are kept.
    private static let most = 200
    /// The most bytes of all answers that are kept.
    private static let mostBytes = 2 << 20
    /// The most requests that wait for one answer.
    private static let mostWaiting = 8

    private var forms: [MessageID: Form] = [:]

    /// Notes a form that was sent. If very many are, it is carried out without being kept.
    ///
    /// - Parameters:
    ///   - id: the id of its command.
    ///   - visit: the request, which is answered later if it has to wait.
    ///   - now: the time, in milliseconds since 1970.
    mutating func begin(_ id: MessageID, _ visit: Visit, at now: Int64) -> Step {
        guard let form = forms[id] else {
            if forms.count < Self.most { forms[id] = Form(time: now) }
            return .carryOut
        }
        if let response = form.response { return .answered(response) }
        guard form.waiting.count < Self.mostWaiting else { return .refuse }
        forms[id]?.waiting.append(visit)
        return .wait
    }

    /// Notes the answer of a form. It is kept if the command was carried out: otherwise the service
    /// is asked again.
    mutating func end(_ id: MessageID, _ response: Response) {
        guard let form = forms[id], form.response == nil else { return }
        let bytes = forms.values.reduce(response.body.count) { $0 + ($1.response?.body.count ?? 0) }
        let isKept = !response.status.isRefusal && bytes <= Self.mostBytes
        forms[id] = isKept ? Form(time: form.time, response: response) : nil
        for visit in form.waiting { visit.send(response) }
    }

    /// Forgets what is old. Runs each second.
    mutating func beat(at now: Int64) {
        guard !forms.isEmpty else { return }
        // Also if the clock was set back.
        forms = forms.filter { $0.value.response == nil || abs(now - $0.value.time) < Self.memory }
    }
}
