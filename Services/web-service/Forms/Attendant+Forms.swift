import HTTPExchange
import Messages
import Phrases

extension Place {
    /// True for forms that send a command, which is carried out once, however often a browser sends
    /// the form. An alert may be acknowledged any number of times.
    var sendsCommand: Bool {
        switch self {
        case .setPassword, .makeAccount, .addSite, .invite, .changePerson, .makeCode, .makePicture,
            .makePhone, .endLogIn, .endAllLogIns, .prefer, .confirmMailbox, .setQuietHours,
            .changeChannel, .markFavourite:
            true
        default: false
        }
    }
}

/// Forms that a browser may send again.
extension Attendant {
    /// Serves the request for a place; a form that sends a command once, if its page has made a key
    /// for it. Those of former releases haven't.
    func answer(_ place: Place) {
        guard place.sendsCommand, let form = visit.request.form,
            form.names.contains(FormKey.name)
        else { return serve(place) }
        guard let (key, account) = form[FormKey.name].flatMap({ FormKey.read($0) }) else {
            return visit.send(.plain(.badRequest))
        }
        if place == .makeAccount { return once(place, key, account, for: "", in: nil) }
        // Others are led to the new password first, which is not the answer to the form.
        let admit = place == .setPassword ? withLogIn : withPerson
        admit { once(place, key, account, for: $0.account.id, in: $0.language) }
    }

    /// - Parameters:
    ///   - place: where the form was sent.
    ///   - key: the key of its page.
    ///   - owner: the account for which the page was made.
    ///   - account: the account that sends it.
    ///   - language: the language that the account prefers; nil for that of the browser.
    private func once(
        _ place: Place, _ key: FormKey, _ owner: String, for account: String, in language: Language?
    ) {
        // The page may be older than the log-in: what one person chose is never done as another.
        guard owner == account else {
            let note = Words<WebPhrase>(language ?? visit.language).say(.otherLogIn)
            return visit.send(FaultPage(.conflict, visit, note: note, in: language).response)
        }
        guard let id = key.command(of: account, visit.path, visit.request.body) else {
            return visit.send(.plain(.badRequest))
        }
        switch desk.forms.begin(id, visit, at: desk.now) {
        case .carryOut:
            let first = visit.answering { response in
                DeskWork.inbox.put { $0.forms.end(id, response) }
            }
            Attendant(desk, first, reply, command: id).serve(place)
        case .wait: break
        case .answered(let response): visit.send(response)
        case .refuse:
            let page = FaultPage(.tooMany, visit, in: language).response
            visit.send(page.adding("Retry-After", "1"))
        }
    }
}
