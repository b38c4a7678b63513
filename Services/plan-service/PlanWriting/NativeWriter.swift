import FloorPlan
import Messages
import XMLText

/// Writes a native file: the whole plan, in millimetres and degrees.
struct NativeWriter {
    private var xml = XMLWriter()
    private var order: [String: Int] = [:]

    /// The bytes of the file; the same plan gives the same bytes.
    static func bytes(_ details: PlanDetails, _ items: [PlanItem]) -> [UInt8] {
        var writer = NativeWriter()
        writer.write(details, items)
        return writer.xml.bytes
    }

    private mutating func write(_ details: PlanDetails, _ items: [PlanItem]) {
        xml.open(
            "plan",
            [
                ("version", "\(WrittenPlan.version)"), ("unit", "mm"), ("origin", "centre"),
                ("rotation", "counter-clockwise"), ("y", "north"),
            ])
        write(details)
        let blocks = Self.blocks(items)
        let written = blocks.flatMap {
            [$0.item] + $0.openings.map { PlanItem(item: .opening($0)) }
        }
        if written.map(\.id) != items.map(\.id) {
            for (index, item) in items.enumerated() { order[item.id] = index + 1 }
        }
        for block in blocks { write(block) }
        xml.close()
    }

    /// An item, and for a wall the openings that are written inside it.
    private typealias Block = (item: PlanItem, openings: [Opening])

    private static func blocks(_ items: [PlanItem]) -> [Block] {
        var walls: Set<String> = []
        for item in items {
            if case .wall(let wall) = item.item { walls.insert(wall.id) }
        }
        var openings: [String: [Opening]] = [:]
        for item in items {
            if case .opening(let opening) = item.item, walls.contains(opening.wall) {
                openings[opening.wall, default: []].append(opening)
            }
        }
        return items.compactMap { item in
            switch item.item {
            case .wall(let wall): (item, openings[wall.id] ?? [])
            case .opening(let opening): walls.contains(opening.wall) ? nil : (item, [])
            case .room, .element: (item, [])
            case nil: nil
            }
        }
    }

    private mutating func write(_ details: PlanDetails) {
        xml.write("name", details.name)
        write("description", details.description)
        write("address", details.address)
        write("client", details.client)
        write("author", details.author)
        write("authorTitle", details.authorTitle)
        write("assessment", details.assessment)
        if let north = details.north { xml.write("north", Decimals.text(north, places: 3)) }
        write("tolerance", details.tolerance)
        for standard in details.standards { xml.write("standard", standard) }
        write("chair", details.chair)
    }

    private mutating func write(_ block: Block) {
        switch block.item.item {
        case .wall(let wall): write(wall, block.openings)
        case .opening(let opening): write(opening, isInWall: false)
        case .room(let room): write(room)
        case .element(let element): write(element)
        case nil: break
        }
    }

    private mutating func write(_ wall: Wall, _ openings: [Opening]) {
        begin("wall", wall.id)
        write("startPoint", wall.start)
        write("endPoint", wall.end)
        write("thickness", wall.thickness)
        write("height", wall.height)
        write("label", wall.label)
        for opening in openings { write(opening, isInWall: true) }
        xml.close()
    }

    private mutating func write(_ opening: Opening, isInWall: Bool) {
        let name = WrittenPlan.openings.first { $0.value == opening.kind && $0.key != "opening" }?
            .key
        begin(name ?? "opening", opening.id)
        if name == nil { xml.write("kind", opening.kind.description) }
        if !isInWall { xml.write("wall", opening.wall) }
        write("offset", opening.offset)
        write("width", opening.width)
        write("height", opening.height)
        write("sill", opening.sill)
        if let clear = opening.clearWidth { xml.write("clearWidth", "\(clear)") }
        write("clearEstimated", opening.clearEstimated)
        if let leaf = opening.leafWidth { xml.write("leafWidth", "\(leaf)") }
        write("threshold", opening.threshold)
        write("thresholdUnknown", opening.thresholdUnknown)
        write("hingesAtEnd", opening.hingesAtEnd)
        write("swingsRight", opening.swingsRight)
        write("hungUnknown", opening.hungUnknown)
        write("hingesKnown", opening.hingesKnown)
        write("swingKnown", opening.swingKnown)
        write("entrance", opening.entrance)
        write("label", opening.label)
        xml.close()
    }

    private mutating func write(_ room: Room) {
        begin("room", room.id)
        write("name", room.name)
        if room.use != .unspecified { xml.write("use", room.use.description) }
        for corner in room.corners { write("corner", corner) }
        write("height", room.height)
        xml.close()
    }

    private mutating func write(_ element: Element) {
        begin("element", element.id)
        if element.kind != .unspecified { xml.write("kind", element.kind.description) }
        write("label", element.label)
        write("centre", element.centre)
        write("width", element.width)
        write("depth", element.depth)
        write("height", element.height)
        write("elevation", element.elevation)
        if element.angle != 0 { xml.write("angle", Decimals.text(element.angle, places: 3)) }
        write("custom", element.custom)
        write("aidClass", element.aidClass)
        if let product = element.product {
            xml.open("product")
            write("id", product.id)
            write("number", product.number)
            write("name", product.name)
            write("maker", product.maker)
            write("isoCode", product.isoCode)
            write("sizeEstimated", product.sizeEstimated)
            xml.close()
        }
        if let chair = element.wheelchair {
            xml.open("wheelchair")
            write("turningDiameter", chair.turningDiameter)
            write("axleFromRear", chair.axleFromRear)
            write("hands", chair.hands)
            write("assistant", chair.assistant)
            write("legRests", chair.legRests)
            xml.close()
        }
        xml.close()
    }

    private mutating func begin(_ name: String, _ id: String) {
        xml.open(name)
        xml.write("id", id)
        if let order = order[id] { xml.write("order", "\(order)") }
    }

    private mutating func write(_ name: String, _ text: String) {
        if !text.isEmpty { xml.write(name, text) }
    }

    private mutating func write(_ name: String, _ number: UInt32) {
        if number != 0 { xml.write(name, "\(number)") }
    }

    private mutating func write(_ name: String, _ flag: Bool) {
        if flag { xml.write(name, "true") }
    }

    /// Writes a place; one that was never set is an empty element.
    private mutating func write(_ name: String, _ place: PlanPoint?) {
        guard let place else { return xml.writeEmpty(name) }
        xml.open(name)
        xml.write("x", "\(place.x)")
        xml.write("y", "\(place.y)")
        xml.close()
    }
}

/// Whole numbers of a small unit as decimals of a larger one.
enum Decimals {
    /// 12,500 with three places is `12.5`.
    static func text(_ value: some BinaryInteger, places: Int) -> String {
        let unit = (0..<places).reduce(1) { product, _ in product * 10 }
        let (whole, rest) = Int(value).magnitude.quotientAndRemainder(dividingBy: UInt(unit))
        var digits = String(rest)
        digits = String(repeating: "0", count: places - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return (value < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    }
}
