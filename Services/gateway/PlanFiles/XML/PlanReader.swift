import FloorPlan
import Messages
import PlanWriting
import XMLText

/// Reads a `<plan>`: a native file, which has a version, or BoligApp's XML, which has none. Both
/// have the same elements; ``PlanFileOptions`` supplies what BoligApp's doesn't declare.
struct PlanReader {
    private var draft: PlanDraft
    private let isNative: Bool
    private let unit: Double
    private let origin: PlanFileOptions.Origin
    private let rotation: PlanFileOptions.Rotation
    private let y: PlanFileOptions.Axis
    /// The elements read so far that may occur only once.
    private var singles: Set<String> = []
    private var rounded = 0
    private var wallsWithoutThickness = 0

    init(_ root: XMLNode, _ draft: PlanDraft) throws(Refusal) {
        self.draft = draft
        isNative = root["version"] != nil
        func declared<Value: RawRepresentable & CaseIterable>(
            _ name: String, _ standard: Value
        ) throws(Refusal) -> Value where Value.RawValue == String {
            guard let text = root[name] else { return standard }
            if let value = Value(rawValue: text) { return value }
            throw draft.refusal(
                root.place, "has \(name)=\"\(text.shown())\"",
                "write one of: " + Value.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let options = isNative ? PlanFileOptions() : draft.options
        unit = try declared("unit", isNative ? .millimetres : options.unit).millimetres
        origin = try declared("origin", options.origin)
        rotation = try declared("rotation", options.rotation)
        y = try declared("y", options.y)
        if let text = root["version"] {
            guard let version = UInt32(text), version > 0 else {
                throw draft.refusal(
                    root.place, "has version=\"\(text.shown())\"", "write \(WrittenPlan.version)")
            }
            guard version <= WrittenPlan.version else {
                throw draft.refusal(
                    root.place,
                    "is of version \(version), and this program knows up to \(WrittenPlan.version)",
                    "update this program")
            }
        }
        let known = ["version", "unit", "origin", "rotation", "y"]
        for attribute in root.attributes where !known.contains(attribute.name) {
            self.draft.warn(
                root.place,
                "has the attribute \(attribute.name.shown()), which was left out")
        }
    }

    mutating func take(_ child: XMLNode) throws(Refusal) {
        if let kind = WrittenPlan.openings[child.name] {
            return try readOpening(child, kind, of: nil)
        }
        switch child.name {
        case "wall": try readWall(child)
        case "room": try readRoom(child)
        case "element": try readElement(child)
        case "rectangular": try readRectangle(child)
        case "standard": draft.details.standards.append(try text(child))
        default: try readDetail(child)
        }
    }

    func finished() throws(Refusal) -> ImportedPlan {
        var draft = draft
        if rounded > 0 {
            draft.warn(
                rounded == 1
                    ? "1 measure wasn't a whole number of millimetres and was rounded"
                    : "\(rounded) measures weren't whole millimetres and were rounded")
        }
        if wallsWithoutThickness > 0 {
            let walls =
                wallsWithoutThickness == 1
                ? "1 wall has no thickness in the file and became a line"
                : "\(wallsWithoutThickness) walls have no thickness in the file and became lines"
            draft.warn("\(walls); import it again with --wall-thickness to give them one")
        }
        return try draft.finished(isOurs: isNative)
    }

    private mutating func readDetail(_ child: XMLNode) throws(Refusal) {
        let known = [
            "name", "description", "address", "client", "author", "authorTitle", "assessment",
            "chair", "tolerance", "north",
        ]
        guard known.contains(child.name) else {
            return draft.warn(child.place, "isn't known here and was left out")
        }
        guard singles.insert(child.name).inserted else {
            throw draft.refusal(child.place, "stands in the plan twice", "keep one of them")
        }
        switch child.name {
        case "name":
            let name = try text(child)
            guard name.count <= 100 else {
                throw draft.refusal(
                    child.place, "has \(name.count) characters", "give a name of 1 to 100")
            }
            if !name.isEmpty { draft.details.name = name }
        case "description": draft.details.description = try text(child)
        case "address": draft.details.address = try text(child)
        case "client": draft.details.client = try text(child)
        case "author": draft.details.author = try text(child)
        case "authorTitle": draft.details.authorTitle = try text(child)
        case "assessment": draft.details.assessment = try text(child)
        case "north": draft.details.north = try angle(of: child, fields(child))
        case "chair": draft.details.chair = try text(child)
        default:
            draft.details.tolerance = try fields(child).count(of: child)
        }
    }

    private func text(_ node: XMLNode) throws(Refusal) -> String {
        try fields(node).text(of: node)
    }

    private func fields(_ node: XMLNode) -> XMLFields {
        XMLFields(node, file: draft.file, unit: unit, isExact: isNative)
    }

    private mutating func add(
        _ item: PlanItem, _ fields: XMLFields, known: Set<String>
    ) throws(Refusal) {
        let order = try fields.count("order")
        rounded += fields.rounded
        for (place, words) in fields.unknown(besides: known.union(["id", "order"])) {
            draft.warn(place, words)
        }
        try draft.add(item, at: fields.node.place, order: order)
    }

    /// The given id, or a new one.
    private mutating func id(_ fields: XMLFields, _ kind: String) throws(Refusal) -> String {
        guard try fields.child("id") == nil else { return try fields.text("id") }
        return draft.newID(kind)
    }

    private mutating func readWall(_ node: XMLNode) throws(Refusal) {
        var fields = fields(node)
        var wall = Wall(id: try id(fields, "wall"))
        wall.start = try corner("startPoint", &fields)
        wall.end = try corner("endPoint", &fields)
        if let thickness = try fields.size("thickness") {
            wall.thickness = thickness
        } else if !isNative {
            wall.thickness = draft.options.wallThickness ?? 0
            if draft.options.wallThickness == nil { wallsWithoutThickness += 1 }
        }
        wall.height = try fields.size("height") ?? 0
        wall.label = try fields.text("label")
        try add(
            PlanItem(item: .wall(wall)), fields,
            known: Set(WrittenPlan.openings.keys).union([
                "startPoint", "endPoint", "thickness", "height", "label",
            ]))
        for child in node.children {
            if let kind = WrittenPlan.openings[child.name] {
                try readOpening(child, kind, of: wall.id)
            }
        }
    }

    /// A required place; an empty element is a place that was never set.
    private func corner(
        _ name: String, _ fields: inout XMLFields
    ) throws(Refusal) -> PlanPoint? {
        guard let child = try fields.child(name) else {
            throw draft.refusal(fields.node.place, "has no <\(name)>", "add it with its x and y")
        }
        if isNative, child.children.isEmpty { return nil }
        return planned(try fields.point(of: child))
    }

    /// A place of the file in the plan's coordinates.
    private func planned(_ place: Vector) -> PlanPoint {
        PlanPoint(Vector(place.x, y == .north ? place.y : -place.y))
    }

    private mutating func readOpening(
        _ node: XMLNode, _ kind: OpeningKind, of wall: String?
    ) throws(Refusal) {
        var fields = fields(node)
        var opening = Opening(id: try id(fields, kind == .window ? "window" : "door"))
        if let wall { opening.wall = wall } else { opening.wall = try fields.text("wall") }
        opening.kind = node.name == "opening" ? try fields.word("kind") : kind
        opening.offset = try fields.size("offset") ?? 0
        opening.width = try fields.size("width") ?? 0
        opening.height = try fields.size("height") ?? 0
        opening.sill = try fields.size("sill") ?? 0
        opening.clearWidth = try fields.size("clearWidth")
        opening.clearEstimated = try fields.flag("clearEstimated")
        opening.leafWidth = try fields.size("leafWidth")
        let threshold = try fields.size("threshold")
        opening.threshold = threshold ?? 0
        // A native file leaves out what is 0; BoligApp has no thresholds.
        let isUnknown = !isNative && threshold == nil && opening.isPassable
        opening.thresholdUnknown = try fields.flag("thresholdUnknown") || isUnknown
        opening.hingesAtEnd = try fields.flag("hingesAtEnd")
        opening.swingsRight = try fields.flag("swingsRight")
        opening.entrance = try fields.flag("entrance")
        opening.label = try fields.text("label")
        var known: Set<String> = [
            "offset", "width", "height", "sill", "clearWidth", "clearEstimated", "leafWidth",
            "threshold", "thresholdUnknown", "hingesAtEnd", "swingsRight", "hungUnknown",
            "hingesKnown", "swingKnown", "entrance", "label",
        ]
        if wall == nil { known.insert("wall") }
        if node.name == "opening" { known.insert("kind") }
        let (hinges, swing) = (try fields.child("hingesAtEnd"), try fields.child("swingsRight"))
        let isGuess = !isNative && opening.kind == .door && (hinges == nil || swing == nil)
        opening.hungUnknown = try fields.flag("hungUnknown") || isGuess
        opening.hingesKnown = try fields.flag("hingesKnown") || isGuess && hinges != nil
        opening.swingKnown = try fields.flag("swingKnown") || isGuess && swing != nil
        if isGuess, hinges == nil, swing == nil { draft.unhung.append(opening.id) }
        try add(PlanItem(item: .opening(opening)), fields, known: known)
    }

    private mutating func readRoom(_ node: XMLNode) throws(Refusal) {
        var fields = fields(node)
        var room = Room(id: try id(fields, "room"))
        room.name = try fields.text("name")
        room.use = try fields.word("use")
        for child in node.children where child.name == "corner" {
            room.corners.append(planned(try fields.point(of: child)))
        }
        room.height = try fields.size("height") ?? 0
        try add(
            PlanItem(item: .room(room)), fields, known: ["name", "use", "corner", "height"])
    }

    private mutating func readElement(_ node: XMLNode) throws(Refusal) {
        var fields = fields(node)
        var element = Element(id: try id(fields, "element"))
        element.kind = try fields.word("kind")
        element.label = try fields.text("label")
        element.centre = try corner("centre", &fields)
        element.width = try fields.size("width") ?? 0
        element.depth = try fields.size("depth") ?? 0
        element.height = try fields.size("height") ?? 0
        element.elevation = try fields.size("elevation") ?? 0
        element.angle = try angle(fields)
        element.custom = try fields.text("custom")
        element.aidClass = try fields.text("aidClass")
        if let child = try fields.child("product") {
            let inner = self.fields(child)
            element.product = PlacedProduct(
                id: try inner.text("id"), number: try inner.text("number"),
                name: try inner.text("name"), maker: try inner.text("maker"),
                isoCode: try inner.text("isoCode"),
                sizeEstimated: try inner.flag("sizeEstimated"))
            warn(inner, ["id", "number", "name", "maker", "isoCode", "sizeEstimated"])
        }
        if let child = try fields.child("wheelchair") {
            var inner = self.fields(child)
            element.wheelchair = Wheelchair(
                turningDiameter: try inner.size("turningDiameter") ?? 0,
                axleFromRear: try inner.size("axleFromRear") ?? 0,
                hands: try inner.size("hands") ?? 0,
                assistant: try inner.size("assistant") ?? 0,
                legRests: try inner.size("legRests") ?? 0)
            fields.rounded += inner.rounded
            warn(
                inner,
                ["turningDiameter", "axleFromRear", "hands", "assistant", "legRests"])
        }
        try add(
            PlanItem(item: .element(element)), fields,
            known: [
                "kind", "label", "centre", "width", "depth", "height", "elevation", "angle",
                "custom", "product", "wheelchair", "aidClass",
            ])
    }

    private mutating func warn(_ fields: XMLFields, _ known: Set<String>) {
        for (place, words) in fields.unknown(besides: known) { draft.warn(place, words) }
    }

    /// BoligApp's rectangle: its `height` is its size along y.
    private mutating func readRectangle(_ node: XMLNode) throws(Refusal) {
        var fields = fields(node)
        var element = Element(id: try id(fields, "element"))
        element.label = try fields.text("name")
        let icon = try fields.text("icon")
        element.kind =
            ElementKind.allCases.first { $0.description == icon }
            ?? ElementGuess.kind(of: element.label)
        element.width = try fields.size("width") ?? 0
        element.depth = try fields.size("height") ?? 0
        guard var place = try fields.point("originPoint") else {
            throw draft.refusal(
                node.place, "has no <originPoint>", "add it with its x and y")
        }
        if origin == .corner {
            place = place + Vector(Double(element.width), Double(element.depth)) * 0.5
        }
        element.centre = planned(place)
        element.angle = try angle(fields)
        try add(
            PlanItem(item: .element(element)), fields,
            known: ["name", "icon", "width", "height", "originPoint", "angle"])
    }

    /// An angle in degrees, as thousandths of a degree, counter-clockwise.
    private func angle(_ fields: XMLFields) throws(Refusal) -> UInt32 {
        guard let child = try fields.child("angle") else { return 0 }
        return try angle(of: child, fields)
    }

    private func angle(of child: XMLNode, _ fields: XMLFields) throws(Refusal) -> UInt32 {
        let degrees = try fields.number(of: child)
        let thousandths = (degrees * 1_000).rounded()
        let allowed: ClosedRange<Double> = isNative ? 0...359_999 : -3_600_000...3_600_000
        guard allowed.contains(thousandths) else {
            throw draft.refusal(
                child.place, "has \(child.text.trimmed.shown()) degrees",
                isNative ? "write 0 to 359.999" : "write at most ten turns")
        }
        return UInt32.angle(thousandths: rotation == .counterClockwise ? thousandths : -thousandths)
    }
}

extension UInt32 {
    /// An angle in thousandths of a degree, normalised to 0 to 359,999.
    static func angle(thousandths: Double) -> UInt32 {
        let turn = thousandths.rounded().truncatingRemainder(dividingBy: 360_000)
        return UInt32(turn < 0 ? turn + 360_000 : turn)
    }
}
