import Bus
import Foundation
import HTTPExchange
import Messages
import Phrases

/// How a page's script asks one service in the name of its person: with JSON in both directions.
struct Exchange {
    /// Why there is no answer.
    private struct Fault: Encodable {
        let code: String
        let message: String
        /// Why, as a word for programs; empty for none.
        var reason = ""
    }

    private let people: People
    private let service: ServiceName
    private let person: Person
    private let proof: Proof
    let visit: Visit

    /// The exchange of a person; nil if the log-in can't be used for the service.
    init?(_ people: People, _ service: ServiceName, _ visit: Visit, _ person: Person) {
        guard let proof = person.proof(for: service) else { return nil }
        (self.people, self.service, self.visit) = (people, service, visit)
        (self.person, self.proof) = (person, proof)
    }

    /// The phrases in the person's language.
    var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    /// Asks the service.
    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, id: MessageID? = nil,
        then: @escaping (R) -> Void
    ) {
        people.switchboard.ask(service, message, for: R.self, by: proof, id: id) {
            switch $0 {
            case .success(let reply): then(reply)
            case .failure(let error): fail(error)
            }
        }
    }

    /// Reads what the script sends; nil if it can't be read, which is reported to the script. So is
    /// a field that this version doesn't know: what a newer page keeps in it would be lost.
    func body<T: Codable>(_ type: T.Type) -> T? {
        let kind = visit.request.headers["content-type"]?.prefix { $0 != ";" } ?? ""
        guard kind.lowercased() == "application/json", visit.request.mayBeJSON else {
            visit.send(.plain(.badRequest, "this is sent as JSON in UTF-8"))
            return nil
        }
        let place: String
        do {
            let value = try JSONDecoder().decode(type, from: Data(visit.request.body))
            let unknown = try SentFields.unknown(in: visit.request.body, readAs: value)
            guard let unknown else { return value }
            place = unknown
        } catch { place = Self.place(of: error) }
        let fault = Fault(code: "invalid", message: "what was sent can't be read at \(place)")
        visit.send(Self.json(fault, .badRequest))
        return nil
    }

    /// The place of a fault in the JSON, without its contents.
    private static func place(of error: any Error) -> String {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .dataCorrupted(let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context), .keyNotFound(_, let context):
            path = context.codingPath
        default: path = []
        }
        let names = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return "/" + names.joined(separator: "/")
    }

    /// Sends the result.
    func send(_ value: some Encodable) { visit.send(Self.json(value, .ok)) }

    /// Sends the result, or only that it is what the browser already has.
    func sendIfChanged(_ value: some Encodable) {
        let response = Self.json(value, .ok)
        visit.send(response.status == .ok ? response.kept(by: visit.request.headers) : response)
    }

    /// Says why there is no answer.
    func fail(_ error: ClientError) {
        switch error {
        case .refused(let refusal) where refusal.code == .badToken:
            // The script tries again, with a new token unless the log-in is over.
            visit.send(unreachable(service))
        case .refused(let refusal):
            let fault = Fault(
                code: "\(refusal.code)", message: words.text(of: refusal), reason: refusal.reason)
            visit.send(Self.json(fault, FaultPage.status(of: refusal)))
        default: visit.send(unreachable(error.service ?? service))
        }
    }

    private func unreachable(_ service: ServiceName) -> Response {
        Self.json(Fault(code: "unreachable", message: service.rawValue), .unavailable)
    }

    private static func json(_ value: some Encodable, _ status: Status) -> Response {
        let encoder = JSONEncoder()
        // Always in the same order, so that equal values have equal text.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        do {
            return .json(String(decoding: try encoder.encode(value), as: UTF8.self), status: status)
        } catch {
            return .plain(.failed)
        }
    }
}
