import Bus
import Foundation
import Messages
import Speech
import Terminal

/// Chooses a stop at a terminal: the last destinations first, then what matches as it is typed.
struct StopChooser {
    /// A stop to choose.
    private struct Choice {
        let feed: String
        let id: String
        let name: String
        let facts: String
    }

    /// The most that are shown.
    private static let most = 15

    private let session: Session
    private let feed: FeedName?
    private let known: [Choice]

    /// Reads the last destinations.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - feed: only stops of this timetable.
    /// - Throws: ``Failure`` if there is no terminal.
    init(_ session: Session, feed: FeedName?) throws {
        guard isatty(STDIN_FILENO) == 1, session.printer.out.isTerminal else {
            throw Failure(
                .usage, "say where to get off with --to",
                advice: "find the stop with steward transit stops")
        }
        (self.session, self.feed) = (session, feed)
        let kept = try session.ask(
            .transitAlert, ListDestinations(), for: Destinations.self
        ).destinations.filter { feed == nil || $0.feed == feed?.text }
        known = (kept.filter(\.favourite) + kept.filter { !$0.favourite }).map {
            Choice(
                feed: $0.feed, id: $0.stopId, name: $0.name,
                facts: $0.favourite ? "favourite" : Wording.count($0.journeys, "ride"))
        }
    }

    /// Asks until a stop is chosen.
    ///
    /// - Throws: ``Failure`` if the person gives up.
    func choose() throws -> Stop {
        let screen = try Screen()
        defer { screen.leave() }
        let client = try session.client(.transitAlert)
        var typed = ""
        var choices = known
        var gap: String?
        var marked = 0
        while !screen.isLost, !Interruption.isWanted {
            screen.show(lines(typed, choices, marked, gap))
            var isTyped = false
            for key in screen.readKeys(within: 200) {
                switch key {
                case .character(let letter) where typed.count < 100:
                    typed.append(letter)
                    isTyped = true
                case .backspace:
                    typed = String(typed.dropLast())
                    isTyped = true
                case .up: marked = max(0, marked - 1)
                case .down, .tab: marked = min(max(0, choices.count - 1), marked + 1)
                case .enter where !isTyped && choices.indices.contains(marked):
                    screen.leave()
                    return try stop(choices[marked])
                case .escape: throw Self.givenUp
                default: break
                }
            }
            guard isTyped else { continue }
            (choices, gap) = try find(typed, client)
            marked = 0
        }
        throw Self.givenUp
    }

    private static var givenUp: Failure { Failure(.interrupted, "no stop was chosen") }

    /// The stops that match, and the timetables that were not searched.
    private func find(
        _ typed: String, _ client: Client
    ) throws -> (choices: [Choice], gap: String?) {
        let text = typed.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { return (known, nil) }
        let query = FindStops(text: text, feed: feed?.text ?? "", limit: UInt32(Self.most))
        let reply = try client.ask(query, for: Stops.self)
        let choices = reply.stops.map {
            Choice(
                feed: $0.feed, id: $0.id, name: $0.name,
                facts: ($0.routes.prefix(5) + $0.headsigns.prefix(2).map { "→ \($0)" })
                    .joined(separator: " "))
        }
        return (choices, reply.gap)
    }

    private func lines(
        _ typed: String, _ choices: [Choice], _ marked: Int, _ gap: String?
    ) -> [StyledLine] {
        var lines: [StyledLine] = [
            StyledLine("Where do you get off? \(typed.printable)_", .bold), StyledLine(""),
        ]
        for (index, choice) in choices.prefix(Self.most).enumerated() {
            let text =
                "\(choice.name.printable)  \(choice.id.printable)  "
                + choice.facts.printable
            lines.append(
                StyledLine((index == marked ? "> " : "  ") + text, index == marked ? .bold : nil))
        }
        if choices.isEmpty {
            lines.append(StyledLine(typed.isEmpty ? "type its name" : "no stop has that name"))
        }
        if let gap { lines.append(StyledLine(gap)) }
        lines += [
            StyledLine(""), StyledLine("type to search  up, down  enter ride there  esc end"),
        ]
        return lines
    }

    private func stop(_ choice: Choice) throws -> Stop {
        let query = FindStops(text: choice.id, feed: choice.feed, limit: 20)
        let found = try session.ask(.transitAlert, query, for: Stops.self).stops
        guard let stop = found.first(where: { $0.id == choice.id && $0.feed == choice.feed }) else {
            throw Failure(
                .refused,
                "\(choice.name.printable) is no longer in timetable "
                    + choice.feed.printable,
                advice: "choose another stop")
        }
        return stop
    }
}
