import BrowserSeal
import Bus
import Foundation
import Messages
import Phrases
import Speech

/// A person who is logged in with a browser, remembered by this process while the browser sends
/// requests.
final class Person {
    /// The log-in as the store keeps it.
    var logIn: BrowserLogIn
    /// Access tokens by service. They exist only in memory.
    fileprivate(set) var tokens: [String: [UInt8]] = [:]
    /// When they have to be fetched again, in milliseconds since 1970.
    fileprivate(set) var renewal: Int64 = 0
    /// When they were last discarded because a service refused one, in milliseconds since 1970.
    private var distrusted: Int64 = 0
    /// When a service last refused one of the tokens that were fetched for that reason.
    private var refusedAgain: Int64 = 0
    /// The account.
    fileprivate(set) var account = Account()
    /// The language that the account prefers; nil for that of the browser.
    fileprivate(set) var language: Language?
    /// The sites that the account may see.
    fileprivate(set) var sites: [Site] = []
    /// The callers that wait for the tokens.
    fileprivate var waiting: [(Result<Person, Absence>) -> Void] = []
    fileprivate var isBusy = false
    /// True if what the account may do has changed since tokens were last requested.
    fileprivate var isOutdated = false
    /// When a browser last sent a request, in milliseconds since 1970.
    fileprivate(set) var seen: Int64
    /// When the person last did something, in milliseconds since 1970; 0 if that was before this
    /// process remembers.
    fileprivate var lastUse: Int64 = 0

    init(_ logIn: BrowserLogIn, seen: Int64) { (self.logIn, self.seen) = (logIn, seen) }

    /// When the log-in is over unless it is used, in milliseconds since 1970.
    fileprivate var ends: Int64 {
        var logIn = logIn
        logIn.used = max(logIn.used, lastUse)
        return logIn.ends
    }

    /// The time zone of the first site; nil if there is none.
    var siteZone: String? { sites.first?.timeZone }

    /// The same, or the time zone of this machine if there is no site.
    var zone: String { siteZone ?? TimeZone.current.identifier }

    /// The date and the time of day in that zone, which is named if it differs from that of this
    /// machine, or has no site.
    func moment(_ milliseconds: Int64) -> String {
        let clock = SiteClock(zone: zone)
        return sites.isEmpty
            ? "\(clock.moment(milliseconds)) \(clock.zoneName)" : clock.fullMoment(milliseconds)
    }

    /// The date in that zone, as drawings show it.
    func day(_ milliseconds: Int64) -> String {
        String(SiteClock(zone: zone).moment(milliseconds).prefix(10))
    }

    /// The proof for a service of who is asking; nil if this account may not use the service.
    func proof(for service: ServiceName) -> Proof? { Proof(tokens[service.rawValue]) }

    /// How long before they expire access tokens are fetched again, milliseconds.
    private static let margin: Int64 = 60_000
    /// How long new tokens are trusted after the former ones were discarded, milliseconds: a
    /// refusal within this time has another reason.
    private static let trial: Int64 = 5000

    /// The sites among these that the account may see.
    fileprivate func visible(_ sites: [Site]) -> [Site] {
        let own = Set(account.grants.map(\.site))
        let isOwner = account.grants.contains { $0.role == .owner }
        return sites.filter { isOwner || own.contains("") || own.contains($0.id) }
    }

    /// Uses new tokens from now on; for one request only, if they may be older than a change of the
    /// account. Until a new password is set, account-service grants no tokens for other services: a
    /// token for one shows that the password is set, even if the answer to that was lost.
    func use(_ granted: AccessGranted) {
        (tokens, renewal) = (granted.tokens, isOutdated ? 0 : granted.expires - Self.margin)
        if tokens.keys.contains(where: { $0 != ServiceName.account.rawValue }) {
            logIn.mustChangePassword = false
        }
    }

    /// Discards the tokens, because a service has refused one of them. Tokens that have just been
    /// fetched for that reason stay, because new ones won't help. So do tokens that were fetched
    /// after the refused one was sent.
    func distrust(_ proof: Proof, at now: Int64) {
        guard renewal > 0, tokens.values.contains(proof.token) else { return }
        if abs(now - distrusted) < Self.trial {
            refusedAgain = now
        } else {
            (renewal, distrusted) = (0, now)
        }
    }

    /// False if a service has just refused a token that was fetched in place of a refused one, so
    /// that it won't help to try again.
    func mayTryAgain(at now: Int64) -> Bool { abs(now - refusedAgain) >= Self.trial }
}

/// Why nobody can be served.
enum Absence: Error {
    /// The browser has no log-in, or it is over.
    case loggedOut
    /// Nobody knows, because a service can't be reached.
    case unreachable(ClientError)
}

/// Who is logged in: finds the person of a cookie, and keeps the person's access tokens fresh.
final class People {
    /// How long a person is remembered without a request, in milliseconds.
    private static let memory: Int64 = 120_000
    /// How often the time of last use is written, milliseconds.
    private static let useInterval: Int64 = 60_000
    /// If a person comes back after this long, in milliseconds, tokens are fetched and the use is
    /// noted at once: otherwise the log-in could end before the present tokens do.
    private static let longestUnnoted: Int64 = 3_600_000
    /// The longest pause before a token is exchanged again, milliseconds.
    private static let longestPause: Int64 = 60_000
    /// The maximum number of pages of organisations that are read for a person. A page has up to
    /// 500 organisations.
    private static let mostPages = 100

    let switchboard: Switchboard
    /// Called with the name of a log-in when what it may see has changed.
    var changed: ([UInt8]) -> Void = { _ in }
    private var known: [[UInt8]: Person] = [:]
    /// Until when account-service has asked not to exchange the token of a log-in, in milliseconds
    /// since 1970, and its refusal.
    private var pauses: [[UInt8]: (until: Int64, error: ClientError)] = [:]
    /// The number of people who are logging in.
    var tries = 0

    init(_ switchboard: Switchboard) {
        self.switchboard = switchboard
        switchboard.refused = { [weak self] proof in
            guard let self else { return }
            for person in known.values { person.distrust(proof, at: self.switchboard.now) }
        }
    }

    /// Finds the person of a browser, with fresh tokens.
    ///
    /// - Parameters:
    ///   - seal: the seal of the browser's cookie.
    ///   - isUse: false for what an open page asks by itself, which keeps nobody logged in.
    ///   - then: called with the person, or why there is none.
    func find(
        _ seal: BrowserSeal, isUse: Bool = true,
        then: @escaping (Result<Person, Absence>) -> Void
    ) {
        let now = switchboard.now
        if let person = known[seal.name] {
            guard person.isBusy || person.ends > now else {
                known.removeValue(forKey: seal.name)?.tokens = [:]
                return then(.failure(.loggedOut))
            }
            person.seen = now
            if isUse {
                if now - person.logIn.used >= Self.longestUnnoted { person.renewal = 0 }
                person.lastUse = now
            }
            if person.renewal > now, !person.isBusy { return then(.success(person)) }
            person.waiting.append(then)
            if !person.isBusy { renew(person, seal) }
            return
        }
        if let pause = pauses[seal.name], now < pause.until,
            pause.until - now <= Self.longestPause
        {
            return then(.failure(.unreachable(pause.error)))
        }
        let person = Person(BrowserLogIn(), seen: now)
        if isUse { person.lastUse = now }
        person.isBusy = true
        person.waiting = [then]
        known[seal.name] = person
        switchboard.askStore(ReadLogIn(cookie: seal.name), for: BrowserLogIn.self) { [self] in
            switch $0 {
            case .success(let logIn):
                person.logIn = logIn
                renew(person, seal)
            case .failure(.refused(let refusal)) where refusal.code == .notFound:
                settle(person, seal, .failure(.loggedOut))
            case .failure(let error): settle(person, seal, .failure(.unreachable(error)))
            }
        }
    }

    private func settle(_ person: Person, _ seal: BrowserSeal, _ result: Result<Person, Absence>) {
        person.isBusy = false
        if case .failure = result, known[seal.name] === person { known[seal.name] = nil }
        let waiting = person.waiting
        person.waiting = []
        for then in waiting { then(result) }
    }

    // MARK: Tokens

    /// Exchanges the refresh token. The next one is sealed and kept before it is proposed, so that
    /// the log-in continues whatever happens to this process or to the answer.
    private func renew(_ person: Person, _ seal: BrowserSeal) {
        person.isBusy = true
        guard let secret = seal.open(person.logIn.sealed),
            [BrowserSeal.cookieSize, 2 * BrowserSeal.cookieSize].contains(secret.count)
        else { return end(person, seal) }
        let token = Array(secret.prefix(BrowserSeal.cookieSize))
        var next = Array(secret.dropFirst(BrowserSeal.cookieSize))
        if next.isEmpty { next = BrowserSeal.random(BrowserSeal.cookieSize) }
        keep(person, seal, secret: token + next) { [self] in
            exchange(person, seal, token: token, next: next, isAgain: false)
        }
    }

    private func keep(
        _ person: Person, _ seal: BrowserSeal, secret: [UInt8], then: @escaping () -> Void
    ) {
        person.logIn.sealed = seal.seal(secret)
        // Nobody touches a display: its open page is its use.
        let used = person.logIn.lasts == 0 ? switchboard.now : person.lastUse
        if used > 0, abs(used - person.logIn.used) >= Self.useInterval {
            person.logIn.used = used
        }
        save(person, seal, then: then)
    }

    private func save(_ person: Person, _ seal: BrowserSeal, then: @escaping () -> Void) {
        let command = KeepLogIn(logIn: person.logIn, renews: true)
        switchboard.askStore(command, for: LogInKept.self) { [self] in
            switch $0 {
            case .success: then()
            case .failure(.refused(let refusal)) where refusal.code == .notFound:
                // The person has logged out meanwhile.
                person.tokens = [:]
                settle(person, seal, .failure(.loggedOut))
            case .failure(let error): settle(person, seal, .failure(.unreachable(error)))
            }
        }
    }

    private func exchange(
        _ person: Person, _ seal: BrowserSeal, token: [UInt8], next: [UInt8], isAgain: Bool
    ) {
        let services = ServiceName.allCases.filter { $0 != .web }.map(\.rawValue)
        let command = RefreshAccess(
            refreshToken: token, audiences: services, nextRefreshToken: next)
        person.isOutdated = false
        switchboard.askAsStranger(command, for: AccessGranted.self) { [self] in
            switch $0 {
            case .success(let granted):
                person.use(granted)
                keep(person, seal, secret: granted.refreshToken) { [self] in read(person, seal) }
            case .failure(.refused(let refusal)) where refusal.isBecause(.answersLimit):
                // Repeating it at once would only use up more of the limit.
                let seconds = refusal.arguments["seconds"].flatMap { Int64($0) } ?? 1
                let pause = min(max(1, seconds), Self.longestPause / 1000) * 1000
                let error = ClientError.refused(refusal)
                pauses[seal.name] = (switchboard.now + pause, error)
                settle(person, seal, .failure(.unreachable(error)))
            case .failure(.refused(let refusal)) where refusal.code == .conflict && !isAgain:
                // It was exchanged, but the answer was lost with the process that requested it.
                exchange(person, seal, token: token, next: next, isAgain: true)
            // Only if the session or its account is gone: any other refusal, such as for a clock
            // that is wrong, may not be repeated, and a display can't log in again by itself.
            case .failure(.refused(let refusal))
            where [.forbidden, .notFound].contains(refusal.code):
                end(person, seal)
            case .failure(let error): settle(person, seal, .failure(.unreachable(error)))
            }
        }
    }

    private func end(_ person: Person, _ seal: BrowserSeal) {
        switchboard.askStore(EndLogIn(cookie: seal.name), for: LogInEnded.self) { _ in }
        settle(person, seal, .failure(.loggedOut))
    }

    // MARK: What pages say about the person

    private func read(_ person: Person, _ seal: BrowserSeal) {
        guard let proof = person.proof(for: .account) else { return end(person, seal) }
        switchboard.ask(.account, WhoAmI(), for: Account.self, by: proof) { [self] in
            switch $0 {
            case .success(let account):
                person.account = account
                // Until there is a new password, account-service says nothing more.
                guard !person.logIn.mustChangePassword else {
                    return settle(person, seal, .success(person))
                }
                shorten(person, seal) { [self] in readSites(person, seal, proof) }
            // If the session is over, the next exchange of its token says so.
            case .failure(let error): settle(person, seal, .failure(.unreachable(error)))
            }
        }
    }

    /// Shortens the log-in of someone who has been given other roles since. Someone without a role
    /// sees nothing, and may be a display that is moved to another site.
    private func shorten(_ person: Person, _ seal: BrowserSeal, then: @escaping () -> Void) {
        guard !person.account.grants.isEmpty else { return then() }
        // All others last equally long.
        let use: Use = person.logIn.isForPages ? .pages : .place
        let most = Self.lasts(person.account, stays: true, use: use)
        guard most > 0, person.logIn.lasts == 0 || most < person.logIn.lasts else { return then() }
        person.logIn.lasts = most
        save(person, seal, then: then)
    }

    /// Reads the sites of all organisations that the person may see, page by page.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - seal: the seal of the browser's cookie.
    ///   - proof: the person's token for account-service.
    ///   - name: after which organisation the page begins; empty for the first page.
    ///   - former: the sites of the pages before.
    ///   - pages: how many pages to read at most.
    private func readSites(
        _ person: Person, _ seal: BrowserSeal, _ proof: Proof, after name: String = "",
        adding former: [Site] = [], pages: Int = mostPages
    ) {
        let query = ListOrganisations(after: name)
        switchboard.ask(.account, query, for: Organisations.self, by: proof) { [self] in
            switch $0 {
            case .success(let list):
                let sites = former + person.visible(list.organisations.flatMap(\.sites))
                guard list.next.isEmpty || pages <= 1 else {
                    return readSites(
                        person, seal, proof, after: list.next, adding: sites, pages: pages - 1)
                }
                person.sites = sites.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
                readLanguage(person, seal)
            // Without its sites, a board would be missing for as long as the tokens are valid.
            case .failure(let error): settle(person, seal, .failure(.unreachable(error)))
            }
        }
    }

    private func readLanguage(_ person: Person, _ seal: BrowserSeal) {
        guard let proof = person.proof(for: .notifier) else {
            return settle(person, seal, .success(person))
        }
        switchboard.ask(.notifier, ReadAlertPreference(), for: AlertPreference.self, by: proof) {
            [self] in
            // A display has no preference, and without the notifier the browser's language counts.
            if case .success(let preference) = $0 {
                person.language = Language(preference.language)
            }
            settle(person, seal, .success(person))
        }
    }

    // MARK: Endings

    /// Acts on a change of what an account may do: discards the tokens, so that what is open asks
    /// with new ones at once.
    func accountChanged(_ account: String) {
        for (name, person) in known where person.logIn.account == account {
            (person.renewal, person.isOutdated) = (0, true)
            changed(name)
        }
    }

    /// Acts on a revocation: discards the tokens, or ends what is open in the name of a session
    /// that has ended.
    func revoked(account: String, session: String) {
        guard !session.isEmpty else { return accountChanged(account) }
        for (name, person) in known
        where person.logIn.account == account && person.logIn.session == session {
            known[name] = nil
            person.tokens = [:]
            changed(name)
        }
    }

    /// Forgets a person who has logged out.
    func forget(_ seal: BrowserSeal) {
        known.removeValue(forKey: seal.name)?.tokens = [:]
        changed(seal.name)
    }

    /// Makes the next request fetch new tokens, and with them what pages say about the person.
    func refresh(_ person: Person) { person.renewal = 0 }

    /// Runs each second: forgets those who no longer send requests.
    func beat() {
        let now = switchboard.now
        known = known.filter { $0.value.isBusy || abs(now - $0.value.seen) < Self.memory }
        pauses = pauses.filter { now < $0.value.until }
    }
}
