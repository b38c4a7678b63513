import HTTPExchange
import Markup
import Messages
import Phrases
import ShiftClient
import ShiftLog
import Speech

/// The board of a site: what matters now, readable from five metres away. It is pure: the same
/// shift at the same time gives the same page.
struct BoardPage {
    let site: Site
    let state: BoardState
    /// Milliseconds since 1970.
    let now: Int64
    /// True for a page that counts down on its own. What would change each second is then left out.
    let isLive: Bool
    /// The language until the language of the shift is known.
    let fallback: Language

    /// The most rows of a column on a wall; what doesn't fit is counted.
    static let rows = 5
    /// The most items of a column on a phone, where the board scrolls; the others are counted.
    static let mostOnPhone = 100

    private var language: Language { state.shift.map { Language.of($0.language) } ?? fallback }
    private var screen: Words<ScreenPhrase> { Words(language) }
    private var words: Words<WebPhrase> { Words(language) }

    /// The page.
    func response(_ visit: Visit) -> Response {
        var frame = Frame(visit, language, title: site.name)
        (frame.kind, frame.style, frame.reloads) = ("board", "board.css", true)
        frame.script = "board.js"
        frame.imports = ["alarm.js", "live.js"]
        return frame.page(
            [tag("div", ["class": "wall", "id": "wall"], parts.map(\.node))])
    }

    /// The parts that change, by the ids of their elements, in the order of the page.
    var parts: [(name: String, node: Node)] {
        let all = state.shift?.todos ?? []
        return [
            ("head", head), ("path", path), ("overdue", overdue), ("todos", todos(all)),
            ("state", foot(all)),
        ]
    }

    private func clock(_ time: Int64) -> String { Wording.time(time, in: site.timeZone) }

    private var head: Node {
        var nodes = [tag("h1", [:], .text(site.name))]
        if let shift = state.shift {
            let part = screen.say(shift.shift.dayPart == 2 ? .eveningShift : .dayShift)
            nodes.append(
                tag("p", ["class": "shift"], .text(part + " · " + shift.shift.managerName)))
        }
        nodes.append(
            tag(
                "p", ["class": "clock"], tag("span", ["class": "away"], .text(words.say(.clock))),
                tag(
                    "time", ["data-zone": site.timeZone], .text(isLive ? "" : clock(now)))))
        // A page in another language loads itself again.
        return tag("header", ["id": "head", "data-language": language.rawValue], nodes)
    }

    private var path: Node {
        guard let shift = state.shift else {
            let text = state.heard == 0 ? "" : screen.say(.noShift)
            return tag("section", ["id": "path", "class": "path idle"], tag("p", [:], .text(text)))
        }
        let sign = TravelPathSign(shift, at: now, language)
        let due = shift.travelPathDue(at: now)?.due
        let next = due ?? shift.nextTravelPath(after: now)
        let kind = sign.isLate ? "late" : due != nil ? "soon" : next == nil ? "none" : "time"
        let icon = kind == "time" || kind == "none" ? Icon.done : Icon.late
        let word: WebPhrase = sign.isLate ? .late : due != nil ? .dueNow : .onTime
        return tag(
            "section", ["id": "path", "class": "path " + kind],
            tag("p", ["class": "sign"], icon, tag("span", [:], .text(words.say(word)))),
            tag(
                "p", ["class": "count"],
                tag(
                    "time", ["data-target": next.map { "\($0)" }],
                    .text(isLive && next != nil ? "" : sign.big))),
            tag("p", ["class": "words"], .text(sign.words)))
    }

    private var overdue: Node {
        let items = BoardItem.attention(state, at: now, zone: site.timeZone, language)
        guard state.shift != nil || !items.isEmpty else {
            return tag("section", ["id": "overdue", "hidden": ""])
        }
        return column(
            "overdue", BoardItem.heading(of: items, hasShift: state.shift != nil),
            items, empty: words.say(.nothingDue))
    }

    private func todos(_ all: [Todo]) -> Node {
        guard let shift = state.shift else { return tag("section", ["id": "todos", "hidden": ""]) }
        let items = BoardItem.open(all, of: shift, language)
        return column("todos", .todos, items, empty: screen.say(.noTodo))
    }

    /// An item of a column.
    ///
    /// - Parameter isRest: true if only a phone has room for it.
    private func line(_ item: BoardItem, isRest: Bool) -> Node {
        let (kind, icon): (String?, Node?) =
            switch item.kind {
            case .late: ("late", Icon.late)
            case .review: ("review", Icon.warning)
            case .urgent: ("late", Icon.urgent)
            case .plain: (nil, nil)
            }
        var text = [Node.text(item.text)]
        if !item.before.isEmpty {
            // In one text with the item, whose second line then has the whole width.
            text = [tag("span", ["class": "before"], .text(item.before)), .text(" ")] + text
        }
        let parts = (icon.map { [$0] } ?? []) + [tag("span", ["class": "what"], text)]
        let classes = (kind.map { [$0] } ?? []) + (isRest ? ["rest"] : [])
        return tag(
            "li", ["class": classes.isEmpty ? nil : classes.joined(separator: " ")], parts)
    }

    /// How many items fit into the rows of a column, if the note about the rest takes a row too. An
    /// item takes one row or two.
    ///
    /// - Parameters:
    ///   - lengths: the characters of each item.
    ///   - width: the characters in a row.
    static func fitting(_ lengths: [Int], width: Int) -> Int {
        var left = rows
        for (index, length) in lengths.enumerated() {
            left -= length > width ? 2 : 1
            let isLast = index == lengths.count - 1
            guard left >= (isLast ? 0 : 1) else { return index }
        }
        return lengths.count
    }

    private func column(
        _ id: String, _ title: WebPhrase, _ items: [BoardItem], empty: String
    ) -> Node {
        let heading = tag(
            "h2", [:], .text(words.say(title)),
            tag("span", ["class": "number"], .text(items.isEmpty ? "" : " \(items.count)")))
        guard !items.isEmpty else {
            return tag(
                "section", ["id": id, "class": "column"], heading,
                tag("p", ["class": "fine"], Icon.done, tag("span", [:], .text(empty))))
        }
        // Half of a wide screen has room for about 18 characters that are readable from 5 m.
        let count = Self.fitting(items.map(\.length), width: 18)
        let onPhone = max(count, min(items.count, Self.mostOnPhone))
        var lines = items.prefix(onPhone).enumerated().map { index, item in
            line(item, isRest: index >= count)
        }
        if items.count > count { lines.append(more(items.count - count, "more")) }
        if items.count > onPhone { lines.append(more(items.count - onPhone, "more rest")) }
        return tag("section", ["id": id, "class": "column"], heading, tag("ul", [:], lines))
    }

    /// The note that there are more items.
    private func more(_ count: Int, _ kind: String) -> Node {
        tag("li", ["class": kind], .text(screen.say(.andMore, ["count": "\(count)"])))
    }

    private func foot(_ todos: [Todo]) -> Node {
        if let text = state.obstacleLine(language, zone: site.timeZone) {
            return tag(
                "div", ["id": "state", "class": "stale", "role": "status"], Icon.warning,
                tag("span", [:], .text(text)))
        }
        guard let progress = state.shift?.progress else {
            return tag("div", ["id": "state", "role": "status"])
        }
        let (done, count) = ("\(progress.lookedAt)", "\(progress.tasks)")
        let text =
            todos.isEmpty
            ? screen.say(.tasksDone, ["done": done, "count": count])
            : screen.say(
                .allDone,
                [
                    "done": done, "count": count,
                    "todosDone": "\(todos.count { $0.mark == .done })",
                    "todos": "\(todos.count)",
                ])
        return tag("div", ["id": "state", "role": "status"], .text(text))
    }
}

extension BoardState {
    /// The line that says that a service can't be reached, and how old the board is; nil otherwise.
    func obstacleLine(_ language: Language, zone: String) -> String? {
        guard let service = obstacle?.rawValue else { return nil }
        let words = Words<WebPhrase>(language)
        guard heard > 0 else { return words.say(.notRunning, ["service": service]) }
        return Words<ScreenPhrase>(language).say(
            .asOf,
            [
                "clock": Wording.time(heard, in: zone),
                "obstacle": words.say(.noContact, ["service": service]),
            ])
    }
}
