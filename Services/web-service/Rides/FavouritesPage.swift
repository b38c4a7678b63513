import HTTPExchange
import Markup
import Messages
import Phrases

/// The stops that a person rides to often, and those that a search finds.
struct FavouritesPage {
    /// The maximum number of destinations whose lines and directions are shown.
    static let mostSigns: UInt32 = 20
    /// The maximum number of stops that a search finds.
    static let mostFound: UInt32 = 8

    let visit: Visit
    let person: Person
    /// The person's destinations, the most recent first.
    let destinations: [Destination]
    /// The stops of some of them, as the timetables have them now.
    let signs: [Stop]
    /// The text searched for; empty for none.
    let text: String
    /// Why something wasn't done; nil if nothing went wrong.
    private(set) var fault: FaultPage?
    /// The stops that were found; nil without a search.
    var found: Stops?

    private let key = FormKey()

    private struct Row {
        let feed: String
        let stop: String
        let name: String
        /// The lines of the stop and where they go, which may be all that tells it from the one
        /// opposite.
        let facts: [String]
    }

    init(
        visit: Visit, person: Person, destinations: [Destination], signs: [Stop], text: String,
        fault: FaultPage?
    ) {
        (self.visit, self.person, self.destinations) = (visit, person, destinations)
        (self.signs, self.text, self.fault) = (signs, text, fault)
    }

    /// The same page with why something wasn't done, unless it says that already.
    func failed(because fault: FaultPage) -> FavouritesPage {
        var page = self
        page.fault = self.fault ?? fault
        return page
    }

    private var words: Words<WebPhrase> { Words(person.language ?? visit.language) }

    var response: Response {
        let title = words.say(.scriptFavourites)
        let frame = Frame(visit, words.language, title: title, person: person)
        var content = [
            tag("h1", [:], .text(title)),
            tag("p", ["class": "lead"], .text(words.say(.favouritesLead))),
        ]
        if visit.request.target.query["saved"] != nil {
            content.append(
                tag("p", ["class": "note", "role": "status"], .text(words.say(.saved))))
        }
        if let fault { content.append(fault.banner) }
        content.append(search)
        if let found { content.append(results(found)) }
        let favourites = destinations.filter(\.favourite).map { row($0) }
        content.append(
            tag(
                "section", [:], tag("h2", [:], .text(words.say(.yourFavourites))),
                list(favourites, none: .noFavourite)))
        let others = destinations.filter { !$0.favourite }.map { row($0) }
        if !others.isEmpty {
            content.append(
                tag(
                    "section", [:], tag("h2", [:], .text(words.say(.otherDestinations))),
                    list(others, none: .noFavourite)))
        }
        content.append(
            tag(
                "p", [:], tag("a", ["class": "button", "href": "/ride"], .text(words.say(.ride)))))
        return frame.page(content, status: fault?.status ?? .ok)
    }

    private var search: Node {
        tag(
            "form",
            [
                "method": "get", "action": "/ride/favourites", "class": "search",
                "role": "search",
            ],
            tag("label", ["for": "text"], .text(words.say(.stopName))),
            tag("input", ["id": "text", "name": "text", "type": "search", "value": text]),
            tag("button", [:], .text(words.say(.search))))
    }

    private func results(_ found: Stops) -> Node {
        var content = [
            tag("h2", [:], .text(words.say(.stopsFound))),
            list(found.stops.map { row(of: $0) }, none: .scriptNoStop),
        ]
        if found.stops.count >= Int(Self.mostFound) {
            content.append(tag("p", ["class": "empty"], .text(words.say(.scriptMoreStops))))
        }
        if !found.damaged.isEmpty {
            let names = found.damaged.joined(separator: ", ")
            content.append(
                tag(
                    "p", ["class": "empty"],
                    .text(words.say(.scriptDamagedTimetables, ["names": names]))))
        }
        return tag("section", [:], content)
    }

    private func row(_ destination: Destination) -> Row {
        let sign = signs.first { $0.feed == destination.feed && $0.id == destination.stopId }
        if let sign { return row(of: sign) }
        return Row(
            feed: destination.feed, stop: destination.stopId, name: destination.name,
            facts: [destination.stopId])
    }

    private func row(of stop: Stop) -> Row {
        let lines = stop.routes.prefix(6).joined(separator: ", ")
        let toward = stop.headsigns.prefix(2).joined(separator: ", ")
        var facts: [String] = []
        if !lines.isEmpty { facts.append(words.say(.scriptLine, ["name": lines])) }
        if !toward.isEmpty { facts.append(words.say(.scriptToward, ["name": toward])) }
        return Row(
            feed: stop.feed, stop: stop.id,
            name: stop.name + (stop.code.isEmpty ? "" : " (\(stop.code))"), facts: facts)
    }

    private func list(_ rows: [Row], none: WebPhrase) -> Node {
        guard !rows.isEmpty else { return tag("p", ["class": "empty"], .text(words.say(none))) }
        // Timetables of two cities may have stops of the same name.
        let isAmbiguous = Set(rows.map(\.feed)).count > 1
        return tag(
            "ul", ["class": "rows"],
            rows.map { item($0, facts: $0.facts + (isAmbiguous ? [$0.feed] : [])) })
    }

    private func item(_ row: Row, facts: [String]) -> Node {
        let isFavourite = destinations.contains {
            $0.favourite && $0.feed == row.feed && $0.stopId == row.stop
        }
        let facts = facts.joined(separator: " · ")
        let fields = [
            ("feed", row.feed), ("stop", row.stop), ("change", isFavourite ? "remove" : "add"),
            ("text", text),
        ].map { tag("input", ["type": "hidden", "name": $0.0, "value": $0.1]) }
        let button = tag(
            "button", [:], .text(words.say(isFavourite ? .favouriteRemove : .favouriteAdd)),
            tag("span", ["class": "away"], .text([row.name, facts].joined(separator: " "))))
        let about = facts.isEmpty ? [] : [tag("p", ["class": "hint"], .text(facts))]
        return tag(
            "li", ["class": "card"],
            tag("div", [:], [tag("p", [:], tag("b", [:], .text(row.name)))] + about),
            tag(
                "form", ["method": "post", "action": "/ride/favourites"],
                [key.field(for: person.account.id)] + fields + [button]))
    }
}
