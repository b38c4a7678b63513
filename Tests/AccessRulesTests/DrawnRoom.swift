import Messages

/// A plan in a line of `rooms.txt`:
/// `room hall 3000x2000; wall south; door south 1000 980 clear=900`.
struct DrawnRoom {
    private(set) var items: [PlanItem] = []
    private var size: (x: Int32, y: Int32) = (0, 0)

    /// A word that isn't understood.
    struct Unknown: Error { let words: Substring }

    init(_ text: Substring) throws {
        for statement in text.split(separator: ";") {
            let words = statement.split(separator: " ")
            guard let first = words.first else { throw Unknown(words: statement) }
            try draw(first, Array(words.dropFirst()), statement)
        }
    }

    private mutating func draw(
        _ kind: Substring, _ words: [Substring], _ statement: Substring
    ) throws {
        let flags = Set(words)
        func value(_ name: String) throws -> UInt32? {
            try words.first { $0.hasPrefix(name + "=") }.map {
                try Self.number($0.dropFirst(name.count + 1))
            }
        }
        switch kind {
        case "room":
            guard let use = RoomUse.allCases.first(where: { $0.description == words[0] }) else {
                throw Unknown(words: statement)
            }
            size = try Self.pair(words[1], "x")
            items.append(
                Drawing.room(size.x, size.y, use: use, height: try value("height") ?? 0))
        case "wall": items.append(try wall(words))
        case "door", "window", "passage":
            let kinds: [Substring: OpeningKind] = ["window": .window, "passage": .passage]
            let isGoal = kinds[kind] != nil
            let rest = Array(words.dropFirst(isGoal ? 1 : 0))
            items.append(
                PlanItem(
                    item: .opening(
                        Opening(
                            id: isGoal ? String(words[0]) : "door", wall: String(rest[0]),
                            kind: kinds[kind] ?? .door, offset: try Self.number(rest[1]),
                            width: try Self.number(rest[2]), height: try value("height") ?? 0,
                            clearWidth: try value("clear"), leafWidth: try value("leaf"),
                            threshold: try value("threshold") ?? 0,
                            hingesAtEnd: flags.contains("end"),
                            swingsRight: flags.contains("right"),
                            entrance: flags.contains("entrance")))))
        default:
            guard let known = ElementKind.allCases.first(where: { $0.description == kind }) else {
                throw Unknown(words: statement)
            }
            let (place, size) = (try Self.pair(words[0], ","), try Self.pair(words[1], "x"))
            let isSecond = items.contains { $0.id == kind }
            items.append(
                PlanItem(
                    item: .element(
                        Element(
                            id: String(kind) + (isSecond ? "-2" : ""), kind: known,
                            centre: PlanPoint(x: place.x, y: place.y), width: UInt32(size.x),
                            depth: UInt32(size.y), height: try value("height") ?? 0,
                            elevation: try value("elevation") ?? 0,
                            angle: (try value("angle") ?? 0) * 1_000,
                            aidClass: try value("class").map { "\($0)" } ?? ""))))
        }
    }

    /// A wall between two corners, or one of 100 mm along a side of the room.
    private func wall(_ words: [Substring]) throws -> PlanItem {
        let id = String(words[0])
        guard words.count == 1 else {
            let (start, end) = (try Self.pair(words[1], ","), try Self.pair(words[2], ","))
            return Drawing.wall(
                id, start.x, start.y, to: end.x, end.y, thickness: try Self.number(words[3]))
        }
        switch id {
        case "south": return Drawing.wall(id, 0, -50, to: size.x, -50)
        case "west": return Drawing.wall(id, -50, 0, to: -50, size.y)
        case "north": return Drawing.wall(id, 0, size.y + 50, to: size.x, size.y + 50)
        case "east": return Drawing.wall(id, size.x + 50, 0, to: size.x + 50, size.y)
        default: throw Unknown(words: words[0])
        }
    }

    private static func number(_ word: Substring) throws -> UInt32 {
        guard let number = UInt32(word) else { throw Unknown(words: word) }
        return number
    }

    private static func pair(
        _ word: Substring, _ separator: Character
    ) throws -> (x: Int32, y: Int32) {
        let parts = word.split(separator: separator, maxSplits: 1).compactMap { Int32($0) }
        guard parts.count == 2 else { throw Unknown(words: word) }
        return (parts[0], parts[1])
    }
}
