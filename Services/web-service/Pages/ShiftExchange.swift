import Bus
import Foundation
import HTTPExchange
import Messages

/// What the checklist on a phone exchanges with checklist-service: the shift and its lists once,
/// then operations in both directions. The page folds them itself, so that it works without a
/// network.
struct ShiftExchange {
    private let switchboard: Switchboard
    private let visit: Visit
    private let proof: Proof

    /// The exchange of a person; nil if the log-in can't be used for it.
    init?(_ switchboard: Switchboard, _ visit: Visit, _ person: Person) {
        guard let proof = person.proof(for: .checklist) else { return nil }
        (self.switchboard, self.visit, self.proof) = (switchboard, visit, proof)
    }

    /// A shift with its settings and lists.
    private struct Snapshot: Encodable {
        let shift: Shift
        let settings: SiteSettings
        let lists: [ChecklistTemplate]
        let head: UInt64
    }

    /// Why there is no answer.
    private struct Fault: Encodable {
        let code: String
        let message: String
    }

    /// Sends the open shift of a site.
    func snapshot(of site: String) {
        switchboard.ask(.checklist, ReadShift(site: site), for: ShiftSnapshot.self, by: proof) {
            switch $0 {
            case .failure(let error): fail(error)
            case .success(let read):
                guard let shift = read.shift else {
                    return fail(.unexpected(type: "ShiftSnapshot"))
                }
                do {
                    send(
                        Snapshot(
                            shift: shift, settings: try SiteSettings(stored: shift.settings),
                            lists: try read.lists.map { try ChecklistTemplate(stored: $0) },
                            head: read.head))
                } catch {
                    fail(.unexpected(type: "ShiftSnapshot"))
                }
            }
        }
    }

    /// Sends the operations after a position.
    func read(_ shift: String) {
        let query = visit.request.target.query
        let question = ReadOperations(
            shift: shift, after: UInt64(query["after"] ?? "") ?? 0,
            device: query["device"] ?? "", deviceHead: UInt64(query["deviceHead"] ?? "") ?? 0)
        switchboard.ask(.checklist, question, for: OperationPage.self, by: proof) { answer($0) }
    }

    /// Has operations taken in.
    func record() {
        let type = visit.request.headers["content-type"]?.prefix { $0 != ";" } ?? ""
        guard type.lowercased() == "application/json" else {
            return visit.send(.plain(.badRequest, "operations are sent as JSON"))
        }
        let command: RecordOperations
        do {
            command = try JSONDecoder().decode(
                RecordOperations.self, from: Data(visit.request.body))
        } catch {
            return visit.send(
                Self.json(Fault(code: "invalid", message: Self.place(error)), .badRequest))
        }
        switchboard.ask(.checklist, command, for: OperationsRecorded.self, by: proof) { answer($0) }
    }

    /// Where JSON is wrong, without what it contains.
    private static func place(_ error: any Error) -> String {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .dataCorrupted(let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context), .keyNotFound(_, let context):
            path = context.codingPath
        default: path = []
        }
        let names = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return "the operations can't be read at /" + names.joined(separator: "/")
    }

    private func answer(_ result: Switchboard.Outcome<some ProtobufMessage & Encodable>) {
        switch result {
        case .success(let message): send(message)
        case .failure(let error): fail(error)
        }
    }

    private func send(_ value: some Encodable) { visit.send(Self.json(value, .ok)) }

    private func fail(_ error: ClientError) {
        switch error {
        case .refused(let refusal):
            let fault = Fault(code: "\(refusal.code)", message: refusal.message)
            visit.send(Self.json(fault, FaultPage.status(of: refusal)))
        default:
            let name = error.service?.rawValue ?? "checklist-service"
            visit.send(Self.json(Fault(code: "unreachable", message: name), .unavailable))
        }
    }

    private static func json(_ value: some Encodable, _ status: Status) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            return .json(String(decoding: try encoder.encode(value), as: UTF8.self), status: status)
        } catch {
            return .plain(.failed)
        }
    }
}
