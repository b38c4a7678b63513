import FloorPlan
import Messages

/// What was done in a step, in words for its history.
enum StepWords {
    /// How many actions of a step are described.
    static let most = 3
    /// How many things of an action are named.
    static let mostNames = 3

    /// The words of the first actions as one sentence.
    ///
    /// - Parameters:
    ///   - words: those of each of the first actions.
    ///   - count: how many actions there were.
    static func sentence(_ words: [String], of count: Int) -> String {
        let shown = words.joined(separator: ", ")
        return count > words.count ? "\(shown), and \(count - words.count) more" : shown
    }

    /// The names of some things.
    static func names(_ names: [String]) -> String {
        guard names.count > mostNames else { return names.joined(separator: ", ") }
        return names.prefix(mostNames).joined(separator: ", ")
            + " and \(names.count - mostNames) more"
    }

    /// Thousandths of a degree as degrees.
    static func degrees(_ angle: Int) -> String {
        let (whole, rest) = abs(angle).quotientAndRemainder(dividingBy: 1_000)
        var text = "\(angle < 0 ? "-" : "")\(whole)"
        if rest > 0 {
            var digits = String(String(rest + 1_000).dropFirst())
            while digits.hasSuffix("0") { digits.removeLast() }
            text += ".\(digits)"
        }
        return text + "°"
    }
}

extension PlanAction {
    /// What it does, in words for the plan before it.
    func words(in plan: FloorPlan) -> String {
        func name(_ id: String) -> String { plan.item(id)?.words ?? id }
        func names(_ ids: [String]) -> String { StepWords.names(ids.map(name)) }
        switch action {
        case .add(let add): return "added " + StepWords.names(add.items.map(\.words))
        case .drawRoom(let drawing): return "drew " + PlanItem(item: .room(drawing.room)).words
        case .move(let move): return "moved \(names(move.ids)) by \(move.by.words) mm"
        case .dock(let dock):
            return "put \(name(dock.opening)) into \(name(dock.wall)) at \(dock.offset) mm"
        case .resize(let size):
            let sizes = [("width", size.width), ("depth", size.depth), ("height", size.height)]
                .compactMap { what, size in size.map { "\(what) \($0) mm" } }
            return "resized \(name(size.id)) to \(sizes.joined(separator: ", "))"
        case .setLength(let set): return "made \(name(set.wall)) \(set.length) mm long"
        case .rotate(let turn):
            let angle = StepWords.degrees(Int(turn.angle % 360_000))
            return "turned \(name(turn.element)) to \(angle)"
        case .turnWall(let turn):
            return "turned \(name(turn.wall)) by \(StepWords.degrees(Int(turn.by)))"
        case .setAngle(let set):
            return "set the angle of \(name(set.wall)) with \(name(set.with)) to "
                + StepWords.degrees(Int(set.angle))
        case .moveCorner(let move):
            return "moved the corner \(move.from.words) to \(move.to.words) mm"
        case .copy(let copy): return "copied \(name(copy.id)) as \(copy.newId)"
        case .replace(let item): return "changed \(name(item.id))"
        case .remove(let remove): return "removed \(names(remove.ids))"
        case .place(let place): return "placed \(place.name)"
        case nil: return ""
        }
    }
}

extension PlanPoint {
    /// The place, as people write it.
    fileprivate var words: String { "(\(x), \(y))" }
}
