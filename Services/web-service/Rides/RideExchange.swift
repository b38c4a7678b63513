import Bus
import Messages
import Phrases
import RideFile
import RideTracking

/// What the get-off alarm exchanges with transit-alert-service. The page keeps positions while
/// there is no network, and rings on its own when it knows the time.
struct RideExchange {
    let exchange: Exchange
    /// The time of day at this server, in milliseconds since 1970; `due` of a journey uses this
    /// clock.
    let now: Int64

    /// A journey, and the current time on the clock that its times use.
    private struct Answer: Encodable {
        let journey: Journey?
        let now: Int64
        /// The version of the privacy policy; nil if that was not asked.
        var policy: UInt32?
        /// The paragraphs of the policy, the first of which is its title; nil if the person has
        /// accepted it.
        var privacy: [String]?
        /// How long before the arrival the person wants to get ready, in milliseconds; nil if that
        /// was not asked.
        var notice: Int64?
    }

    /// Stops to choose from.
    private struct Choices: Encodable {
        let stops: [Stop]
        /// How many of them are favourites of the person: the first ones.
        let favourites: Int
        /// True if other stops may match as well.
        var more = false
        /// The timetables that can't be read.
        var damaged: [String] = []
    }

    /// A ride that begins. If it is sent again with the same id, it is the same ride.
    private struct Beginning: Codable {
        let id: String
        let feed: String
        let stopId: String
        /// The version of the privacy policy that the person accepts with it; 0 if it was accepted
        /// before.
        let policy: UInt32?
        /// How long before the arrival to get ready, in milliseconds; nil or 0 means as the
        /// person's settings say.
        let notice: Int64?
    }

    /// How a ride continues. If it is sent again with the same id, it is done once.
    private struct Onward: Codable {
        let id: String
        /// The stop to continue to; empty without alerts.
        let stopId: String
        let withoutAlerts: Bool
    }

    /// Where the passenger was.
    private struct Positions: Codable {
        struct Position: Codable {
            let time: Int64
            let latitude: Double
            let longitude: Double
            let accuracy: Double?
            let speed: Double?
        }

        let id: String
        let positions: [Position]
    }

    /// A stop that becomes a favourite, or is no longer one.
    private struct Mark: Codable {
        let id: String
        let feed: String
        let stopId: String
        let favourite: Bool
    }

    /// Whether a stop is a favourite now.
    private struct Marked: Encodable {
        let favourite: Bool
        let now: Int64
    }

    private struct End: Codable { let id: String }

    /// The passenger has heard the alert to get ready.
    private struct Heard: Codable {}

    /// Whether there was such an alert.
    private struct Acknowledgement: Encodable {
        let isFound: Bool
        let now: Int64
    }

    /// Whether the alerts of a ride that is over were useful.
    private struct Rating: Codable {
        let id: String
        let useful: Bool
        let comment: String
    }

    /// The maximum numbers of stops that are found, and that are offered before anything is typed.
    private static let mostFound: UInt32 = 8
    private static let mostOffered: UInt32 = 10

    /// Sends the stops whose names begin with what was typed, the person's favourites first; before
    /// anything is, the person's own favourites and last destinations.
    func findStops() {
        let text = (exchange.visit.request.target.query["text"] ?? "").prefix(bytes: 400)
        guard text.contains(where: { !$0.isWhitespace }) else { return offerStops() }
        let query = FindStops(text: text, limit: Self.mostFound)
        exchange.ask(query, for: Stops.self) { found in
            exchange.ask(ListDestinations(), for: Destinations.self) { known in
                func isFavourite(_ stop: Stop) -> Bool {
                    known.destinations.contains {
                        $0.favourite && $0.feed == stop.feed && $0.stopId == stop.id
                    }
                }
                let favourites = found.stops.filter(isFavourite)
                let choices = Choices(
                    stops: favourites + found.stops.filter { !isFavourite($0) },
                    favourites: favourites.count,
                    more: found.stops.count >= Int(Self.mostFound), damaged: found.damaged)
                exchange.send(choices)
            }
        }
    }

    /// Makes a stop a favourite, or no longer.
    func markStop() {
        guard let mark = exchange.body(Mark.self) else { return }
        guard let id = MessageID(mark.id) else {
            let refusal = Refusal.invalid("the id of a favourite is a UUID").because(.idVersion)
            return exchange.fail(.refused(refusal))
        }
        let command = MarkFavourite(
            feed: mark.feed, stopId: mark.stopId, favourite: mark.favourite)
        exchange.ask(command, for: Destinations.self, id: id) { _ in
            exchange.send(Marked(favourite: mark.favourite, now: now))
        }
    }

    private func offerStops() {
        let query = ListDestinations(choices: Self.mostOffered)
        exchange.ask(query, for: Destinations.self) { found in
            let known = found.destinations.filter { $0.stop != nil }
            let choices = Choices(
                stops: known.compactMap(\.stop), favourites: known.count { $0.favourite })
            exchange.send(choices)
        }
    }

    /// Sends the ride that is under way, and whether another one may begin.
    func current() {
        exchange.ask(ListJourneys(activeOnly: true), for: Journeys.self) { journeys in
            // A replayed recording has another clock, and isn't a ride of this device.
            let journey = journeys.journeys.first { $0.clock == nil }
            exchange.ask(ReadTraveller(), for: Traveller.self) { traveller in
                var answer = Answer(
                    journey: journey, now: now, policy: traveller.policy, notice: traveller.notice)
                if traveller.acceptedPolicy != traveller.policy {
                    answer.privacy = Words<ScreenPhrase>(exchange.words.language)
                        .privacyPolicy(version: traveller.policy, date: traveller.policyDate)
                }
                exchange.send(answer)
            }
        }
    }

    /// Begins a ride.
    func begin() {
        guard let beginning = exchange.body(Beginning.self) else { return }
        guard let id = MessageID(beginning.id) else {
            let refusal = Refusal.invalid("the id of a ride is a UUID").because(.idVersion)
            return exchange.fail(.refused(refusal))
        }
        let command = StartJourney(
            feed: beginning.feed, stopId: beginning.stopId, notice: beginning.notice ?? 0,
            policy: beginning.policy ?? 0)
        exchange.ask(command, for: Journey.self, id: id) { answer($0) }
    }

    /// Has positions recorded.
    func record(_ journey: String) {
        guard let sent = exchange.body(Positions.self) else { return }
        let fixes = sent.positions.compactMap(Self.fix)
        guard let id = MessageID(sent.id), fixes.count == sent.positions.count, fixes.count <= 500
        else {
            let refusal = Refusal.invalid(
                "at most 500 positions are sent, each of them on Earth"
            ).because(.positionCount, ["most": "500"])
            return exchange.fail(.refused(refusal))
        }
        guard !fixes.isEmpty else {
            return exchange.ask(ReadJourney(journeyId: journey), for: Journey.self) { answer($0) }
        }
        let command = RecordPositions(journeyId: journey, fixes: fixes, source: "browser")
        exchange.ask(command, for: Journey.self, id: id) { answer($0) }
    }

    /// Acknowledges the alert to get ready: whoever has heard the page need not be told by other
    /// channels, again and again. This exchange is one with the notifier.
    func acknowledge(_ journey: String) {
        guard exchange.body(Heard.self) != nil else { return }
        exchange.ask(OpenFeed(), for: AlertFeed.self) { feed in
            let ready = feed.open.first {
                $0.raised?.subject == journey && $0.raised?.kind == "transit.getReady"
            }
            guard let ready else {
                return exchange.send(Acknowledgement(isFound: false, now: now))
            }
            exchange.ask(AcknowledgeAlert(id: ready.id), for: AlertAcknowledged.self) { _ in
                exchange.send(Acknowledgement(isFound: true, now: now))
            }
        }
    }

    /// Continues a ride to another stop, or without further alerts.
    func goOn(_ journey: String) {
        guard let onward = exchange.body(Onward.self) else { return }
        guard let id = MessageID(onward.id) else {
            let refusal = Refusal.invalid("the id of a continuation is a UUID").because(.idVersion)
            return exchange.fail(.refused(refusal))
        }
        let command = ContinueJourney(
            journeyId: journey, stopId: onward.stopId, withoutAlerts: onward.withoutAlerts)
        exchange.ask(command, for: Journey.self, id: id) { answer($0) }
    }

    /// Ends a ride; its positions are deleted.
    func finish(_ journey: String) {
        guard let end = exchange.body(End.self) else { return }
        guard let id = MessageID(end.id) else {
            let refusal = Refusal.invalid("the id of an end is a UUID").because(.idVersion)
            return exchange.fail(.refused(refusal))
        }
        exchange.ask(FinishJourney(journeyId: journey), for: Journey.self, id: id) { answer($0) }
    }

    /// Sends on what a person thinks of a ride.
    func rate(_ journey: String) {
        guard let rating = exchange.body(Rating.self) else { return }
        guard let id = MessageID(rating.id) else {
            let refusal = Refusal.invalid("the id of feedback is a UUID").because(.idVersion)
            return exchange.fail(.refused(refusal))
        }
        let command = GiveFeedback(
            journeyId: journey, useful: rating.useful, comment: rating.comment)
        exchange.ask(command, for: Journey.self, id: id) { answer($0) }
    }

    private func answer(_ journey: Journey?) {
        exchange.send(Answer(journey: journey, now: now))
    }

    /// A position as browsers report it (W3C Geolocation); nil if it isn't one.
    private static func fix(_ position: Positions.Position) -> Fix? {
        guard (-90.0...90).contains(position.latitude),
            (-180.0...180).contains(position.longitude)
        else { return nil }
        return Fix(
            RideFix(
                time: position.time, latitude: position.latitude, longitude: position.longitude,
                accuracy: position.accuracy, speed: position.speed))
    }
}
