import Foundation
import Messages

/// Lengths, places, sizes and angles of a plan as they are typed. Each function returns the value
/// or throws an error that says how to type it; the argument parser adds the option's name.
package enum PlanMeasure {
    /// The maximum of any value, millimetres, so that sums can't overflow: the greatest width of a
    /// plan.
    private static let limit = 2_000_000

    /// Millimetres: `900`, `90cm`, `2.4m`.
    package static func length(_ text: String) throws -> UInt32 {
        let value = try signed(text)
        guard let length = UInt32(exactly: value) else {
            throw MeasureError("a length isn't negative, and this is \(value) mm")
        }
        return length
    }

    /// The same with a sign: `-900`.
    package static func signed(_ text: String) throws -> Int32 {
        let (number, unit) = split(text)
        return try millimetres(number, unit ?? 1, text)
    }

    /// An offset: two lengths with their signs, east and north: `1000,-200`.
    package static func offset(_ text: String) throws -> PlanPoint {
        let parts = try lengths(text, separators: [","], count: 2, form: "1000,-200")
        return PlanPoint(x: parts[0], y: parts[1])
    }

    /// A place: east and north of the origin, or an end of a wall: `1000,1200`, `wall-2:end`.
    package static func place(_ text: String) throws -> PlaceInPlan {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2, !parts[0].isEmpty {
            switch parts[1] {
            case "start": return .corner(wall: String(parts[0]), isEnd: false)
            case "end": return .corner(wall: String(parts[0]), isEnd: true)
            default:
                throw MeasureError(
                    "a wall has a start and an end: \(parts[0]):start or \(parts[0]):end")
            }
        }
        return .point(try offset(text))
    }

    /// Width and depth: `900x2000`, `90x200cm`.
    package static func size(_ text: String) throws -> PlanSize {
        let parts = try lengths(text, separators: ["x", "X", "×", "*"], count: 2, form: "900x2000")
        guard let width = UInt32(exactly: parts[0]), let depth = UInt32(exactly: parts[1]) else {
            throw MeasureError("a size isn't negative")
        }
        return PlanSize(width: width, depth: depth)
    }

    /// The sides of a room one after another: `4000,2000,2000,out:1000,2000`. The last one, which
    /// leads back, is left out. `out:` turns outward before the side.
    package static func sides(_ text: String) throws -> PlanSides {
        var sides: [RoomSide] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = word.trimmed
            let turnsOut = word.hasPrefix("out:")
            let length = try length(turnsOut ? String(word.dropFirst(4)) : word)
            guard length > 0 else { throw MeasureError("a side needs a length") }
            if turnsOut {
                guard !sides.isEmpty else {
                    throw MeasureError("the first side can't turn; say out: at a later one")
                }
                sides[sides.count - 1].turnsOutwards = true
            }
            sides.append(RoomSide(length: length))
        }
        let open = PlanSides(sides).withoutTheLastOfAllSides
        guard open.sides.count >= 3 else {
            throw MeasureError("a room needs at least three sides: 4000,3000,4000")
        }
        return open
    }

    /// Thousandths of a degree, from 0 to 359,999: `90`, `22.5`, `-90`.
    package static func angle(_ text: String) throws -> UInt32 {
        UInt32(((try turn(text)) % 360_000 + 360_000) % 360_000)
    }

    /// Thousandths of a degree with a sign: `-22.5`.
    package static func turn(_ text: String) throws -> Int32 {
        let trimmed = text.trimmed
        let degrees = trimmed.hasSuffix("°") ? String(trimmed.dropLast()) : trimmed
        guard let value = thousandths(degrees), abs(value) <= 3_600_000 else {
            throw MeasureError(
                "an angle is in degrees, counter-clockwise, with at most three decimals: 90, -22.5")
        }
        return Int32(value)
    }

    /// The beginning of an ISO 9999 code, 4 to 8 digits: `183015` or `18 30 15`; empty for `none`.
    package static func aidClass(_ text: String) throws -> String {
        guard text != "none" else { return "" }
        let code = text.filter { !$0.isWhitespace && $0 != "." }
        let isNumber = code.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, (4...8).contains(code.utf8.count) else {
            throw MeasureError("a class is an ISO 9999 code of 4 to 8 digits: 183015; or none")
        }
        return code
    }

    /// Several lengths in one word. A unit at the end applies to earlier lengths without one.
    private static func lengths(
        _ text: String, separators: Set<Character>, count: Int, form: String
    ) throws -> [Int32] {
        let words = text.split(omittingEmptySubsequences: false) { separators.contains($0) }
            .map(\.trimmed)
        guard words.count == count, let last = words.last else {
            throw MeasureError("it is typed like \(form), in millimetres")
        }
        let common = split(last).unit ?? 1
        return try words.map { word in
            let (number, unit) = split(word)
            return try millimetres(number, unit ?? common, text)
        }
    }

    /// The number, and its unit in millimetres; nil for no unit.
    private static func split(_ text: String) -> (number: String, unit: Int?) {
        let text = text.trimmed.lowercased()
        for (unit, size) in [("mm", 1), ("cm", 10), ("dm", 100), ("m", 1000)]
        where text.hasSuffix(unit) {
            return (text.dropLast(unit.count).trimmed, size)
        }
        return (text, nil)
    }

    private static func millimetres(_ number: String, _ unit: Int, _ text: String) throws -> Int32 {
        guard let value = thousandths(number.replacing(",", with: ".")) else {
            throw MeasureError("a length is in millimetres, or with its unit: 900, 90cm, 2.4m")
        }
        guard value * unit % 1000 == 0 else {
            throw MeasureError("“\(text)” isn't whole millimetres")
        }
        let length = value * unit / 1000
        guard abs(length) <= limit else {
            throw MeasureError("“\(text)” is farther than a plan reaches, which is 2 km")
        }
        return Int32(length)
    }

    /// A decimal number with at most three decimals, in thousandths, without rounding.
    private static func thousandths(_ text: String) -> Int? {
        let isNegative = text.hasPrefix("-") || text.hasPrefix("−")
        let digits = isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let all = parts.joined()
        guard (1...2).contains(parts.count), !parts[0].isEmpty, parts.last?.isEmpty == false,
            all.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            parts[0].count <= 9, parts.count == 1 || parts[1].count <= 3,
            let whole = Int(parts[0])
        else { return nil }
        let rest = parts.count == 2 ? String(parts[1]) : ""
        guard let fraction = Int(rest.padding(toLength: 3, withPad: "0", startingAt: 0)) else {
            return nil
        }
        let value = whole * 1000 + fraction
        return isNegative ? -value : value
    }
}

/// The error for a text that isn't a measure.
package struct MeasureError: Error, Hashable, CustomStringConvertible {
    /// How to type it, as the end of a sentence.
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
}

/// A place as it is typed.
package enum PlaceInPlan: Hashable, Sendable {
    /// East and north of the origin.
    case point(PlanPoint)
    /// An end of a wall.
    case corner(wall: String, isEnd: Bool)
}

/// A size as it is typed, in millimetres.
package struct PlanSize: Hashable, Sendable {
    /// Across, along x.
    package let width: UInt32
    /// From front to rear, along y.
    package let depth: UInt32
}

/// The sides of a room as they are typed.
package struct PlanSides: Hashable, Sendable {
    package let sides: [RoomSide]

    package init(_ sides: [RoomSide]) { self.sides = sides }

    /// The same without the last side if that leads back to the start: a person who measured all
    /// sides may type them all.
    var withoutTheLastOfAllSides: PlanSides {
        var (x, y, direction) = (0, 0, 0)
        for side in sides {
            let length = Int(side.length)
            switch direction {
            case 0: x += length
            case 1: y += length
            case 2: x -= length
            default: y -= length
            }
            direction = (direction + (side.turnsOutwards ? 3 : 1)) % 4
        }
        return x == 0 && y == 0 && sides.count > 3 ? PlanSides(Array(sides.dropLast())) : self
    }
}

extension StringProtocol {
    /// The text without blanks around it.
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
