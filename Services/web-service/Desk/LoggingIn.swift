import BrowserSeal
import Bus
import Messages

/// Logging in and out, and setting a password.
extension People {
    /// The use of a log-in.
    enum Use: Sendable {
        /// The pages, in a browser.
        case pages
        /// The board of a site as a picture, for a display.
        case picture(site: String)
        /// Reporting the position of a phone.
        case place

        var isPages: Bool { if case .pages = self { true } else { false } }
        fileprivate var site: String { if case .picture(let site) = self { site } else { "" } }
        fileprivate var tellsPlace: Bool { if case .place = self { true } else { false } }
    }

    /// A person's attempt to log in.
    struct Attempt: Sendable {
        let name: String
        let password: String
        /// The name of the session in lists.
        let device: String
        /// Where the browser is: its address, or the network of that.
        let source: String
        /// True to stay logged in for a long time.
        let stays: Bool
        /// The log-in that the browser had; nil for none.
        let former: BrowserSeal?
        /// The use of the new log-in.
        var use = Use.pages
    }

    private static let hour: Int64 = 3_600_000

    /// How long a log-in lasts without use, milliseconds; 0 for ever.
    static func lasts(_ account: Account, stays: Bool, use: Use = .pages) -> Int64 {
        // Such a log-in can do only one thing, so the roles don't matter.
        if !use.isPages { return 30 * 24 * hour }
        let roles = account.grants.map(\.role)
        if !roles.isEmpty, roles.allSatisfy({ $0 == .display }) { return 0 }
        let isHead = roles.contains { $0 == .administrator || $0 == .owner }
        return stays && !isHead ? 30 * 24 * hour : 12 * hour
    }

    /// The most log-ins that may wait for account-service, which takes a while for each password.
    private static let mostTries = 8

    /// True if another person may try to log in now.
    func mayTry() -> Bool { tries < Self.mostTries }

    /// Sets a password, or replaces a single-use code by one. Every log-in of the account ends,
    /// even this one: someone may have a copy of its cookie.
    func setPassword(
        _ person: Person, _ seal: BrowserSeal?, present: String, new: String, id: MessageID?,
        then: @escaping (Result<Void, ClientError>) -> Void
    ) {
        guard let proof = person.proof(for: .account) else {
            return then(.failure(.withoutToken))
        }
        switchboard.ask(
            .account, ChangePassword(present: present, new: new), for: Account.self, by: proof,
            id: id
        ) { [self] result in
            guard case .success = result, let seal else { return then(result.map { _ in }) }
            // Account-service has ended all other sessions, and the tokens of this one.
            refresh(person)
            logOut(seal) { then(.success(())) }
        }
    }

    /// Logs a person in, and gives the browser a new cookie once that is kept.
    func logIn(
        _ attempt: Attempt,
        then: @escaping (Result<(BrowserSeal, BrowserLogIn), ClientError>) -> Void
    ) {
        let command = LogIn(
            name: attempt.name, password: attempt.password, device: attempt.device,
            source: attempt.source)
        tries += 1
        switchboard.askAsStranger(command, for: LoggedIn.self) { [self] in
            tries -= 1
            switch $0 {
            case .failure(let error): then(.failure(error))
            case .success(let loggedIn):
                guard let former = attempt.former else {
                    return begin(loggedIn, attempt, ending: nil, then: then)
                }
                // Once the former log-in is replaced, nothing proves whose session it was.
                find(former) { [self] found in
                    var proof: Proof?
                    if case .success(let person) = found { proof = person.proof(for: .account) }
                    begin(loggedIn, attempt, ending: proof, then: then)
                }
            }
        }
    }

    /// Keeps a log-in, and ends the session of the one that it replaces.
    private func begin(
        _ loggedIn: LoggedIn, _ attempt: Attempt, ending former: Proof?,
        then: @escaping (Result<(BrowserSeal, BrowserLogIn), ClientError>) -> Void
    ) {
        let account = loggedIn.account ?? Account()
        let now = switchboard.now
        let seal = BrowserSeal.fresh()
        let logIn = BrowserLogIn(
            cookie: seal.name, account: account.id, session: loggedIn.session,
            sealed: seal.seal(loggedIn.refreshToken), began: now, used: now,
            lasts: Self.lasts(account, stays: attempt.stays, use: attempt.use),
            mustChangePassword: loggedIn.mustChangePassword, pictureSite: attempt.use.site,
            tellsPlace: attempt.use.tellsPlace)
        let command = KeepLogIn(logIn: logIn, replaced: attempt.former?.name ?? [])
        switchboard.askStore(command, for: LogInKept.self) { [self] in
            switch $0 {
            case .failure(let error): then(.failure(error))
            case .success:
                if let former {
                    switchboard.ask(.account, LogOut(), for: LoggedOut.self, by: former) { _ in }
                }
                if let replaced = attempt.former { forget(replaced) }
                then(.success((seal, logIn)))
            }
        }
    }

    /// Ends a log-in here and at account-service.
    func logOut(_ seal: BrowserSeal, then: @escaping () -> Void) {
        find(seal) { [self] found in
            guard case .success(let person) = found, let proof = person.proof(for: .account) else {
                return delete(seal, then: then)
            }
            switchboard.ask(.account, LogOut(), for: LoggedOut.self, by: proof) { [self] _ in
                delete(seal, then: then)
            }
        }
    }

    /// Deletes a log-in here. Account-service may keep its session if it can't be reached, but
    /// without the refresh token nobody can use that.
    private func delete(_ seal: BrowserSeal, then: @escaping () -> Void) {
        switchboard.askStore(EndLogIn(cookie: seal.name), for: LogInEnded.self) { [self] _ in
            forget(seal)
            then()
        }
    }
}
