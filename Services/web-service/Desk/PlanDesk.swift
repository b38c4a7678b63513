import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Messages

/// A plan with everything in it, as a service sent it.
struct PlanRead: Sendable {
    /// Its details and revision.
    let plan: Plan
    /// Its items, in the order in which they were drawn.
    let items: [PlanItem]
}

/// Reads plans for pages, and tells open pages when theirs has changed.
final class PlanDesk {
    /// The most items of a plan that a page shows: as many as a hospital has.
    static let mostItems = 20_000
    /// How long to wait for a check, which examines everything in a plan.
    static let patience: Duration = .seconds(30)

    private struct Watch {
        let stream: EventStream
        let plan: String
        let seal: BrowserSeal
    }

    private let switchboard: Switchboard
    private let people: People
    private var watches: [UInt64: Watch] = [:]

    init(_ switchboard: Switchboard, _ people: People) {
        (self.switchboard, self.people) = (switchboard, people)
    }

    /// Lists the plans that fit a text, the most recently changed first.
    func list(
        _ text: String, by person: Person, then: @escaping (Result<Plans, ClientError>) -> Void
    ) {
        guard let proof = person.proof(for: .plan) else { return then(.failure(.withoutToken)) }
        let query = ListPlans(text: text.prefix(bytes: 800), limit: 200)
        switchboard.ask(.plan, query, for: Plans.self, by: proof, then: then)
    }

    /// Reads a whole plan.
    func read(
        _ plan: String, by person: Person, then: @escaping (Result<PlanRead, ClientError>) -> Void
    ) {
        guard let proof = person.proof(for: .plan) else { return then(.failure(.withoutToken)) }
        read(plan, proof, after: [], of: nil, tries: 0, then: then)
    }

    private func read(
        _ name: String, _ proof: Proof, after items: [PlanItem], of earlier: Plan?, tries: Int,
        then: @escaping (Result<PlanRead, ClientError>) -> Void
    ) {
        let query = ReadPlan(plan: name, from: UInt32(items.count))
        switchboard.ask(.plan, query, for: PlanContents.self, by: proof) { [self] in
            switch $0 {
            case .failure(let error): then(.failure(error))
            case .success(let part):
                guard let plan = part.plan else {
                    return then(.failure(.unexpected(type: PlanContents.protobufName)))
                }
                guard plan.items <= UInt32(Self.mostItems) else {
                    return then(.failure(.refused(.planTooLarge)))
                }
                if let earlier, !earlier.isSame(as: plan) {
                    // Someone changed it meanwhile, so the parts don't belong together.
                    guard tries < 5 else { return then(.failure(.refused(.planBusy))) }
                    return read(name, proof, after: [], of: nil, tries: tries + 1, then: then)
                }
                let all = items + part.items
                guard part.next > 0, all.count <= Self.mostItems else {
                    return then(.success(PlanRead(plan: plan, items: all)))
                }
                read(name, proof, after: all, of: plan, tries: tries, then: then)
            }
        }
    }

    /// Has a plan checked.
    func check(
        _ query: CheckPlan, by person: Person,
        then: @escaping (Result<PlanCheck, ClientError>) -> Void
    ) {
        guard let proof = person.proof(for: .plan) else { return then(.failure(.withoutToken)) }
        switchboard.ask(
            .plan, query, for: PlanCheck.self, by: proof, patience: Self.patience, then: then)
    }

    /// Asks where a chair can go in a plan.
    func reach(
        _ query: ReachPlan, by person: Person,
        then: @escaping (Result<PlanReach, ClientError>) -> Void
    ) {
        guard let proof = person.proof(for: .plan) else { return then(.failure(.withoutToken)) }
        switchboard.ask(
            .plan, query, for: PlanReach.self, by: proof, patience: Self.patience, then: then)
    }

    // MARK: Open pages

    /// Adds a page that shows a plan, which the person has just read. It is sent the revision,
    /// because the plan may have changed since the page was written.
    func open(_ stream: EventStream, number: UInt64, plan: Plan, _ seal: BrowserSeal) {
        watches[number] = Watch(stream: stream, plan: plan.id, seal: seal)
        stream.send(Self.event(plan.revision))
    }

    /// Removes a page that was closed.
    func close(_ number: UInt64) { watches[number] = nil }

    /// A plan was changed or deleted. Its pages are sent only the revision, 0 for a deleted plan,
    /// and ask for the plan in the name of their person.
    func changed(plan: String, revision: UInt64) {
        let event = Self.event(revision)
        EventStream.send(event, to: watches.values.filter { $0.plan == plan }.map(\.stream))
    }

    private static func event(_ revision: UInt64) -> [UInt8] {
        StreamEvent("changed", "\(revision)").bytes
    }

    /// Makes the pages of a log-in load again, because its rights have changed.
    func revoked(_ logIn: [UInt8]) {
        for (number, watch) in watches where watch.seal.name == logIn {
            watch.stream.send(StreamEvent("over").bytes)
            watch.stream.end()
            watches[number] = nil
        }
    }

    /// Ends the pages of those who are logged out, once a second. Those who send no requests are
    /// forgotten, and a revocation reaches only those who are known.
    func beat() {
        let seals = Dictionary(watches.values.map { ($0.seal.name, $0.seal) }) { first, _ in first }
        for seal in seals.values {
            people.find(seal, isUse: false) { [weak self] found in
                if case .failure(.loggedOut) = found { self?.revoked(seal.name) }
            }
        }
    }

    /// The pages.
    var streams: [EventStream] { watches.values.map(\.stream) }
}

extension Plan {
    /// True if the other is the same state of a plan. After a restore, the same revision may be
    /// another state.
    func isSame(as other: Plan) -> Bool {
        (id, revision, changed) == (other.id, other.revision, other.changed)
    }
}

extension Refusal {
    /// A plan with more items than a page shows.
    static let planTooLarge = Refusal(
        code: .tooLarge, message: "the plan has too many things for a page",
        reason: "web.planTooLarge")
    /// A plan that changes faster than it is read.
    static let planBusy = Refusal.conflict("the plan is being changed; look again in a moment")
        .because(.planBusy)
}
