import Bus
import Messages
import Phrases

/// What the checklist on a phone exchanges with checklist-service: the shift and its lists once,
/// then operations in both directions. The page folds them itself, so that it works without a
/// network.
struct ShiftExchange {
    let exchange: Exchange

    /// A shift with its settings and lists; nothing that changes with each tick.
    private struct Snapshot: Encodable {
        let shift: Shift
        let settings: SiteSettings
        let lists: [ChecklistTemplate]
    }

    /// Sends the open shift of a site, unless the browser already has it.
    func snapshot(of site: String) {
        exchange.ask(ReadShift(site: site), for: ShiftSnapshot.self) { read in
            guard let shift = read.shift else {
                return exchange.fail(.unexpected(type: "ShiftSnapshot"))
            }
            do {
                exchange.sendIfChanged(
                    Snapshot(
                        shift: shift, settings: try SiteSettings(stored: shift.settings),
                        lists: try read.lists.map { try ChecklistTemplate(stored: $0) }))
            } catch {
                exchange.fail(.unexpected(type: "ShiftSnapshot"))
            }
        }
    }

    /// Sends the operations after a position.
    func read(_ shift: String) {
        let query = exchange.visit.request.target.query
        let question = ReadOperations(
            shift: shift, after: UInt64(query["after"] ?? "") ?? 0,
            device: query["device"] ?? "", deviceHead: UInt64(query["deviceHead"] ?? "") ?? 0)
        exchange.ask(question, for: OperationPage.self) { exchange.send($0) }
    }

    /// The outcomes of operations, as the page keeps them.
    private struct Recorded: Encodable {
        let outcomes: [Told]
        let head: UInt64
    }

    /// An outcome with what a refusal says in each language: the page shows it without a network,
    /// and perhaps in another language than it has now.
    private struct Told: Encodable {
        private enum CodingKeys: String, CodingKey { case texts }

        private var outcome: OperationOutcome
        private var texts: [String: String] = [:]

        init(_ outcome: OperationOutcome, in language: Language) {
            self.outcome = outcome
            guard outcome.kind == .refused else { return }
            let refusal = outcome.whyRefused
            for each in Language.allCases {
                texts[each.rawValue] = Words<WebPhrase>(each).text(of: refusal)
            }
            self.outcome.refusal = texts[language.rawValue] ?? refusal.message
        }

        func encode(to encoder: any Encoder) throws {
            try outcome.encode(to: encoder)
            guard !texts.isEmpty else { return }
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(texts, forKey: .texts)
        }
    }

    private struct Beginning: Codable {
        /// The id of the command; nil to make one, as for pages of former releases.
        let id: String?
        let dayPart: UInt32
    }

    private struct End: Codable {
        /// The id of the command; nil to make one, as for pages of former releases.
        let id: String?
        let shift: String
        let despiteOpen: Bool
    }

    /// Reads the id that a script has given a command: if it is sent again, it is the same command.
    private func named(_ text: String?, _ send: (MessageID?) -> Void) {
        guard let text else { return send(nil) }
        guard let id = MessageID(text) else {
            let refusal = Refusal.invalid("the id of a command is a UUID").because(.idVersion)
            return exchange.fail(.refused(refusal))
        }
        send(id)
    }

    /// Starts a shift.
    func start(at site: String) {
        guard let beginning = exchange.body(Beginning.self) else { return }
        let command = StartShift(site: site, dayPart: beginning.dayPart)
        named(beginning.id) {
            exchange.ask(command, for: ShiftSnapshot.self, id: $0) {
                exchange.send($0.shift ?? Shift())
            }
        }
    }

    /// Ends a shift.
    func end() {
        guard let end = exchange.body(End.self) else { return }
        let command = EndShift(shift: end.shift, despiteOpen: end.despiteOpen)
        named(end.id) { exchange.ask(command, for: Shift.self, id: $0) { exchange.send($0) } }
    }

    /// A report of a piece of equipment.
    private struct EquipmentReport: Codable {
        /// The id of the command; nil to make one.
        let id: String?
        let name: String
        let area: String
        let state: EquipmentState
        let text: String
    }

    /// Sends what doesn't work at a site, each with its newest report.
    ///
    /// - Parameters:
    ///   - site: the site's id.
    ///   - last: after which piece to go on; empty for the first.
    ///   - former: what was read before.
    func equipment(at site: String, after last: String = "", adding former: [Equipment] = []) {
        let query = ListEquipment(site: site, faultyOnly: true, after: last)
        exchange.ask(query, for: EquipmentList.self) { page in
            let all = former + page.newest
            let isLast = page.next.isEmpty || page.equipment.isEmpty
            guard isLast || all.count >= EquipmentReader.most else {
                return equipment(at: site, after: page.next, adding: all)
            }
            exchange.send(EquipmentList(equipment: all))
        }
    }

    /// Reports that a piece of equipment is broken, or works again.
    func report(at site: String) {
        guard let report = exchange.body(EquipmentReport.self) else { return }
        let command = ReportEquipment(
            site: site, name: report.name, area: report.area, state: report.state,
            text: report.text)
        named(report.id) {
            exchange.ask(command, for: Equipment.self, id: $0) { exchange.send($0) }
        }
    }

    /// Has a photo kept before an operation refers to it.
    func keepPhoto(for shift: String) {
        // A page of another origin could send a form, so only this content type is accepted.
        guard exchange.visit.request.headers["content-type"] == "image/jpeg" else {
            return exchange.visit.send(.plain(.badRequest, "a photo is sent as image/jpeg"))
        }
        let command = KeepPhoto(shift: shift, file: exchange.visit.request.body)
        exchange.ask(command, for: Photo.self) { exchange.send($0) }
    }

    /// Has operations recorded.
    ///
    /// - Parameter recorded: called with the id of the shift and its newest sequence.
    func record(_ recorded: @escaping (String, UInt64) -> Void) {
        guard let command = exchange.body(RecordOperations.self) else { return }
        exchange.ask(command, for: OperationsRecorded.self) { reply in
            // All operations of a message belong to one shift.
            if let shift = command.operations.first?.shift { recorded(shift, reply.head) }
            let language = exchange.words.language
            exchange.send(
                Recorded(
                    outcomes: reply.outcomes.map { Told($0, in: language) }, head: reply.head))
        }
    }
}
