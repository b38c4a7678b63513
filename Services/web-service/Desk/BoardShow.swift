import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Markup
import Messages
import Phrases
import ShiftLog

/// The board of a site for all open pages: it is read once, folded once and written once.
///
/// Who may see it is a separate question. Each log-in asks in its own name, every second and again
/// with each new token, and gets what is newer than its last answer only for as long as `trust`
/// allows.
final class BoardShow {
    /// How much newer a board may be than what a log-in was last given in its own name, in
    /// milliseconds.
    private static let trust: Int64 = 2000
    /// How many tokens of a log-in may be refused in a row before its pages say that they get
    /// nothing new. It asks every second.
    private static let mostDenials = 3
    /// How often what doesn't work is read, in milliseconds.
    private static let equipmentInterval: Int64 = 5000

    /// True if a log-in may see what was read at a time.
    ///
    /// Neither time is ahead of now, unless the clock was set back since. Then what was read counts
    /// as read now, and the answer doesn't count.
    ///
    /// - Parameters:
    ///   - time: when it was read, in milliseconds since 1970.
    ///   - confirmed: when checklist-service last answered in the name of the log-in; 0 for never.
    ///   - now: the time of day.
    static func isVisible(_ time: Int64, confirmed: Int64, now: Int64) -> Bool {
        confirmed > 0 && confirmed - now <= trust && min(time, now) - confirmed <= trust
    }

    let site: Site
    private let switchboard: Switchboard
    private let people: People
    private let reader: ShiftReader
    private let equipment: EquipmentReader
    /// When what doesn't work was last asked for, milliseconds since 1970.
    private var equipmentAsked: Int64 = 0
    private var viewers: [[UInt8]: BoardViewer] = [:]
    /// The language of the last shift; until one is known, that of whoever looked first.
    private(set) var language: Language
    /// The parts as they were last written.
    private var parts: [(name: String, node: Node, event: [UInt8])] = []
    /// When checklist-service last answered, milliseconds since 1970; 0 for never.
    private var heard: Int64 = 0
    /// The service that can't be reached; nil if it can.
    private var obstacle: ServiceName?
    /// The version that was last shown.
    private var shown = -1
    private var isAdvancing = false
    /// The newest sequence that was announced while something was being read.
    private var awaited: UInt64?

    init(_ switchboard: Switchboard, _ people: People, site: Site, _ language: Language) {
        (self.switchboard, self.people, self.site) = (switchboard, people, site)
        self.language = language
        reader = ShiftReader(switchboard, site: site.id)
        equipment = EquipmentReader(switchboard, site: site.id)
    }

    /// When something new was last read, milliseconds since 1970.
    private var changed: Int64 { max(reader.changed, equipment.changed) }
    /// How many times something new was read.
    private var version: Int { reader.version + equipment.version }

    /// The id of the open shift; nil if none is open.
    var shift: String? { reader.state?.shift.id }

    /// The pages.
    var streams: [EventStream] { viewers.values.flatMap(\.streams.values) }

    /// Adds a page of a log-in.
    func add(_ stream: EventStream, _ number: UInt64, _ seal: BrowserSeal) {
        let viewer = viewers[seal.name] ?? BoardViewer(seal)
        viewers[seal.name] = viewer
        viewer.streams[number] = stream
        // A page that was open before may have missed anything, so it gets all parts again.
        if maySee(viewer, changed), !viewer.isBehind {
            stream.send(parts.flatMap(\.event))
        }
        check(viewer)
    }

    /// Removes a page.
    ///
    /// - Returns: true if no page is left.
    func remove(_ number: UInt64) -> Bool {
        for (name, viewer) in viewers {
            viewer.streams[number] = nil
            if viewer.streams.isEmpty { viewers[name] = nil }
        }
        return viewers.isEmpty
    }

    /// Shows a log-in nothing until its next query is answered, because its rights have changed.
    func revoked(_ logIn: [UInt8]) {
        guard let viewer = viewers[logIn] else { return }
        (viewer.confirmed, viewer.mustAsk) = (0, viewer.isAsking)
        check(viewer)
    }

    /// Runs each second.
    func beat() {
        for viewer in viewers.values { check(viewer) }
        show()
    }

    // MARK: Asking

    /// Reads what is new, in the name of one of the viewers, unless it is already known.
    func advance(to head: UInt64) {
        if let state = reader.state, state.isOpen, state.head >= head { return }
        guard !isAdvancing else {
            awaited = max(head, awaited ?? 0)
            return
        }
        let now = switchboard.now
        let ready = viewers.values.filter { maySee($0, now) }
        // Those who are asking may have asked too early. One of them will ask again.
        guard let viewer = ready.first(where: { !$0.isAsking }) ?? ready.first else { return }
        guard !viewer.isAsking else {
            viewer.mustAsk = true
            return
        }
        (isAdvancing, awaited) = (true, nil)
        check(viewer) { [weak self] in
            guard let self else { return }
            isAdvancing = false
            if let awaited { advance(to: awaited) }
        }
    }

    /// Asks in the name of a log-in, unless a query is under way.
    private func check(_ viewer: BoardViewer, then: @escaping () -> Void = {}) {
        guard !viewer.isAsking else { return then() }
        viewer.isAsking = true
        people.find(viewer.seal, isUse: false) { [weak self] found in
            guard let self else { return }
            switch found {
            case .failure(.loggedOut): end(viewer)
            case .failure(.unreachable(let error)): answered(viewer, .failure(error), person: nil)
            case .success(let person):
                guard let proof = person.proof(for: .checklist) else {
                    end(viewer)
                    break
                }
                return reader.read(by: proof) { [weak self] in
                    self?.answered(viewer, $0, person: person)
                    then()
                }
            }
            then()
        }
    }

    private func answered(
        _ viewer: BoardViewer, _ result: Result<Void, ClientError>, person: Person?
    ) {
        viewer.isAsking = false
        let isOutdated = viewer.mustAsk
        viewer.mustAsk = false
        let former = (obstacle, viewer.obstacle)
        if case .failure(.refused(let refusal)) = result, refusal.code == .badToken, person != nil {
            viewer.denials += 1
        } else {
            viewer.denials = 0
        }
        switch result {
        case .success:
            (heard, obstacle, viewer.obstacle) = (switchboard.now, nil, nil)
            // An answer from before a revocation proves nothing.
            if !isOutdated { viewer.confirmed = heard }
            readEquipment(by: person)
        case .failure where viewer.denials > 0:
            // The next query has a new token. If that doesn't help, nothing new comes either.
            if viewer.denials >= Self.mostDenials { viewer.obstacle = .checklist }
        case .failure(.refused(let refusal)) where refusal.code == .forbidden: return end(viewer)
        case .failure(let error):
            let service = error.service ?? (person == nil ? .account : .checklist)
            // The others may still have tokens.
            if person == nil { viewer.obstacle = service } else { obstacle = service }
        }
        if version != shown || viewer.isBehind || former != (obstacle, viewer.obstacle) {
            show()
        }
        if isOutdated { check(viewer) }
    }

    /// Reads what doesn't work, in the name of someone who has just read the shift.
    private func readEquipment(by person: Person?) {
        let now = switchboard.now
        guard let proof = person?.proof(for: .checklist),
            abs(now - equipmentAsked) >= Self.equipmentInterval
        else { return }
        equipmentAsked = now
        // If there is no answer, this asks again after `equipmentInterval`.
        equipment.read(by: proof) { [weak self] _ in
            guard let self else { return }
            if version != shown { show() }
        }
    }

    /// Ends the pages of a log-in. They load again, and get whatever the person may see then.
    private func end(_ viewer: BoardViewer) {
        (viewer.isAsking, viewer.confirmed) = (false, 0)
        EventStream.send(StreamEvent("over").bytes, to: Array(viewer.streams.values))
        for stream in viewer.streams.values { stream.end() }
        viewer.streams = [:]
        viewers[viewer.seal.name] = nil
    }

    // MARK: Showing

    private func maySee(_ viewer: BoardViewer, _ time: Int64) -> Bool {
        Self.isVisible(time, confirmed: viewer.confirmed, now: switchboard.now)
    }

    private func show() {
        guard heard > 0 || obstacle != nil else { return showObstacles() }
        shown = version
        if let shift = reader.state { language = Language.of(shift.language) }
        let state = BoardState(
            shift: reader.state, heard: heard, obstacle: obstacle, equipment: equipment.faulty)
        let page = page(state)
        var news: [UInt8] = []
        let before = Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0) })
        parts = page.parts.map { name, node in
            if let same = before[name], same.node == node { return same }
            let event = Self.event(name, node)
            news += event
            return (name, node, event)
        }
        var streams: [EventStream] = []
        for viewer in viewers.values {
            guard maySee(viewer, changed), viewer.obstacle == nil else {
                viewer.isBehind = true
                continue
            }
            if viewer.isBehind {
                viewer.isBehind = false
                viewer.foot = nil
                EventStream.send(parts.flatMap(\.event), to: Array(viewer.streams.values))
            } else {
                streams += viewer.streams.values
            }
        }
        EventStream.send(news, to: streams)
        showObstacles()
    }

    private func page(_ state: BoardState) -> BoardPage {
        BoardPage(
            site: site, state: state, now: switchboard.now, isLive: true, fallback: language)
    }

    /// On pages whose log-in can't ask, shows why there is nothing new.
    private func showObstacles() {
        for viewer in viewers.values {
            // A page that was open before keeps showing what it has.
            let common = viewer.confirmed == 0 ? obstacle : nil
            guard let obstacle = viewer.obstacle ?? common else { continue }
            let state = BoardState(shift: nil, heard: viewer.confirmed, obstacle: obstacle)
            guard let foot = page(state).parts.last, viewer.foot != foot.node else { continue }
            viewer.foot = foot.node
            EventStream.send(
                Self.event(foot.name, foot.node), to: Array(viewer.streams.values))
        }
    }

    private static func event(_ name: String, _ node: Node) -> [UInt8] {
        var text = "{\"id\":"
        Node.quote(name, &text)
        return StreamEvent("part", text + ",\"node\":" + node.json + "}").bytes
    }
}

/// A log-in in whose name a board is open, on one page or several.
private final class BoardViewer {
    let seal: BrowserSeal
    var streams: [UInt64: EventStream] = [:]
    /// When checklist-service last answered in the name of this log-in, in milliseconds since 1970;
    /// 0 if it must answer before anything is shown.
    var confirmed: Int64 = 0
    /// True when its pages lack something that was shown to others.
    var isBehind = true
    var isAsking = false
    /// True if the answer to the current query may be outdated when it arrives.
    var mustAsk = false
    /// How many tokens of this log-in were refused since its last answer.
    var denials = 0
    /// The service that prevents queries in the name of this log-in.
    var obstacle: ServiceName?
    /// The note about that on its pages.
    var foot: Node?

    init(_ seal: BrowserSeal) { self.seal = seal }
}
