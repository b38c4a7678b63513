import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Markup
import Messages
import Phrases
import ShiftLog

/// The open boards: one per site, however many pages show it.
final class BoardDesk {
    private let switchboard: Switchboard
    private let people: People
    private var shows: [Site: BoardShow] = [:]
    /// The languages of boards by the ids of their sites, for the time without a shift.
    private var languages: [String: Language] = [:]

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

    /// Reads the open shift of a site and what doesn't work there once, for a board.
    func readBoard(
        of site: String, by person: Person,
        then: @escaping (Result<BoardState, ClientError>) -> Void
    ) {
        read(site, by: person) { [self] result in
            if case .success(let state) = result, let shift = state.shift {
                languages[site] = Language.of(shift.language)
            }
            guard case .success(var state) = result, let proof = person.proof(for: .checklist)
            else { return then(result) }
            let reader = EquipmentReader(switchboard, site: site)
            reader.read(by: proof) {
                state.equipment = reader.faulty
                then($0.map { state })
            }
        }
    }

    /// The language of a board without a shift: that of the last shift, if one was shown.
    ///
    /// - Parameters:
    ///   - site: the site's id.
    ///   - own: the language of whoever looks, until a shift is known.
    func language(of site: String, else own: Language) -> Language { languages[site] ?? own }

    /// Adds a page that follows a site.
    ///
    /// - Parameters:
    ///   - stream: the stream of the page.
    ///   - number: its number.
    ///   - site: the site.
    ///   - seal: the seal of the browser's cookie.
    ///   - own: the language of whoever looks.
    func open(
        _ stream: EventStream, number: UInt64, site: Site, _ seal: BrowserSeal, _ own: Language
    ) {
        let language = language(of: site.id, else: own)
        // Otherwise another page of the site could be written in a different language.
        languages[site.id] = language
        let show = shows[site] ?? BoardShow(switchboard, people, site: site, language)
        shows[site] = show
        show.add(stream, number, seal)
    }

    /// Removes a page that was closed.
    func close(_ number: UInt64) {
        for (site, show) in shows where show.remove(number) { shows[site] = nil }
    }

    /// The shift of a site has advanced.
    ///
    /// - Parameters:
    ///   - site: the site's id.
    ///   - head: the newest sequence of the shift.
    func advanced(site: String, head: UInt64) {
        for show in shows.values where show.site.id == site { show.advance(to: head) }
    }

    /// A browser has recorded something in a shift. Its boards don't wait for the event.
    ///
    /// - Parameters:
    ///   - shift: the shift's id.
    ///   - head: the newest sequence of the shift.
    func recorded(shift: String, head: UInt64) {
        for show in shows.values where show.shift == shift { show.advance(to: head) }
    }

    /// Makes the boards of a log-in ask again or end, because its rights have changed.
    func revoked(_ logIn: [UInt8]) {
        for show in shows.values { show.revoked(logIn) }
    }

    /// The pages.
    var streams: [EventStream] { shows.values.flatMap(\.streams) }

    /// Runs each second.
    func beat() {
        for show in shows.values {
            show.beat()
            languages[show.site.id] = show.language
        }
    }
}

/// Reads the open shift of a site, and from then on only what is new. Several people may ask at the
/// same time, each in their own name.
final class ShiftReader {
    /// The outcome of a query.
    typealias Outcome = (Result<Void, ClientError>) -> Void

    /// The shift as last read; nil if none is open.
    private(set) var state: ShiftState?
    /// When something new was last read, milliseconds since 1970.
    private(set) var changed: Int64 = 0
    /// How many times something new was read.
    private(set) var version = 0
    private let switchboard: Switchboard
    private let site: String
    private var isBeginning = false
    /// Those who ask while the shift is being read for the first time. They all get it once it is
    /// there.
    private var waiting: [(proof: Proof, then: Outcome)] = []

    init(_ switchboard: Switchboard, site: String) {
        (self.switchboard, self.site) = (switchboard, site)
    }

    /// Reads what is new.
    func read(by proof: Proof, then: @escaping Outcome) {
        guard !isBeginning else { return waiting.append((proof, then)) }
        guard let state, state.isOpen else { return begin(proof, then: then) }
        follow(state, proof, then: then)
    }

    private func follow(_ known: ShiftState, _ proof: Proof, then: @escaping Outcome) {
        let shift = known.shift.id
        let query = ReadOperations(shift: shift, after: known.readAfter)
        switchboard.ask(.checklist, query, for: OperationPage.self, by: proof) { [self] in
            switch $0 {
            case .success(let page):
                // Another shift may have begun since, and others may have read the same.
                guard state?.shift.id == shift, let before = state?.head else {
                    return then(.success(()))
                }
                guard state?.follow(page) == true, let now = state else {
                    return readAgain(shift, proof, then: then)
                }
                if now.head > before { note() }
                guard now.head < page.head, now.head > before else { return then(.success(())) }
                follow(now, proof, then: then)
            case .failure(.refused(let refusal))
            where [.notFound, .conflict].contains(refusal.code):
                readAgain(shift, proof, then: then)
            case .failure(let error): then(.failure(error))
            }
        }
    }

    /// Reads everything again, because a backup was restored.
    private func readAgain(_ shift: String, _ proof: Proof, then: @escaping Outcome) {
        if state?.shift.id == shift { state = nil }
        read(by: proof, then: then)
    }

    private func begin(_ proof: Proof, then: @escaping Outcome) {
        isBeginning = true
        switchboard.ask(.checklist, ReadShift(site: site), for: ShiftSnapshot.self, by: proof) {
            [self] in
            switch $0 {
            case .success(let snapshot):
                do throws(Refusal) {
                    fill(try ShiftState(snapshot: snapshot), proof, then: then)
                } catch { begun(.failure(.refused(error)), then) }
            case .failure(.refused(let refusal)) where refusal.code == .notFound:
                if state != nil {
                    state = nil
                    note()
                }
                begun(.success(()), then)
            case .failure(let error): begun(.failure(error), then)
            }
        }
    }

    /// Reads all operations of a shift, which is shown only when it is whole.
    private func fill(_ draft: ShiftState, _ proof: Proof, then: @escaping Outcome) {
        let query = ReadOperations(shift: draft.shift.id, after: draft.head)
        switchboard.ask(.checklist, query, for: OperationPage.self, by: proof) { [self] in
            switch $0 {
            case .success(let page):
                var whole = draft
                for operation in page.operations { whole.apply(operation) }
                guard whole.head < page.head, whole.head > draft.head else {
                    state = whole
                    note()
                    return begun(.success(()), then)
                }
                fill(whole, proof, then: then)
            case .failure(let error): begun(.failure(error), then)
            }
        }
    }

    private func note() {
        changed = switchboard.now
        version += 1
    }

    private func begun(_ result: Result<Void, ClientError>, _ then: Outcome) {
        isBeginning = false
        let others = waiting
        waiting = []
        then(result)
        for other in others {
            switch result {
            case .success, .failure(.refused): read(by: other.proof, then: other.then)
            // The service isn't answering anyone.
            case .failure: other.then(result)
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
