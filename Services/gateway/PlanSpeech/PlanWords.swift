import FloorPlan
import Foundation
import Messages
import Speech

/// The items of a plan in words. Measures are in millimetres.
extension PlanItem {
    /// The kind of item: `wall`, `sliding door`, `bathroom`, `kitchen bench`.
    package var kindName: String {
        switch item {
        case .wall: "wall"
        case .opening(let opening): opening.kind.word
        case .room(let room): room.use.roomWord
        case .element(let element): element.kind.word
        case nil: "nothing"
        }
    }

    /// The kind with its article: `a bed`, `an aid`.
    package var aKind: String {
        switch kindName {
        case "nothing": "nothing"
        case "other": "a thing"
        case let name: ("aeiou".contains(name.prefix(1)) ? "an " : "a ") + name
        }
    }

    /// How large it is: `900 x 2000 mm`.
    package var measures: String {
        switch item {
        case .wall(let wall):
            Self.joined([
                "\(Int(wall.length.rounded())) mm long",
                wall.thickness > 0 ? "\(wall.thickness) thick" : "only a line",
                wall.height > 0 ? "\(wall.height) high" : "",
            ])
        case .opening(let opening): opening.measures
        case .room(let room):
            Self.joined([
                room.sides.map { "\($0.width) x \($0.depth) mm" } ?? "", room.area,
                room.height > 0 ? "\(room.height) high" : "",
            ])
        case .element(let element): element.measures
        case nil: ""
        }
    }

    /// Where it is: `(1000, 1200), turned 90°`.
    package var position: String {
        switch item {
        case .wall(let wall): "\(wall.from.words) to \(wall.to.words)"
        case .opening(let opening): "in \(opening.wall.printable), \(opening.offset) along it"
        case .room(let room): room.position
        case .element(let element):
            Self.joined([
                (element.centre ?? PlanPoint()).words,
                element.angle > 0 ? "turned \(PlanWords.degrees(element.angle))" : "",
                element.elevation > 0 ? "\(element.elevation) above the floor" : "",
            ])
        case nil: ""
        }
    }

    /// The whole item on one line: `bed-2 “Bed”: 900 x 2000 mm at (1000, 1200)`.
    package var line: String {
        let name = id.printable + (label.isEmpty ? "" : " “\(label.printable)”")
        switch item {
        case .room: return "\(name): \(kindName), \(measures)"
        case .element(let element):
            return Self.joined(["\(name): \(element.size) at \(position)", element.remarks])
        default: return "\(name): \(measures), \(position)"
        }
    }

    /// Joins the parts that are not empty.
    package static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension Opening {
    /// Its width, and its clear width.
    fileprivate var measures: String {
        let isDoor = kind == .door || kind == .slidingDoor
        let free = passage
        return PlanItem.joined([
            "\(width) mm wide", height > 0 ? "\(height) high" : "",
            sill > 0 ? "\(sill) above the floor" : "",
            isDoor ? "\(free.isMeasured ? "" : "about ")\(free.width) free" : "",
            threshold > 0 ? "threshold \(threshold)" : "",
            isRiseUnknown ? "threshold not measured" : "",
            kind == .door ? "hinges at its \(hingesAtEnd ? "end" : "start")" : "",
            kind == .door ? "swings \(swingsRight ? "right" : "left")" : "",
            isUnhung ? "\(guessed) guessed" : "",
            entrance ? "entrance" : "",
        ])
    }

    /// What of its hanging is a guess.
    private var guessed: String {
        hingesKnown ? "swing" : swingKnown ? "hinges" : "hinges and swing"
    }
}

extension Element {
    /// Its size, and for a wheelchair the space to turn.
    fileprivate var measures: String { PlanItem.joined([size, remarks]) }

    fileprivate var size: String {
        "\(width) x \(depth)" + (height > 0 ? " x \(height)" : "") + " mm"
    }

    /// The space that a wheelchair needs to turn, and whether the size is a guess.
    fileprivate var remarks: String {
        PlanItem.joined([
            wheelchair.map(turning) ?? "",
            product?.sizeEstimated == true ? "size estimated" : "",
        ])
    }

    /// The stated circle in which it turns, and whether it counts; empty if none is stated.
    private func turning(_ build: Wheelchair) -> String {
        guard build.turningDiameter > 0 else { return "" }
        guard build.statesCircle(width: width, length: depth) else {
            return "turning circle \(build.turningDiameter) too short to count"
        }
        return "turns in \(build.turningDiameter)"
    }
}

extension RoomUse {
    /// The name of a room with this use.
    fileprivate var roomWord: String {
        switch self {
        case .unspecified, .other: "room"
        case .living: "living room"
        default: word
        }
    }
}

extension Room {
    /// The maximum number of corners listed one by one.
    private static let mostCorners = 8

    /// Its area, `12.50 m²`.
    package var area: String { String(format: "%.2f m²", squareMetres) }

    /// Its size along x and y if it is a rectangle parallel to the axes.
    fileprivate var sides: (width: Int, depth: Int)? {
        let (x, y) = (corners.map { Int($0.x) }, corners.map { Int($0.y) })
        guard corners.count == 4, Set(x).count == 2, Set(y).count == 2,
            let left = x.min(), let right = x.max(), let bottom = y.min(), let top = y.max()
        else { return nil }
        return (right - left, top - bottom)
    }

    /// Its first corner if it is a rectangle, else all corners.
    fileprivate var position: String {
        let shown = corners.prefix(sides == nil ? Self.mostCorners : 1).map(\.words)
        let rest = sides == nil && corners.count > shown.count ? " …" : ""
        return shown.joined(separator: " ") + rest
    }
}

extension PlanPoint {
    /// `(1000, -200)`.
    package var words: String { "(\(x), \(y))" }
}

extension ProtobufEnum {
    /// The name of the case as words: `kitchen bench`.
    package var word: String {
        var text = ""
        for letter in description {
            text += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
        }
        return text == "unspecified" ? "other" : text
    }
}

extension Messages.Plan {
    /// Its name.
    package var name: String { (details?.name ?? "").printable }

    /// Its name as one word of a command line.
    package var typed: String { name.asWord }

    /// Its name in quotes, for sentences.
    package var words: String { "“\(name)”" }
}

/// Numbers and changes of plans in words.
package enum PlanWords {
    /// The maximum number of changes listed one by one.
    package static let most = 12

    /// Thousandths of a degree: `22.5°`.
    package static func degrees(_ angle: UInt32) -> String {
        var text = String(format: "%.3f", Double(angle) / 1000)
        while text.hasSuffix("0") { text.removeLast() }
        return (text.hasSuffix(".") ? String(text.dropLast()) : text) + "°"
    }

    /// The changes of an edit, one line for each item.
    package static func lines(_ edited: PlanEdited) -> [String] {
        guard edited.changed > 0 else { return ["nothing changed"] }
        var lines = edited.changes.prefix(most).map(line)
        let rest = Int(edited.changed) - lines.count
        if rest > 0 { lines.append("and \(Wording.count(rest, "other thing"))") }
        return lines
    }

    private static func line(_ change: ItemChange) -> String {
        guard let after = change.after else {
            return "\(change.before?.id.printable ?? ""): removed"
        }
        return after.line
    }
}
