import Bus
import HTTPExchange
import Messages
import Phrases

/// The stops that a person rides to often. Their page works without JavaScript.
extension Attendant {
    /// The maximum number of bytes of a search.
    private static let longestSearch = 400

    func favourites() { favourites(searching: visit.request.target.query["text"] ?? "") }

    /// Makes a stop a favourite, or no longer, as a form of the page says.
    func markFavourite() {
        guard let form = visit.request.form, let feed = form["feed"], let stop = form["stop"],
            let change = form["change"], ["add", "remove"].contains(change)
        else { return visit.send(.plain(.badRequest)) }
        let text = (form["text"] ?? "").prefix(bytes: Self.longestSearch)
        let wish = MarkFavourite(feed: feed, stopId: stop, favourite: change == "add")
        ask(.transitAlert, wish, for: Destinations.self, id: command) { _, _ in
            let search = text.isEmpty ? "" : "&text=" + Target.encoded(text)
            visit.send(.lead(to: "/ride/favourites?saved=1" + search))
        } otherwise: { error, person in
            guard case .refused = error else { return fail(error, person) }
            favourites(
                searching: text, fault: FaultPage(error, visit, in: person.language))
        }
    }

    /// Shows the favourites, the last destinations, and the stops that a search finds.
    ///
    /// - Parameters:
    ///   - text: the text searched for; empty for none.
    ///   - fault: why a stop wasn't made a favourite, or is still one; nil if nothing went wrong.
    private func favourites(searching text: String, fault: FaultPage? = nil) {
        let text = text.prefix(bytes: Self.longestSearch)
        ask(.transitAlert, ListDestinations(), for: Destinations.self) { person, all in
            let signs = ListDestinations(choices: FavouritesPage.mostSigns)
            ask(.transitAlert, signs, for: Destinations.self) { _, known in
                var page = FavouritesPage(
                    visit: visit, person: person, destinations: all.destinations,
                    signs: known.destinations.compactMap(\.stop), text: text, fault: fault)
                guard text.contains(where: { !$0.isWhitespace }) else {
                    return visit.send(page.response)
                }
                let query = FindStops(text: text, limit: FavouritesPage.mostFound)
                ask(.transitAlert, query, for: Stops.self) { _, found in
                    page.found = found
                    visit.send(page.response)
                } otherwise: { error, person in
                    fail(error, person) { page.failed(because: $0).response }
                }
            }
        }
    }
}
