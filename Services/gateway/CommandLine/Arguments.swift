import ArgumentParser
import Foundation
import Messages
import RideFile
import RideTracking
import Speech
import Texts

/// A duration as it is typed: `3m`, `90s`, `1h30m`, `500ms`.
struct DurationArgument: ExpressibleByArgument, Hashable {
    /// The duration.
    let milliseconds: Int64

    /// A duration in milliseconds.
    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Parses a duration; nil if the text isn't one.
    init?(argument: String) {
        let units: [String: Int64] = [
            "ms": 1, "s": 1000, "sec": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000,
            "d": 86_400_000,
        ]
        var rest = argument.lowercased().filter { $0 != " " }[...]
        var sum: Int64 = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let number = Int64(digits), number < 1_000_000, let size = units[String(unit)]
            else { return nil }
            sum += number * size
        }
        milliseconds = sum
    }

    /// The default as the help shows it.
    var defaultValueDescription: String { Wording.duration(milliseconds) }
}

/// A place as it is typed: `54.8597,-0.2439`, degrees north and east.
struct PlaceArgument: ExpressibleByArgument, Hashable {
    /// The place.
    let coordinate: Coordinate

    /// Parses a place; nil if the text isn't a place on earth.
    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
}

extension Coordinate {
    /// Metres to another place, accurate for distances within a town.
    func metres(to other: Coordinate) -> Double { position.metres(to: other.position) }

    private var position: Position {
        Position(latitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
    }
}

/// The name under which a timetable is kept: at most 40 letters, digits, `-` and `_`.
struct FeedName: ExpressibleByArgument, Hashable {
    /// The name.
    let text: String

    /// Parses a name; nil if it is not allowed.
    init?(argument: String) {
        guard argument.isPlainName else { return nil }
        text = argument
    }

    /// The name suggested by a file: its own name without the extension, or, if that is not
    /// allowed, its words with `-` between them; nil if nothing is left.
    init?(fileAt path: String) {
        var name = URL(filePath: path).lastPathComponent
        for ending in [".zip", ".gtfs", ".csv", ".txt"] where name.lowercased().hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        let words = FoldedText.identifierWords(name).joined(separator: "-")
        let trimmed = String(words.prefix(40)).trimmingCharacters(
            in: CharacterSet(charactersIn: "-"))
        self.init(argument: Self(argument: name) == nil ? trimmed : name)
    }
}
