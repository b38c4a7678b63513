import FloorPlan
import Messages

/// What was done in a step, in words for its history.
enum StepWords {
    /// How many actions of a step are described.
    static let most = 3
    /// How many things of an action are named.
    static let mostNames = 3

    /// The words of the first actions as one.
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

extension PlanEdit {
    /// What it does, said of the plan before it.
    func words(in plan: FloorPlan) -> String {
        func name(_ id: String) -> String { plan.item(id)?.words ?? id }
        func names(_ ids: [String]) -> String { StepWords.names(ids.map(name)) }
        switch self {
        case .add(let items): return "added " + StepWords.names(items.map(\.words))
        case .addRoom(let sketch):
            return "drew " + PlanItem(item: .room(sketch.room)).words
        case .move(let ids, let offset): return "moved \(names(ids)) by \(offset.words) mm"
        case .dock(let id, let wall, let offset):
            return "put \(name(id)) into \(name(wall)) at \(offset) mm"
        case .resize(let id, let width, let depth, let height):
            let sizes = [("width", width), ("depth", depth), ("height", height)]
                .compactMap { what, size in size.map { "\(what) \($0) mm" } }
            return "resized \(name(id)) to \(sizes.joined(separator: ", "))"
        case .setLength(let id, let length, _): return "made \(name(id)) \(length) mm long"
        case .rotate(let id, let angle):
            return "turned \(name(id)) to \(StepWords.degrees(Int(angle % 360_000)))"
        case .turnWall(let id, _, let angle):
            return "turned \(name(id)) by \(StepWords.degrees(Int(angle)))"
        case .setAngle(let id, let other, let angle, _):
            return "set the angle of \(name(id)) with \(name(other)) to "
                + StepWords.degrees(Int(angle))
        case .moveCorner(let from, let to):
            return "moved the corner \(from.words) to \(to.words) mm"
        case .copy(let id, let copy, _): return "copied \(name(id)) as \(copy)"
        case .replace(let item): return "changed \(name(item.id))"
        case .remove(let ids): return "removed \(names(ids))"
        }
    }
}

extension PlanPoint {
    /// The place, as people write it.
    fileprivate var words: String { "(\(x), \(y))" }
}
