import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Markup
import Messages
import ShiftLog

/// The boards that are open: each follows the open shift of a site, asking in the name of its own
/// person, and sends its pages what has changed.
final class BoardDesk {
    /// How long without an answer until a board counts as outdated, milliseconds.
    static let patience: Int64 = 3000

    private let switchboard: Switchboard
    private let people: People
    private var watches: [BoardWatch.Key: BoardWatch] = [:]

    init(_ switchboard: Switchboard, _ people: People) {
        (self.switchboard, self.people) = (switchboard, people)
    }

    /// Reads the open shift of a site once, for a page.
    func read(
        _ site: String, by person: Person, then: @escaping (Result<BoardState, ClientError>) -> Void
    ) {
        guard let proof = person.proof(for: .checklist) else {
            return then(.failure(.withoutToken))
        }
        let reader = ShiftReader(switchboard, site: site)
        reader.read(by: proof) { [switchboard] in
            then($0.map { BoardState(shift: reader.state, heard: switchboard.now, obstacle: nil) })
        }
    }

    /// Adds a page that follows a site.
    func open(_ stream: EventStream, number: UInt64, site: Site, _ seal: BrowserSeal) {
        let key = BoardWatch.Key(logIn: seal.name, site: site.id)
        let watch = watches[key] ?? BoardWatch(switchboard, people, site: site, seal)
        watches[key] = watch
        watch.add(stream, number)
    }

    /// Removes a page that has gone.
    func close(_ number: UInt64) {
        for (key, watch) in watches where watch.remove(number) { watches[key] = nil }
    }

    /// The shift of a site has advanced.
    func advanced(site: String) {
        for watch in watches.values where watch.site.id == site { watch.ask() }
    }

    /// What a log-in may see has changed: its boards ask again, or end.
    func revoked(_ logIn: [UInt8]) {
        for watch in watches.values where watch.seal.name == logIn { watch.restart() }
    }

    /// Runs each second.
    func beat() { for watch in watches.values { watch.beat() } }
}

/// What is known of a board at a moment.
struct BoardState: Sendable {
    /// The open shift; nil if none is open.
    var shift: ShiftState?
    /// When checklist-service last answered, milliseconds since 1970; 0 for never.
    var heard: Int64
    /// The service that can't be reached; nil if it can.
    var obstacle: ServiceName?
}

/// A board in the name of one log-in. It may be shown on several pages.
final class BoardWatch {
    struct Key: Hashable {
        let logIn: [UInt8]
        let site: String
    }

    let site: Site
    let seal: BrowserSeal
    private let switchboard: Switchboard
    private let people: People
    private var reader: ShiftReader
    private var state = BoardState(shift: nil, heard: 0, obstacle: nil)
    private var streams: [UInt64: EventStream] = [:]
    private var sent: [String: Node] = [:]
    private var isAsking = false
    private var mustAsk = false

    init(_ switchboard: Switchboard, _ people: People, site: Site, _ seal: BrowserSeal) {
        (self.switchboard, self.people) = (switchboard, people)
        (self.site, self.seal) = (site, seal)
        reader = ShiftReader(switchboard, site: site.id)
    }

    func add(_ stream: EventStream, _ number: UInt64) {
        streams[number] = stream
        // A page that was open before may have missed anything: it gets all parts again.
        for (name, node) in sent { stream.send(Self.event(name, node)) }
        ask()
    }

    /// - Returns: true when no page is left.
    func remove(_ number: UInt64) -> Bool {
        streams[number] = nil
        return streams.isEmpty
    }

    func restart() {
        reader = ShiftReader(switchboard, site: site.id)
        ask()
    }

    func beat() {
        let event = StreamEvent("beat", "\(switchboard.now)").bytes
        for stream in streams.values { stream.send(event) }
        ask()
        show()
    }

    /// Asks what is new, unless that is under way.
    func ask() {
        guard !isAsking else {
            mustAsk = true
            return
        }
        (isAsking, mustAsk) = (true, false)
        let reader = reader
        people.find(seal) { [weak self] found in
            guard let self else { return }
            switch found {
            case .failure(.loggedOut): end()
            case .failure(.unreachable(let error)): answered(.failure(error), person: nil)
            case .success(let person):
                guard let proof = person.proof(for: .checklist) else { return end() }
                reader.read(by: proof) { [weak self] in self?.answered($0, person: person) }
            }
        }
    }

    private func answered(_ result: Result<Void, ClientError>, person: Person?) {
        isAsking = false
        switch result {
        case .success:
            state = BoardState(shift: reader.state, heard: switchboard.now, obstacle: nil)
        case .failure(.refused(let refusal)) where refusal.code == .badToken:
            if let person { people.distrust(person) }
        case .failure(.refused(let refusal)) where refusal.code == .forbidden: return end()
        case .failure(let error): state.obstacle = error.service ?? .checklist
        }
        show()
        if mustAsk { ask() }
    }

    /// Ends all pages: they load again, and get whatever the person may see then.
    private func end() {
        isAsking = false
        for stream in streams.values {
            stream.send(StreamEvent("over").bytes)
            stream.end()
        }
        streams = [:]
    }

    private func show() {
        guard state.heard > 0 || state.obstacle != nil else { return }
        let parts = BoardPage(site: site, state: state, now: switchboard.now, isLive: true).parts
        for (name, node) in parts where sent[name] != node {
            sent[name] = node
            let bytes = Self.event(name, node)
            for stream in streams.values { stream.send(bytes) }
        }
    }

    private static func event(_ name: String, _ node: Node) -> [UInt8] {
        var text = "{\"id\":"
        Node.quote(name, &text)
        return StreamEvent("part", text + ",\"node\":" + node.json + "}").bytes
    }
}

/// Reads the open shift of a site, and from then on only what is new.
final class ShiftReader {
    /// The shift as last read; nil if none is open.
    private(set) var state: ShiftState?
    private let switchboard: Switchboard
    private let site: String

    init(_ switchboard: Switchboard, site: String) {
        (self.switchboard, self.site) = (switchboard, site)
    }

    /// Reads what is new.
    func read(by proof: Proof, then: @escaping (Result<Void, ClientError>) -> Void) {
        guard let state, state.isOpen else { return begin(proof, then: then) }
        let query = ReadOperations(shift: state.shift.id, after: state.head)
        switchboard.ask(.checklist, query, for: OperationPage.self, by: proof) { [self] in
            switch $0 {
            case .success(let page):
                let before = self.state?.head ?? 0
                for operation in page.operations { self.state?.apply(operation) }
                let head = self.state?.head ?? 0
                guard head < page.head, head > before else { return then(.success(())) }
                read(by: proof, then: then)
            case .failure(.refused(let refusal))
            where [.notFound, .conflict].contains(refusal.code):
                // A backup was restored: everything is read again.
                self.state = nil
                begin(proof, then: then)
            case .failure(let error): then(.failure(error))
            }
        }
    }

    private func begin(_ proof: Proof, then: @escaping (Result<Void, ClientError>) -> Void) {
        switchboard.ask(.checklist, ReadShift(site: site), for: ShiftSnapshot.self, by: proof) {
            [self] in
            switch $0 {
            case .success(let snapshot):
                do throws(Refusal) {
                    state = try ShiftState(snapshot: snapshot)
                    read(by: proof, then: then)
                } catch { then(.failure(.refused(error))) }
            case .failure(.refused(let refusal)) where refusal.code == .notFound:
                state = nil
                then(.success(()))
            case .failure(let error): then(.failure(error))
            }
        }
    }
}

extension ClientError {
    /// The person's log-in has no token for the service.
    static let withoutToken = ClientError.refused(
        .forbidden("this log-in can't be used for that; log in again"))

    /// The service that can't be reached; nil if it answered.
    var service: ServiceName? {
        switch self {
        case .notRunning(let service), .denied(let service), .noHandshake(let service),
            .noAnswer(let service, _):
            service
        case .refused, .unexpected, .tooLarge: nil
        }
    }
}
