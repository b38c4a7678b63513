import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Markup
import Messages
import Phrases

/// The lists of open alerts that pages show. The notifier's alert endpoint says only when to ask;
/// what is shown comes from a query in the person's own name.
final class AlertDesk {
    private let switchboard: Switchboard
    private let people: People
    private var watches: [[UInt8]: AlertWatch] = [:]
    private var socket: Socket?
    private var topics: Set<String> = []

    init(_ switchboard: Switchboard, _ people: People) {
        (self.switchboard, self.people) = (switchboard, people)
    }

    /// Reads the open alerts once, for a page, newest first. If there are very many, those that are
    /// left out are less severe, or older.
    func read(by person: Person, then: @escaping (Result<[Alert], ClientError>) -> Void) {
        guard let proof = person.proof(for: .notifier) else {
            return then(.failure(.withoutToken))
        }
        switchboard.ask(.notifier, OpenFeed(), for: AlertFeed.self, by: proof) { result in
            then(result.map { $0.open.reversed() })
        }
    }

    /// Acknowledges an alert in a person's name.
    func acknowledge(
        _ id: String, by person: Person, then: @escaping (Result<Void, ClientError>) -> Void
    ) {
        guard let proof = person.proof(for: .notifier) else {
            return then(.failure(.withoutToken))
        }
        switchboard.ask(
            .notifier, AcknowledgeAlert(id: id), for: AlertAcknowledged.self, by: proof
        ) { [self] in
            then($0.map { _ in })
            // A notice at the notifier's alert endpoint makes the others ask.
            watches[person.logIn.cookie]?.ask()
        }
    }

    /// Adds a page that follows the alerts of a person.
    func open(_ stream: EventStream, number: UInt64, _ seal: BrowserSeal, _ language: Language) {
        let watch = watches[seal.name] ?? AlertWatch(self, switchboard, people, seal, language)
        watches[seal.name] = watch
        watch.add(stream, number)
    }

    /// Removes a page that was closed.
    func close(_ number: UInt64) {
        for (name, watch) in watches where watch.remove(number) { watches[name] = nil }
    }

    /// Asks again, because the rights of a log-in have changed.
    func revoked(_ logIn: [UInt8]) { watches[logIn]?.ask() }

    /// The pages.
    var streams: [EventStream] { watches.values.flatMap(\.streams.values) }

    /// Runs each second.
    func beat() {
        if socket != nil, !switchboard.hearsAlerts {
            do { try connect() } catch {
                // The notifier has no key at present. What it tells is read every few seconds.
            }
        }
        for watch in watches.values { watch.beat() }
        leaveIdle()
    }

    /// Stops listening to feeds of which no page is left, and to topics that were renewed.
    private func leaveIdle() {
        let needed = Set(watches.values.map(\.topic))
        for topic in topics where !needed.contains(topic) {
            do { try socket?.unsubscribe(topic) } catch {
                switchboard.log.write(.error, "feed not closed", [.error: "\(error)"])
            }
            topics.remove(topic)
        }
    }

    /// Listens to a feed from now on.
    func listen(to topic: String) throws {
        guard !topics.contains(topic) else { return }
        if !switchboard.hearsAlerts { try connect() }
        try socket?.subscribe(topic)
        topics.insert(topic)
    }

    /// Makes the socket, again if the notifier has another key than before.
    private func connect() throws {
        let fresh = try switchboard.subscribeToAlerts { [unowned self] in receive() }
        socket = fresh
        for topic in topics { try fresh.subscribe(topic) }
    }

    private func receive() {
        do {
            while let frames = try socket?.receive() {
                guard let topic = frames.first.map({ String(decoding: $0.bytes, as: UTF8.self) }),
                    !topic.hasSuffix("beat.")
                else { continue }
                for watch in watches.values where topic.hasPrefix(watch.topic) { watch.ask() }
            }
        } catch {
            switchboard.log.write(.error, "alerts not received", [.error: "\(error)"])
        }
    }
}

/// The open alerts of one log-in.
final class AlertWatch {
    /// The feed's topic; until it is known, a text that no topic begins with.
    private(set) var topic = "\u{0}"
    private let seal: BrowserSeal
    private let language: Language
    private unowned let desk: AlertDesk
    private let switchboard: Switchboard
    private let people: People
    private(set) var streams: [UInt64: EventStream] = [:]
    private var sent: [String: Node] = [:]
    /// The page that was last read, and when; nil before the first answer.
    private var known: (page: AlertPage, read: LastAnswer)?
    /// The service that gave no answer when it was last asked.
    private var silent = ServiceName.notifier
    private var isAsking = false
    private var mustAsk = false
    private var asked: Int64 = 0

    /// How often to ask without a notice, in milliseconds.
    private static let interval: Int64 = 5000

    init(
        _ desk: AlertDesk, _ switchboard: Switchboard, _ people: People, _ seal: BrowserSeal,
        _ language: Language
    ) {
        (self.desk, self.switchboard, self.people) = (desk, switchboard, people)
        (self.seal, self.language) = (seal, language)
    }

    func add(_ stream: EventStream, _ number: UInt64) {
        streams[number] = stream
        sent = [:]
        ask()
    }

    /// - Returns: true if no page is left.
    func remove(_ number: UInt64) -> Bool {
        streams[number] = nil
        return streams.isEmpty
    }

    func beat() {
        if abs(switchboard.now - asked) >= Self.interval { ask() }
        guard let known, let read = known.read.old(at: .now, time: switchboard.now) else { return }
        var page = known.page
        page.obstacle = (silent, read)
        show(page)
    }

    /// Asks for the open alerts, unless a query is under way.
    func ask() {
        guard !isAsking else {
            mustAsk = true
            return
        }
        (isAsking, mustAsk, asked) = (true, false, switchboard.now)
        people.find(seal, isUse: false) { [weak self] found in
            guard let self else { return }
            switch found {
            case .failure(.loggedOut): end()
            case .failure(.unreachable(let error)):
                isAsking = false
                silent = error.service ?? .account
            case .success(let person): ask(person)
            }
        }
    }

    private func ask(_ person: Person) {
        guard let proof = person.proof(for: .notifier) else { return end() }
        switchboard.ask(.notifier, OpenFeed(), for: AlertFeed.self, by: proof) { [weak self] in
            self?.opened($0, person)
        }
    }

    private func opened(_ result: Result<AlertFeed, ClientError>, _ person: Person) {
        guard case .success(let feed) = result else {
            return answered(result.map { _ in [] }, person)
        }
        // The person may have renewed it.
        do {
            if feed.topic != topic, !feed.topic.isEmpty {
                try desk.listen(to: feed.topic)
                topic = feed.topic
            }
        } catch {
            switchboard.log.write(.error, "feed not opened", [.error: "\(error)"])
        }
        // The newest comes first.
        answered(.success(feed.open.reversed()), person)
    }

    private func answered(_ result: Result<[Alert], ClientError>, _ person: Person) {
        isAsking = false
        switch result {
        case .success(let alerts):
            let page = AlertPage(
                alerts: alerts, language: person.language ?? language, zone: person.siteZone)
            known = (page, LastAnswer(at: .now, time: switchboard.now))
            show(page)
        case .failure(.refused(let refusal)) where refusal.code == .badToken: break
        case .failure(.refused(let refusal)) where refusal.code == .forbidden: return end()
        case .failure(let error): silent = error.service ?? .notifier
        }
        if mustAsk { ask() }
    }

    private func show(_ page: AlertPage) {
        var news: [UInt8] = []
        for (name, node) in page.parts where sent[name] != node {
            sent[name] = node
            var text = "{\"id\":"
            Node.quote(name, &text)
            news += StreamEvent("part", text + ",\"node\":" + node.json + "}").bytes
        }
        EventStream.send(news, to: Array(streams.values))
    }

    private func end() {
        isAsking = false
        for stream in streams.values {
            stream.send(StreamEvent("over").bytes)
            stream.end()
        }
        streams = [:]
    }
}
