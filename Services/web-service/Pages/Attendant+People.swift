import Bus
import Foundation
import HTTPExchange
import Messages
import Phrases

/// A person's own log-ins, and the people of the organisation.
extension Attendant {
    func logIns() {
        ask(.account, ListSessions(), for: Sessions.self) { person, reply in
            visit.send(
                LogInsPage(visit: visit, person: person, sessions: reply.sessions).response)
        }
    }

    func endLogIn() {
        let session = visit.values["session"] ?? ""
        withPerson { person in
            // The browser's own session also ends here.
            guard session != person.logIn.session else { return logOut() }
            ask(.account, LogOut(session: session), for: LoggedOut.self, id: command) { _, _ in
                visit.send(.lead(to: "/log-ins"))
            }
        }
    }

    func endAllLogIns() {
        ask(.account, LogOut(everywhere: true), for: LoggedOut.self, id: command) { _, _ in
            visit.send(
                visit.loggedOut(.lead(to: "/login?out=1"))
                    .adding("Clear-Site-Data", "\"cache\""))
        }
    }

    func makeCode() {
        ask(.account, MakeLogInCode(), for: LogInCode.self, id: command) { person, code in
            visit.send(CodePage(visit: visit, person: person, code: code).response)
        } otherwise: { error, person in
            logInsAgain(error, person)
        }
    }

    /// Shows the log-ins again, because a code for a device was refused.
    ///
    /// - Parameters:
    ///   - error: why there is no code.
    ///   - person: whose page it is.
    ///   - site: the site that was chosen for a picture; empty for none.
    func logInsAgain(_ error: ClientError, _ person: Person, site: String = "") {
        guard case .refused = error, let proof = person.proof(for: .account) else {
            return fail(error, person)
        }
        desk.switchboard.ask(.account, ListSessions(), for: Sessions.self, by: proof) { found in
            guard case .success(let reply) = found else { return fail(error, person) }
            fail(error, person) { fault in
                LogInsPage(
                    visit: visit, person: person, sessions: reply.sessions, site: site,
                    fault: fault
                ).response
            }
        }
    }

    // MARK: People and their roles

    func people(showing code: PeoplePage.Code? = nil) {
        let query = ListAccounts(after: visit.request.target.query["after"] ?? "", limit: 100)
        ask(.account, query, for: Accounts.self) { person, accounts in
            let shown = Set(accounts.accounts.map(\.id))
            let named = accounts.accounts.flatMap { $0.caresFor + $0.proposedCarers }
            let others = Set(named + person.account.proposedCarers).subtracting(shown)
            readNames(of: others, person) { names in
                let page = PeoplePage(
                    visit: visit, person: person, accounts: accounts, names: names, code: code)
                visit.send(page.response)
            }
        }
    }

    /// Reads the names of accounts that a page mentions, as far as the person may see them.
    ///
    /// - Parameters:
    ///   - wanted: their ids.
    ///   - person: the person who looks.
    ///   - last: after which name to go on; empty for the first.
    ///   - known: the names by id that were read before.
    ///   - pages: how many pages of 500 accounts to read at most.
    ///   - then: called with all names that were found, by id.
    private func readNames(
        of wanted: Set<String>, _ person: Person, after last: String = "",
        adding known: [String: String] = [:], pages: Int = 20,
        then: @escaping ([String: String]) -> Void
    ) {
        guard !wanted.isEmpty, pages > 0, let proof = person.proof(for: .account) else {
            return then(known)
        }
        desk.switchboard.ask(.account, ListAccounts(after: last), for: Accounts.self, by: proof) {
            // Without its name an account is shown by its id.
            guard case .success(let page) = $0 else { return then(known) }
            let found = page.accounts.filter { wanted.contains($0.id) }.map { ($0.id, $0.name) }
            let names = known.merging(found) { first, _ in first }
            let rest = wanted.subtracting(names.keys)
            guard !page.next.isEmpty else { return then(names) }
            readNames(
                of: rest, person, after: page.next, adding: names, pages: pages - 1, then: then)
        }
    }

    func invite() {
        guard let form = visit.request.form else { return visit.send(.plain(.badRequest)) }
        var grants: [Grant] = []
        // Somebody may be invited without a role.
        if PeoplePage.roles.contains(where: { "\($0)" == form["role"] }) {
            guard let grant = grant(form, everywhere: ["-"]) else {
                return visit.send(.plain(.badRequest))
            }
            grants = [grant]
        }
        ask(.account, Invite(grants: grants), for: Invitation.self, id: command) { _, made in
            people(showing: .init(name: "", code: made.code, expires: made.expires))
        } otherwise: { error, person in
            peopleAgain(form, error, person)
        }
    }

    /// Shows the people again, with what was chosen and typed in a form.
    private func peopleAgain(_ form: Fields, _ error: ClientError, _ person: Person) {
        guard let proof = person.proof(for: .account) else { return fail(error, person) }
        let query = ListAccounts(after: visit.request.target.query["after"] ?? "", limit: 100)
        desk.switchboard.ask(.account, query, for: Accounts.self, by: proof) { found in
            let accounts: Accounts? =
                switch found {
                case .success(let all): all
                case .failure(.refused): nil
                case .failure: Accounts()
                }
            let account = visit.values["account"]
            fail(error, person) { fault in
                // The form of somebody who isn't on this part of the list can't be shown.
                guard let accounts,
                    account == nil || accounts.accounts.contains(where: { $0.id == account })
                else { return nil }
                let refused = PeoplePage.Refused(
                    account: account, change: visit.values["change"], form: form, fault: fault)
                return PeoplePage(
                    visit: visit, person: person, accounts: accounts, refused: refused
                ).response
            }
        }
    }

    /// Changes an account, as the last word of the path says.
    func changePerson() {
        guard let form = visit.request.form else { return visit.send(.plain(.badRequest)) }
        let account = visit.values["account"] ?? ""
        switch visit.values["change"] {
        case "disable", "enable":
            let isDisabled = visit.values["change"] == "disable"
            changed(by: SetAccountDisabled(account: account, isDisabled: isDisabled))
        case "grant":
            guard let grant = grant(form, everywhere: ["-"]) else {
                return visit.send(.plain(.badRequest))
            }
            changed(by: GrantRole(account: account, grant: grant), typedIn: form)
        case "revoke":
            guard let grant = grant(form, everywhere: ["-", ""]) else {
                return visit.send(.plain(.badRequest))
            }
            changed(by: RevokeRole(account: account, grant: grant))
        case "care", "uncare":
            guard let other = form["person"] else { return visit.send(.plain(.badRequest)) }
            if visit.values["change"] == "care" {
                changed(by: AddCarer(carer: account, account: other), typedIn: form)
            } else {
                changed(by: RemoveCarer(carer: account, account: other))
            }
        case "reset":
            let reset = ResetPassword(account: account)
            ask(.account, reset, for: ResetCode.self, id: command) { _, made in
                people(
                    showing: .init(
                        name: form["name"] ?? account, code: made.code, expires: made.expires))
            }
        default: missing()
        }
    }

    func audit() {
        let query = visit.request.target.query
        let wanted = ReadAudit(before: UInt64(query["before"] ?? "") ?? 0, limit: AuditPage.most)
        ask(.account, wanted, for: Audit.self) { person, audit in
            let ids = Set(AuditPage.accounts(in: audit.entries))
            readNames(of: ids, person) { names in
                readOrganisations(AuditPage.organisations(in: audit.entries), person) {
                    organisations in
                    let page = AuditPage(
                        visit: visit, person: person, entries: audit.entries, next: audit.next,
                        names: names, organisations: organisations, text: query["text"] ?? "")
                    visit.send(page.response)
                }
            }
        }
    }

    /// Reads the names of organisations.
    ///
    /// - Parameters:
    ///   - wanted: their ids.
    ///   - person: the person who looks.
    ///   - last: after which name to go on; empty for the first.
    ///   - known: the names by id that were read before.
    ///   - pages: how many pages of 500 organisations to read at most.
    ///   - then: called with all names that were found, by id.
    private func readOrganisations(
        _ wanted: Set<String>, _ person: Person, after last: String = "",
        adding known: [String: String] = [:], pages: Int = 20,
        then: @escaping ([String: String]) -> Void
    ) {
        guard !wanted.isEmpty, pages > 0, let proof = person.proof(for: .account) else {
            return then(known)
        }
        let query = ListOrganisations(after: last)
        desk.switchboard.ask(.account, query, for: Organisations.self, by: proof) {
            // Without its name an organisation is shown by its id.
            guard case .success(let page) = $0 else { return then(known) }
            let found = page.organisations.filter { wanted.contains($0.id) }
                .map { ($0.id, $0.name) }
            let names = known.merging(found) { first, _ in first }
            let rest = wanted.subtracting(names.keys)
            guard !page.next.isEmpty else { return then(names) }
            readOrganisations(
                rest, person, after: page.next, adding: names, pages: pages - 1, then: then)
        }
    }

    // MARK: Newcomers and new places

    func makeAccount() {
        guard let form = visit.request.form, let code = form["code"], let name = form["name"],
            let displayName = form["displayName"], let password = form["password"]
        else { return visit.send(.plain(.badRequest)) }
        func again(_ fault: String, _ status: Status) -> Response {
            SignUpPage(
                visit: visit, name: name, displayName: displayName, code: code, fault: fault
            ).response(status)
        }
        let isTyped = !code.trimmingCharacters(in: .whitespaces).isEmpty
        guard isTyped, desk.people.mayTry() else {
            let status: Status = isTyped ? .unavailable : .badRequest
            return visit.send(again(words.say(isTyped ? .logInBusy : .signUpCode), status))
        }
        let newcomer = SignUp(
            name: name, password: password, displayName: displayName, invitation: code,
            source: visit.source)
        desk.people.tries += 1
        desk.switchboard.askAsStranger(newcomer, for: Account.self, id: command) {
            desk.people.tries -= 1
            switch $0 {
            case .success: visit.send(.lead(to: "/login?new=1"))
            case .failure(let error):
                let fault = FaultPage(error, visit)
                visit.send(again(fault.formNote, fault.status))
            }
        }
    }

    func addSite() {
        guard let form = visit.request.form, let name = form["name"], let zone = form["zone"]
        else { return visit.send(.plain(.badRequest)) }
        let site = CreateSite(name: name, timeZone: zone)
        ask(.account, site, for: Organisation.self, id: command) { person, _ in
            // The sites of a person are read with new tokens.
            desk.people.refresh(person)
            visit.send(.lead(to: "/"))
        } otherwise: { error, person in
            fail(error, person) { fault in
                let page = HomePage(visit: visit, person: person, refused: (name, zone, fault))
                return page.asksForSite ? page.response : nil
            }
        }
    }

    /// - Parameters:
    ///   - change: the command.
    ///   - form: the form, if something was chosen or typed in it.
    private func changed(by change: some ProtobufMessage, typedIn form: Fields? = nil) {
        ask(.account, change, for: Account.self, id: command) { person, _ in
            // The person may have agreed to a carer or declined one; pages read that with new
            // tokens.
            if !person.account.proposedCarers.isEmpty { desk.people.refresh(person) }
            visit.send(.lead(to: "/people" + PeoplePage.part(of: visit)))
        } otherwise: { error, person in
            // A person who agrees to a carer has typed nothing.
            guard let form, form["person"] != person.account.id else { return fail(error, person) }
            peopleAgain(form, error, person)
        }
    }

    /// The role that a form names, and where it is held.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - everywhere: what its field `site` has for a role at all sites.
    /// - Returns: nil if it doesn't name a role and one place.
    private func grant(_ form: Fields, everywhere: [String]) -> Grant? {
        guard let role = PeoplePage.roles.first(where: { "\($0)" == form["role"] }),
            let site = form["site"], form.names.count(where: { $0 == "area" }) <= 1
        else { return nil }
        let isEverywhere = everywhere.contains(site)
        guard isEverywhere || !["-", ""].contains(site) else { return nil }
        return Grant(role: role, site: isEverywhere ? "" : site, area: form["area"] ?? "")
    }
}
