import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Messages
import Phrases

/// Serves one request, on the thread of the desk.
struct Attendant {
    let desk: WebDesk
    let visit: Visit
    let reply: Reply
    /// The id of the command that a form sends; nil to make one.
    let command: MessageID?

    init(_ desk: WebDesk, _ visit: Visit, _ reply: Reply, command: MessageID? = nil) {
        (self.desk, self.visit, self.reply, self.command) = (desk, visit, reply, command)
    }

    var words: Words<WebPhrase> { Words(visit.language) }

    /// Serves the request for a place.
    func serve(_ place: Place) {
        switch place {
        case .login: logInPage()
        case .logIn: logIn()
        case .logOut: logOut()
        case .password: withLogIn { passwordPage($0) }
        case .setPassword: setPassword()
        case .look: changeLook()
        case .gallery: visit.send(GalleryPage(visit: visit).response)
        case .home: withPerson { visit.send(HomePage(visit: visit, person: $0).response) }
        case .board: board()
        case .makePicture: makePicture()
        case .makePhone: makePhone()
        case .positions: acceptPosition()
        case .boardStream: boardStream()
        case .todos: todos()
        case .alerts: alerts()
        case .alertStream: alertStream()
        case .acknowledge: acknowledge()
        case .shift: withSite { visit.send(ShiftPage(visit: visit, person: $0, site: $1).response) }
        case .shiftSnapshot:
            withSite { person, site in shift(person) { $0.snapshot(of: site.id) } }
        case .shiftOperations: withPerson { shift($0) { $0.read(visit.values["shift"] ?? "") } }
        case .record:
            withPerson { shift($0) { $0.record { desk.boards.recorded(shift: $0, head: $1) } } }
        case .keepPhoto: withPerson { shift($0) { $0.keepPhoto(for: visit.values["shift"] ?? "") } }
        case .photo: withPerson { photo($0) }
        case .ride: withPerson { visit.send(RidePage(visit: visit, person: $0).response) }
        case .stops: ride { $0.findStops() }
        case .markStop: ride { $0.markStop() }
        case .favourites: favourites()
        case .markFavourite: markFavourite()
        case .currentRide: ride { $0.current() }
        case .beginRide: ride { $0.begin() }
        case .recordRide: ride { $0.record(visit.values["journey"] ?? "") }
        case .acknowledgeRide: ride(.notifier) { $0.acknowledge(visit.values["journey"] ?? "") }
        case .rideAlerts: ride(.notifier) { $0.readAlerts(visit.values["journey"] ?? "") }
        case .continueRide: ride { $0.goOn(visit.values["journey"] ?? "") }
        case .finishRide: ride { $0.finish(visit.values["journey"] ?? "") }
        case .rateRide: ride { $0.rate(visit.values["journey"] ?? "") }
        case .logIns: logIns()
        case .endLogIn: endLogIn()
        case .endAllLogIns: endAllLogIns()
        case .makeCode: makeCode()
        case .people: people()
        case .invite: invite()
        case .changePerson: changePerson()
        case .audit: audit()
        case .signUp: visit.send(SignUpPage(visit: visit).response())
        case .makeAccount: makeAccount()
        case .addSite: addSite()
        case .startShift: withSite { person, site in shift(person) { $0.start(at: site.id) } }
        case .endShift: withSite { person, _ in shift(person) { $0.end() } }
        case .equipment: withSite { person, site in shift(person) { $0.equipment(at: site.id) } }
        case .reportEquipment: withSite { person, site in shift(person) { $0.report(at: site.id) } }
        case .preferences: preferences()
        case .prefer: prefer()
        case .confirmMailbox: confirmMailbox()
        case .setQuietHours: setQuietHours()
        case .changeChannel: changeChannel()
        case .plans: plans()
        case .plan: plan()
        case .planFile: planFile()
        case .planStream: planStream()
        case .files, .icon, .health, .serviceWorker: visit.send(.plain(.notFound))
        }
    }

    // MARK: Who is there

    private func withCookie(_ body: (BrowserSeal) -> Void) {
        guard let seal = visit.seal else { return visit.send(leadToLogIn) }
        body(seal)
    }

    /// Serves a person who is logged in; others are sent to the log-in, and come back from there.
    func withPerson(_ body: @escaping (Person) -> Void) {
        withLogIn { person in
            guard !person.logIn.mustChangePassword else {
                return visit.send(.lead(to: "/password"))
            }
            body(person)
        }
    }

    /// The same, including a person who has yet to set a password.
    func withLogIn(_ body: @escaping (Person) -> Void) {
        withCookie { seal in
            desk.people.find(seal, isUse: !visit.isAutomatic) { found in
                switch found {
                case .success(let person) where person.logIn.isForPages:
                    visit.flight?.belongs(to: person.logIn.session)
                    body(person)
                case .success, .failure(.loggedOut):
                    visit.send(visit.loggedOut(leadToLogIn))
                case .failure(.unreachable(let error)):
                    visit.send(FaultPage(error, visit).unavailable.response)
                }
            }
        }
    }

    /// Asks a service in the name of the person.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - message: the command or query.
    ///   - answer: the type of the answer.
    ///   - id: the id of a command; nil to make one.
    ///   - then: called with the answer.
    ///   - otherwise: called if there is none; nil to show why.
    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for answer: R.Type,
        id: MessageID? = nil, then: @escaping (Person, R) -> Void,
        otherwise: ((ClientError, Person) -> Void)? = nil
    ) {
        withPerson { person in
            guard let proof = person.proof(for: service) else {
                return fail(.withoutToken, person)
            }
            desk.switchboard.ask(service, message, for: answer, by: proof, id: id) {
                switch $0 {
                case .success(let reply): then(person, reply)
                case .failure(let error):
                    guard let otherwise else { return fail(error, person) }
                    otherwise(error, person)
                }
            }
        }
    }

    private var leadToLogIn: Response {
        // A script can't use a page.
        let isData = visit.path.contains(/^\/(operations|photos\/)|\/snapshot$/)
        guard !isData, visit.request.headers["steward-account"] == nil else {
            return .plain(.unauthorized)
        }
        guard visit.path != "/" else { return .lead(to: "/login") }
        // A page can't see why a stream is refused, and would try again for ever.
        if visit.path.hasSuffix("/stream") { return .events(StreamEvent("over").bytes) }
        let next = "next=" + Target.encoded(visit.address)
        return .lead(to: visit.request.method.changes ? "/login?form=1&" + next : "/login?" + next)
    }

    /// Says to a person that nothing is at this path.
    func missing() {
        withPerson { visit.send(FaultPage(.notFound, visit, in: $0.language).response) }
    }

    /// Reports what a service refused, or why it wasn't reached. A token that is no longer valid is
    /// fetched again: the page redirects to itself, unless that didn't help a moment ago. If only
    /// its key is on its way, the page loads again after a while.
    ///
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - person: whose page it is.
    ///   - form: shows a form again with what was typed; nil to show only the fault.
    func fail(
        _ error: ClientError, _ person: Person,
        above form: (FaultPage) -> Response? = { _ in nil }
    ) {
        if case .refused(let refusal) = error, FaultPage.status(of: refusal) == .unauthorized,
            person.mayTryAgain(at: desk.now), !visit.request.method.changes
        {
            return visit.send(.lead(to: visit.address))
        }
        let fault = FaultPage(error, visit, in: person.language)
        visit.send(form(fault) ?? fault.response)
    }

    // MARK: Logging in

    private func logInPage() {
        let next = visit.request.target.query["next"].flatMap { Target.local($0) } ?? "/"
        var page = LogInPage(visit: visit, next: next)
        if visit.request.target.query["new"] != nil { page.note = words.say(.signedUp) }
        if visit.request.target.query["out"] != nil { page.note = words.say(.loggedOut) }
        if visit.request.target.query["over"] != nil { page.note = words.say(.logInOver) }
        // The first of two presses may have ended the log-in itself.
        if visit.request.target.query["form"] != nil {
            page.note = words.say(.logInOver) + " " + words.say(.unknownOutcome)
        }
        visit.send(page.response())
    }

    private func logIn() {
        guard let form = visit.request.form, let name = form["name"],
            let password = form["password"]
        else { return visit.send(.plain(.badRequest)) }
        let next = form["next"].flatMap { Target.local($0) } ?? "/"
        let stays = form["stay"] == "yes"
        let attempt = People.Attempt(
            name: name, password: password, device: visit.device, source: visit.source,
            stays: stays, former: visit.seal)
        func again(_ fault: String, _ status: Status) -> Response {
            LogInPage(visit: visit, next: next, name: name, stays: stays, fault: fault)
                .response(status)
        }
        guard desk.people.mayTry() else {
            let page = again(words.say(.logInBusy), .unavailable)
            return visit.send(page.adding("Retry-After", "3"))
        }
        desk.people.logIn(attempt) { result in
            switch result {
            case .success(let (seal, logIn)):
                let path = logIn.mustChangePassword ? "/password" : next
                let cookie = visit.cookie(seal, stays: stays || logIn.lasts == 0)
                let response = Response.lead(to: path).adding("Set-Cookie", cookie)
                visit.send(visit.restoringLook(of: logIn.account, response))
            case .failure(.refused(let refusal)):
                visit.send(again(words.text(of: refusal), .forbidden))
            case .failure(.noAnswer(let service, _)), .failure(.notRunning(let service)):
                let fault = words.say(.logInUnanswered, ["service": service.rawValue])
                visit.send(again(fault, .unavailable))
            case .failure(let error):
                let fault = FaultPage(error, visit)
                visit.send(again(fault.note, fault.status))
            }
        }
    }

    func logOut() {
        let done = visit.loggedOut(.lead(to: "/login?out=1"))
            .adding("Clear-Site-Data", "\"cache\"")
        guard let seal = visit.seal else { return visit.send(done) }
        desk.people.logOut(seal) { visit.send(done) }
    }

    private func passwordPage(_ person: Person, fault: String? = nil, _ status: Status = .ok) {
        let page = PasswordPage(
            visit: visit, account: person.account.id, language: person.language, fault: fault)
        visit.send(page.response(status))
    }

    private func setPassword() {
        guard let form = visit.request.form, let present = form["present"], let new = form["new"]
        else { return visit.send(.plain(.badRequest)) }
        withLogIn { person in
            desk.people.setPassword(
                person, visit.seal, present: present, new: new, id: command
            ) { result in
                switch result {
                case .success:
                    // A new cookie comes with the next log-in, which uses the new password.
                    visit.send(visit.loggedOut(.lead(to: "/login?over=1")))
                case .failure(.refused(let refusal)):
                    let fault = FaultPage(.refused(refusal), visit, in: person.language)
                    passwordPage(person, fault: fault.formNote, fault.status)
                case .failure(let error): fail(error, person)
                }
            }
        }
    }

    private func changeLook() {
        guard let form = visit.request.form, let look = form["look"].flatMap({ Look(rawValue: $0) })
        else { return visit.send(.plain(.badRequest)) }
        let next = form["next"].flatMap { Target.local($0) } ?? "/"
        let done = Response.lead(to: next)
        guard let seal = visit.seal else {
            return visit.send(visit.choosing(look, of: nil, done))
        }
        // The store knows whose log-in it is, even while no other service answers.
        let query = ReadLogIn(cookie: seal.name)
        desk.switchboard.askStore(query, for: BrowserLogIn.self) { found in
            var account: String?
            if case .success(let logIn) = found { account = logIn.account }
            visit.send(visit.choosing(look, of: account, done))
        }
    }

    // MARK: The board

    private func withSite(_ body: @escaping (Person, Site) -> Void) {
        withPerson { person in
            let wanted = visit.values["site"] ?? ""
            let site =
                person.sites.first { $0.id == wanted }
                ?? person.sites.first { $0.name.lowercased() == wanted.lowercased() }
            guard let site else {
                return visit.send(FaultPage(.notFound, visit, in: person.language).response)
            }
            body(person, site)
        }
    }

    private func board() {
        let name = visit.values["site"] ?? ""
        if name.hasSuffix(".png"), visit.request.target.query["key"] != nil {
            return picture(of: String(name.dropLast(4)))
        }
        withSite { person, site in
            desk.boards.readBoard(of: site.id, by: person) { result in
                let state: BoardState
                switch result {
                case .success(let known): state = known
                case .failure(.refused(let refusal)): return fail(.refused(refusal), person)
                case .failure(let error):
                    // The page is shown without what isn't known, and continues on its own.
                    state = BoardState(
                        shift: nil, heard: 0, obstacle: error.service ?? .checklist)
                }
                let own = person.language ?? visit.language
                let page = BoardPage(
                    site: site, state: state, now: desk.now, isLive: false,
                    fallback: desk.boards.language(of: site.id, else: own))
                visit.send(page.response(visit))
            }
        }
    }

    private func todos() {
        withSite { person, site in
            desk.boards.read(site.id, by: person) { result in
                switch result {
                case .success(let state):
                    let page = TodoPage(visit: visit, person: person, site: site, state: state)
                    visit.send(page.response)
                case .failure(let error): fail(error, person)
                }
            }
        }
    }

    private func boardStream() {
        withSite { person, site in
            let own = person.language ?? visit.language
            stream(person) { desk, stream, number, seal in
                desk.boards.open(stream, number: number, site: site, seal, own)
            }
        }
    }

    /// Serves a script whose page was written for the person who is logged in now.
    private func withExchange(
        _ service: ServiceName, _ person: Person, _ body: (Exchange) -> Void
    ) {
        // The page may be older than the log-in: what one person did must not be sent as another's.
        let account =
            visit.request.headers["steward-account"] ?? visit.request.target.query["account"]
        guard account == person.account.id else {
            return visit.send(.plain(.unauthorized))
        }
        guard let exchange = Exchange(desk.people, service, visit, person) else {
            return visit.send(.plain(.forbidden))
        }
        body(exchange)
    }

    private func shift(_ person: Person, _ body: (ShiftExchange) -> Void) {
        withExchange(.checklist, person) { body(ShiftExchange(exchange: $0)) }
    }

    private func ride(
        _ service: ServiceName = .transitAlert, _ body: @escaping (RideExchange) -> Void
    ) {
        withPerson { person in
            withExchange(service, person) {
                body(RideExchange(exchange: $0, now: desk.now))
            }
        }
    }

    /// Begins a stream for the page, if there aren't too many.
    func stream(_ person: Person, _ begin: (WebDesk, EventStream, UInt64, BrowserSeal) -> Void) {
        guard let seal = visit.seal else { return visit.send(.plain(.unauthorized)) }
        let name = PageStreams.Name(visit.request.target, logIn: seal.name)
        guard let number = desk.beginStream(of: seal.name, account: person.account.id, name)
        else {
            return visit.send(.plain(.unavailable).adding("Retry-After", "5"))
        }
        let stream = reply.stream { DeskWork.inbox.put { $0.streamEnded(number) } }
        if let name { desk.streamBegan(stream, number: number, name) }
        visit.flight?.land(.ok, bytes: 0)
        stream.send(StreamEvent("version", visit.files.version).bytes)
        begin(desk, stream, number, seal)
    }
}
