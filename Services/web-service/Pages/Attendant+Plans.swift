import BrowserSeal
import Bus
import HTTPExchange
import HTTPServer
import Messages
import Phrases
import ServiceRuntime

/// The plan viewer.
extension Attendant {
    func plans() {
        let text = visit.request.target.query["text"] ?? ""
        withPerson { person in
            desk.plans.list(text, by: person) { result in
                switch result {
                case .success(let found):
                    let page = PlansPage(visit: visit, person: person, text: text, found: found)
                    visit.send(page.response)
                case .failure(let error): fail(error, person)
                }
            }
        }
    }

    func plan() {
        withPlan { person, read in
            let language = person.language ?? visit.language
            let wish = PlanWish(visit.request.target.query)
            let query = CheckPlan(
                plan: read.plan.id, language: language.rawValue, failingOnly: true,
                repairs: wish.repairs)
            desk.plans.check(query, by: person) { result in
                // The drawing is shown without findings, which may take long to compute or belong
                // to another revision.
                var check: PlanCheck?
                if case .success(let found) = result, found.plan?.isSame(as: read.plan) == true {
                    check = found
                }
                let details = read.plan.details ?? PlanDetails()
                var frame = Frame(visit, language, title: details.name, person: person)
                (frame.script, frame.imports, frame.kind) = ("plan.js", ["live.js"], "wide")
                frame.style = "plan.css"
                let page = PlanPage(
                    visit: visit, frame: frame, plan: read.plan, check: check, wish: wish,
                    isEmpty: read.items.isEmpty)
                let order = wish.order(
                    read.plan, language, changedOn: person.day(read.plan.changed))
                withReach(person, read.plan, wish.reach) { reach in
                    draw(person, language) { table in
                        page.response(try table.picture(order, .init(read.items), details, reach))
                    }
                }
            }
        }
    }

    func planFile() {
        guard let kind = PlanFileKind(rawValue: visit.values["file"] ?? "") else {
            return missing()
        }
        withPlan { person, read in
            let query = visit.request.target.query
            let language = person.language ?? visit.language
            var file = PlanFile(
                kind: kind, read: read, wish: PlanWish(query), language: language,
                date: person.day(desk.now), changedOn: person.day(read.plan.changed))
            file.wanted = UInt64(query["revision"] ?? "") ?? 0
            file.wantedChange = Int64(query["changed"] ?? "") ?? 0
            file.wantedLanguage = query["language"] ?? ""
            func send(_ file: PlanFile) {
                withReach(person, read.plan, file.wish.reach && kind.reaches) { reach in
                    var file = file
                    file.reach = reach
                    let made = file
                    draw(person, language) { try made.response($0) }
                }
            }
            guard kind.shows || kind == .report else { return send(file) }
            let check = CheckPlan(
                plan: read.plan.id, language: language.rawValue, failingOnly: kind.shows,
                repairs: kind == .report)
            desk.plans.check(check, by: person) { result in
                switch result {
                case .failure(let error): return fail(error, person)
                case .success(let found):
                    guard found.plan?.isSame(as: read.plan) == true else {
                        return fail(.refused(.planBusy), person)
                    }
                    file.check = found
                }
                send(file)
            }
        }
    }

    func planStream() {
        let plan = visit.values["plan"] ?? ""
        withPerson { person in
            guard let proof = person.proof(for: .plan) else {
                return visit.send(.plain(.forbidden))
            }
            // Only someone who may read the plan is notified of changes.
            desk.switchboard.ask(
                .plan, ReadPlan(plan: plan, from: .max), for: PlanContents.self, by: proof
            ) { result in
                switch result {
                case .success(let contents):
                    guard let plan = contents.plan else { return visit.send(.plain(.notFound)) }
                    stream(person) { desk, stream, number, seal in
                        desk.plans.open(stream, number: number, plan: plan, seal)
                    }
                case .failure(.refused(let refusal)) where refusal.code != .badToken:
                    visit.send(.plain(.notFound))
                case .failure:
                    // The page tries again, with a new token if one was refused.
                    visit.send(.plain(.unavailable).adding("Retry-After", "5"))
                }
            }
        }
    }

    // MARK: Steps

    private func withPlan(_ body: @escaping (Person, PlanRead) -> Void) {
        withPerson { person in
            desk.plans.read(visit.values["plan"] ?? "", by: person) { result in
                switch result {
                case .success(let read): body(person, read)
                case .failure(.refused(let refusal)) where refusal == .planTooLarge:
                    let language = person.language ?? visit.language
                    let note = Words<WebPhrase>(language).say(.planTooLarge)
                    visit.send(FaultPage(.tooLarge, visit, note: note, in: language).response)
                case .failure(let error): fail(error, person)
                }
            }
        }
    }

    /// Asks where the chair can go, if that is wanted.
    private func withReach(
        _ person: Person, _ plan: Plan, _ isWanted: Bool, then: @escaping (PlanReach?) -> Void
    ) {
        guard isWanted else { return then(nil) }
        desk.plans.reach(ReachPlan(plan: plan.id), by: person) { result in
            switch result {
            case .success(let reach): then(reach)
            case .failure(let error): fail(error, person)
            }
        }
    }

    /// Sends what the drawing thread makes.
    private func draw(
        _ person: Person, _ language: Language,
        _ make: @escaping @Sendable (DrawingTable) throws -> Response
    ) {
        let (visit, log) = (visit, desk.switchboard.log)
        let logIn = visit.seal?.name ?? []
        let isTaken = DrawingTable.leave(for: logIn, of: person.account.id) { table in
            do {
                visit.send(try DrawingTable.limited { try make(table) })
            } catch let refusal as Refusal {
                visit.send(FaultPage(.refused(refusal), visit, in: language).response)
            } catch {
                log.write(.error, "not drawn", [.error: "\(error)"])
                visit.send(FaultPage(.unavailable, visit, in: language).response)
            }
        }
        if !isTaken {
            let note = Words<WebPhrase>(language).say(.drawingBusy)
            let page = FaultPage(.unavailable, visit, note: note, in: language)
            visit.send(page.response.adding("Retry-After", "5"))
        }
    }
}
