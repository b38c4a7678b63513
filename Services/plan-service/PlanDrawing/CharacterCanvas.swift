import FloorPlan
import Papers

/// A screen of characters, each of which knows what it shows.
struct CharacterCanvas {
    /// What a character shows. Later kinds in the list may be drawn over earlier ones.
    enum Ink: Int {
        case none
        case circle
        case route
        case element
        case aid
        case elementName
        case room
        case opening
        case entrance
        case wall
        case perhapsNarrow
        case tooNarrow
        case doubt
        case failure

        /// The ECMA-48 parameters for showing it on a terminal; empty for none.
        var style: String {
            switch self {
            case .none, .elementName: ""
            case .circle: "36"
            case .route: "34"
            case .element: "2"
            case .aid: "36"
            case .room: "1"
            case .opening: "33"
            case .entrance: "1;33"
            case .wall: "1"
            case .tooNarrow, .failure: "1;31"
            case .perhapsNarrow, .doubt: "1;33"
            }
        }
    }

    private struct Cell {
        /// Empty for the second half of a wide character.
        var text = " "
        var ink = Ink.none
        /// The neighbours that a wall continues to: 1 up, 2 right, 4 down, 8 left.
        var joins: UInt8 = 0
    }

    let columns: Int
    let rows: Int
    private var cells: [Cell]

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = [Cell](repeating: Cell(), count: columns * rows)
    }

    /// A column and a row.
    struct Place: Hashable {
        var column: Int
        var row: Int
    }

    private func index(_ place: Place) -> Int? {
        guard (0..<columns).contains(place.column), (0..<rows).contains(place.row) else {
            return nil
        }
        return place.row * columns + place.column
    }

    func ink(_ place: Place) -> Ink? { index(place).map { cells[$0].ink } }

    /// True if one of these characters is on the screen in one of these inks.
    func shows(_ signs: Set<String>, in inks: Set<Ink>) -> Bool {
        cells.contains { inks.contains($0.ink) && signs.contains($0.text) }
    }

    /// Draws a character, unless what is there is more important.
    mutating func put(_ text: String, _ place: Place, _ ink: Ink) {
        guard let index = index(place), ink.rawValue >= cells[index].ink.rawValue else { return }
        cells[index].text = text
        cells[index].ink = ink
    }

    /// Removes what is there.
    mutating func clear(_ place: Place) {
        if let index = index(place) { cells[index] = Cell() }
    }

    /// The columns that a text takes.
    static func width(_ text: String) -> Int { text.roughColumns }

    /// True if a text can be written without hiding anything but circles and the path of a chair.
    func isFree(_ width: Int, _ place: Place) -> Bool {
        guard place.column >= 0, place.column + width <= columns else { return false }
        return (0..<width).allSatisfy {
            ink(Place(column: place.column + $0, row: place.row)).map {
                $0.rawValue <= Ink.route.rawValue
            } ?? false
        }
    }

    /// Writes a text beginning at a place, over whatever is there.
    mutating func write(_ text: String, _ place: Place, _ ink: Ink) {
        var column = place.column
        for character in text {
            let width = max(1, Self.width(String(character)))
            for part in 0..<width {
                guard let index = index(Place(column: column + part, row: place.row)) else {
                    continue
                }
                cells[index] = Cell(text: part == 0 ? String(character) : "", ink: ink)
            }
            column += width
        }
    }

    /// The places from one to another, each next to the previous one. Where both directions are
    /// equally near, the step goes across first.
    static func steps(from: Place, to: Place) -> [Place] {
        var steps = [from]
        var at = from
        let (across, down) = (abs(to.column - from.column), abs(to.row - from.row))
        guard across + down < 10_000 else { return [] }
        while at != to {
            let (left, below) = (abs(to.column - at.column), abs(to.row - at.row))
            // Move in the direction that is behind its share of the way.
            if below == 0 || (left > 0 && left * down >= below * across) {
                at.column += to.column > at.column ? 1 : -1
            } else {
                at.row += to.row > at.row ? 1 : -1
            }
            steps.append(at)
        }
        return steps
    }

    /// How many characters beyond the screen a line is followed.
    private static let margin = 100.0

    /// The places along a line between two points in columns and rows, as far as it is on the
    /// screen or near it.
    func steps(from: Vector, to: Vector) -> [Place] {
        let way = to - from
        let axes = [(from.x, way.x, Double(columns)), (from.y, way.y, Double(rows))]
        var (first, last) = (0.0, 1.0)
        for (begin, length, size) in axes {
            let (low, high) = (-Self.margin - begin, size + Self.margin - begin)
            if length == 0 {
                if low > 0 || high < 0 { return [] }
            } else {
                first = max(first, min(low / length, high / length))
                last = min(last, max(low / length, high / length))
            }
        }
        guard first <= last else { return [] }
        return Self.steps(
            from: Self.place(from + way * first), to: Self.place(last < 1 ? from + way * last : to))
    }

    /// The character at a point in columns and rows.
    static func place(_ point: Vector) -> Place {
        func step(_ value: Double) -> Int { Int(min(max(value.rounded(), -10_000), 10_000)) }
        return Place(column: step(point.x), row: step(point.y))
    }

    /// Joins places by a wall.
    mutating func join(_ places: [Place]) {
        for (a, b) in zip(places, places.dropFirst()) {
            let (there, back): (UInt8, UInt8) =
                b.row < a.row
                ? (1, 4) : b.row > a.row ? (4, 1) : b.column > a.column ? (2, 8) : (8, 2)
            for (place, bit) in [(a, there), (b, back)] {
                guard let index = index(place) else { continue }
                cells[index].joins |= bit
                cells[index].ink = .wall
            }
        }
    }

    /// By the neighbours that a wall continues to: none, up, right, up and right, down and so on.
    private static let wallSigns = Array("■╹╺┗╻┃┏┣╸┛━┻┓┫┳╋").map(String.init)

    /// The lines of the screen, without trailing spaces.
    func lines(coloured: Bool) -> [String] {
        (0..<rows).map { row in
            var line = ""
            var style = ""
            let all = cells[row * columns..<(row + 1) * columns]
            let last = all.lastIndex { $0.ink != .none || $0.text != " " } ?? all.startIndex - 1
            for index in all.startIndex..<max(last + 1, all.startIndex) {
                let cell = cells[index]
                if coloured, cell.ink.style != style {
                    if !style.isEmpty { line += "\u{1B}[0m" }
                    style = cell.ink.style
                    if !style.isEmpty { line += "\u{1B}[\(style)m" }
                }
                let isWall = cell.ink == .wall && cell.text == " "
                line += isWall ? Self.wallSigns[Int(cell.joins)] : cell.text
            }
            return style.isEmpty ? line : line + "\u{1B}[0m"
        }
    }
}
