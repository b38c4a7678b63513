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
                return fail(.withoutToken, person)
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
        } otherwise: { error, person in
            logInsAgain(error, person)
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
                    let journeys = Self.following(of: list.journeys)
                    // The app also sends what has waited on the phone. If nothing newer comes, its
                    // clock may be wrong.
                    let isOld = position.time <= desk.now - RideFix.oldest
                    pass(isOld ? nil : position, to: journeys[...], proof, .untold)
                case .failure(let error): answer(error)
                }
            }
        }
    }

    /// The rides that follow a person's phone: the newest, and every other that has no position
    /// yet, or gets them from a phone. One that follows a vehicle or a receiver has its own.
    private static func following(of journeys: [Journey]) -> [Journey] {
        // A replayed recording has another clock.
        let live = journeys.filter { $0.clock == nil }
        return live.prefix(1)
            + live.dropFirst().filter { ["", "owntracks", "browser"].contains($0.source) }
    }

    /// The outcome of a position at the rides that were told of it so far.
    private enum Reception {
        /// No ride was told yet, or each has refused it.
        case untold
        /// A ride has failed on it, and none has accepted it.
        case failed
        /// A ride has accepted it.
        case accepted
    }

    /// Tells each of a person's rides, one after the other, where the phone is. A ride that fails
    /// keeps no position from the others.
    ///
    /// - Parameters:
    ///   - position: the position; nil for one that is too old to count.
    ///   - journeys: the rides that are still to be told.
    ///   - proof: what shows that the phone may tell the rides.
    ///   - reception: what the rides before them have answered.
    private func pass(
        _ position: RideFix?, to journeys: ArraySlice<Journey>, _ proof: Proof,
        _ reception: Reception
    ) {
        guard let journey = journeys.first else {
            return visit.send(reception == .failed ? Self.later : Self.done)
        }
        tell(journey, position, proof) { result in
            let rest = journeys.dropFirst()
            switch result {
            case .success: pass(position, to: rest, proof, .accepted)
            case .failure(.refused(let refusal)) where refusal.code == .internal:
                pass(position, to: rest, proof, reception == .accepted ? .accepted : .failed)
            case .failure(.refused(let refusal))
            where refusal.code != .badToken && !refusal.mayPass:
                // The ride has just ended, or the position can't belong to it: it would never be
                // accepted.
                pass(position, to: rest, proof, reception)
            case .failure: visit.send(Self.later)
            }
        }
    }

    private func tell(
        _ journey: Journey, _ position: RideFix?, _ proof: Proof,
        _ heard: @escaping (Result<Journey, ClientError>) -> Void
    ) {
        let (switchboard, service) = (desk.switchboard, ServiceName.transitAlert)
        guard let position else {
            let report = ReportOldPositions(journeyId: journey.id)
            return switchboard.ask(service, report, for: Journey.self, by: proof, then: heard)
        }
        let fix = Fix(position, at: min(position.time, desk.now))
        let command = RecordPositions(journeyId: journey.id, fixes: [fix], source: "owntracks")
        switchboard.ask(
            service, command, for: Journey.self, by: proof, id: id(of: fix.time, in: journey),
            then: heard)
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
        case .conflict where refusal.mayPass: visit.send(Self.later)
        // The ride has just ended, or the position can't belong to it: it would never be accepted.
        default: visit.send(Self.done)
        }
    }
}
