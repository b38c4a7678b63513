import BrowserSeal
import Bus
import Checksum
import HTTPExchange
import Messages
import RideFile
import RideTracking

/// Phones whose app OwnTracks reports their position while their owner rides. It continues with the
/// screen off, which no page can do.
extension Attendant {
    /// Makes a separate log-in for a phone, which can only report the phone's position. Its
    /// password is shown once.
    func makePhone() {
        ask(.account, MakeLogInCode(), for: LogInCode.self, id: command) { person, code in
            guard person.proof(for: .transitAlert) != nil else {
                return visit.send(FaultPage(.forbidden, visit).response)
            }
            let attempt = People.Attempt(
                name: code.name, password: code.code, device: "OwnTracks", source: visit.source,
                stays: true, former: nil, use: .place)
            desk.people.logIn(attempt) { result in
                switch result {
                case .success(let (seal, _)):
                    visit.send(PhonePage(visit: visit, person: person, seal: seal).response)
                case .failure(let error): fail(error, person)
                }
            }
        }
    }

    /// Accepts a message from a phone.
    ///
    /// The app sends the next message only after this one was answered with success, so messages
    /// that aren't positions get that answer too. A position that nobody asked for is not kept.
    func acceptPosition() {
        guard let seal = visit.request.headers.password.flatMap({ BrowserSeal(text: $0) }) else {
            return visit.send(.plain(.unauthorized, "this log-in is over; make a new one"))
        }
        desk.people.find(seal) { found in
            switch found {
            case .success(let person) where person.logIn.tellsPlace:
                visit.flight?.belongs(to: person.logIn.session)
                take(person)
            case .success, .failure(.loggedOut):
                visit.send(.plain(.unauthorized, "this log-in is over; make a new one"))
            case .failure(.unreachable): visit.send(Self.later)
            }
        }
    }

    /// The answer that makes the app try again.
    private static var later: Response {
        .plain(.unavailable, "try again soon").adding("Retry-After", "5")
    }

    /// An answer without a message for the phone.
    private static var done: Response { .json("[]") }

    private func take(_ person: Person) {
        guard visit.request.mayBeJSON else { return visit.send(Self.done) }
        switch OwnTracksReport.read(visit.request.body) {
        case .other: visit.send(Self.done)
        case .encrypted:
            visit.send(.plain(.badRequest, "turn off the encryption of messages in OwnTracks"))
        case .position(let position):
            guard let proof = person.proof(for: .transitAlert) else {
                return visit.send(.plain(.forbidden, "this account has no rides"))
            }
            let query = ListJourneys(activeOnly: true)
            desk.switchboard.ask(.transitAlert, query, for: Journeys.self, by: proof) {
                switch $0 {
                case .success(let list):
                    // A replayed recording has another clock.
                    guard let journey = list.journeys.first(where: { $0.clock == nil }) else {
                        return visit.send(Self.done)
                    }
                    // The app also sends what has waited on the phone. If nothing newer comes, its
                    // clock may be wrong.
                    let isOld = position.time <= desk.now - RideFix.oldest
                    if isOld { return reportOld(in: journey, proof) }
                    record(position, in: journey, proof)
                case .failure(let error): answer(error)
                }
            }
        }
    }

    private func record(_ position: RideFix, in journey: Journey, _ proof: Proof) {
        let fix = Fix(position, at: min(position.time, desk.now))
        let command = RecordPositions(journeyId: journey.id, fixes: [fix], source: "owntracks")
        let id = id(of: fix.time, in: journey)
        desk.switchboard.ask(.transitAlert, command, for: Journey.self, by: proof, id: id) {
            switch $0 {
            case .success: visit.send(Self.done)
            case .failure(let error): answer(error)
            }
        }
    }

    private func reportOld(in journey: Journey, _ proof: Proof) {
        let report = ReportOldPositions(journeyId: journey.id)
        desk.switchboard.ask(.transitAlert, report, for: Journey.self, by: proof) {
            switch $0 {
            case .success: visit.send(Self.done)
            case .failure(let error): answer(error)
            }
        }
    }

    /// The id of the command. It is the same however often the app sends a position of a ride, as
    /// it does when an answer was lost.
    private func id(of time: Int64, in journey: Journey) -> MessageID? {
        MessageID(
            at: time, checksum: Checksum.of(Array(journey.id.utf8), visit.request.body))
    }

    private func answer(_ error: ClientError) {
        guard case .refused(let refusal) = error else { return visit.send(Self.later) }
        switch refusal.code {
        case .badToken, .internal: visit.send(Self.later)
        // The ride has just ended, or the position can't belong to it: it would never be accepted.
        default: visit.send(Self.done)
        }
    }
}
