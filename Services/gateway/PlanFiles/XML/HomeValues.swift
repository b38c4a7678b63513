import FloorPlan
import Foundation
import Messages
import XMLText

/// The attributes of an element of a home, in millimetres and with y to the north.
struct HomeAttributes {
    let node: XMLNode
    let file: String

    var place: FilePlace { node.place }

    /// A number; nil if there is no such attribute.
    func number(_ name: String) throws(Refusal) -> Double? {
        guard let text = node[name] else { return nil }
        guard let value = PlainNumber.value(of: text) else {
            throw Refusal.inFile(
                file, place, "has \(name)=\"\(text.shown())\", which isn't a number",
                "write one such as 12.5")
        }
        return value
    }

    /// A place from two attributes.
    func point(_ x: String = "x", _ y: String = "y") throws(Refusal) -> Vector {
        Vector(try coordinate(x), -(try coordinate(y)))
    }

    private func coordinate(_ name: String) throws(Refusal) -> Double {
        guard let centimetres = try number(name) else {
            throw Refusal.inFile(file, place, "has no \(name)", "save the home again")
        }
        guard abs(centimetres) * 10 <= Double(FloorPlan.farthest) else {
            throw Refusal.inFile(
                file, place, "has \(name)=\(centimetres), which is farther than 1 km",
                "draw the home about its origin")
        }
        return centimetres * 10
    }

    /// A size that isn't negative, in whole millimetres.
    func size(_ name: String, _ standard: UInt32 = 0) throws(Refusal) -> UInt32 {
        guard let centimetres = try number(name) else { return standard }
        guard centimetres >= 0, centimetres * 10 <= Double(FloorPlan.largest) else {
            throw Refusal.inFile(
                file, place, "has \(name)=\(centimetres)",
                "a size is from 0 to \(FloorPlan.largest / 10) cm")
        }
        return UInt32((centimetres * 10).rounded())
    }

    /// The size of an object, at least one millimetre.
    func extent(_ name: String) throws(Refusal) -> UInt32 {
        guard let centimetres = try number(name), centimetres > 0 else {
            throw Refusal.inFile(file, place, "has no \(name) above 0", "give it one")
        }
        return max(try size(name), 1)
    }

    /// The attribute `angle` converted for a plan: counter-clockwise, in radians.
    func angle(_ name: String = "angle") throws(Refusal) -> Double {
        let radians = try number(name) ?? 0
        guard abs(radians) <= 1_000 else {
            throw Refusal.inFile(
                file, place, "has \(name)=\(radians), which isn't an angle in radians",
                "write at most a few turns")
        }
        return -radians
    }

    func text(_ name: String) throws(Refusal) -> String {
        let text = node[name] ?? ""
        guard text.utf8.count <= XMLFields.longestText else {
            throw Refusal.inFile(
                file, place, "has \(text.utf8.count) bytes of \(name)",
                "give at most \(XMLFields.longestText)")
        }
        return text
    }
}

/// A wall of a home: straight, or an arc.
struct HomeWall {
    let start: Vector
    let end: Vector
    /// The angle by which an arc turns left from start to end, in radians; 0 if it is straight.
    let extent: Double
    let thickness: UInt32
    /// Its greatest height; 0 if unknown.
    let height: UInt32
    /// The height at its lower end.
    let lowest: UInt32
    let place: FilePlace

    /// True if its top isn't level.
    var isSloped: Bool { lowest != height }

    /// The arc that it follows; nil if it is straight.
    var arc: Arc? { Arc(from: start, to: end, extent: extent) }
}

/// A door or window of a home, which isn't part of a wall.
struct HomeOpening {
    /// The opening with its sizes, without its wall and offset.
    var opening: Opening
    /// The centre of the part inside the wall.
    let centre: Vector
    /// The direction of its width, from its left to its right as seen from its front.
    let across: Vector
    /// The number of leaves on hinges.
    let leaves: Int
    /// The position of the hinges of the widest leaf along `across` from the centre; nil without a
    /// leaf.
    let hinges: Double?
    /// True if that leaf opens to the front.
    let opensToFront: Bool
    let level: String?
    let place: FilePlace

    init(_ values: HomeAttributes, id: String, level: String?) throws(Refusal) {
        self.level = level
        place = values.place
        let name = try values.text("name")
        let (width, depth) = (try values.extent("width"), try values.extent("depth"))
        let elevation = try values.size("elevation")
        across = Vector(angle: try values.angle())
        // Fractions of the depth, from the rear: where the part in the wall begins, and its size.
        let from = try values.number("wallDistance") ?? 0
        let part = try values.number("wallThickness") ?? 1
        guard (-2...2).contains(from), (0...2).contains(part) else {
            throw Refusal.inFile(
                values.file, place, "isn't in its wall by its wallDistance and wallThickness",
                "these are shares of its depth, from 0 to 1")
        }
        let front = -across.left
        centre = try values.point() + front * ((-0.5 + from + part / 2) * Double(depth))

        let isMirrored = values.node["modelMirrored"] == "true"
        var sashes: [Double] = []
        var leaf: (share: Double, hinges: Double, opensToFront: Bool)?
        for node in values.node.children where node.name == "sash" {
            let sash = HomeAttributes(node: node, file: values.file)
            let share = try sash.number("width") ?? 0
            guard (0...1).contains(share) else {
                throw Refusal.inFile(
                    values.file, node.place, "has a width of \(share)",
                    "it is a share of the door's, from 0 to 1")
            }
            sashes.append(share)
            let axis = (try sash.number("xAxis") ?? 0) - 0.5
            let opened = try sash.number("endAngle") ?? 0
            guard share > leaf?.share ?? -1 else { continue }
            leaf = (share, (isMirrored ? -axis : axis) * Double(width), sin(opened) <= 0)
        }
        hinges = leaf?.hinges
        opensToFront = leaf?.opensToFront ?? true

        var opening = Opening(id: id, width: width, height: try values.size("height"))
        opening.label = name
        let words = ((values.node["catalogId"] ?? "") + " " + name).lowercased()
        opening.kind = Self.kind(words, hasLeaf: leaf != nil, elevation, opening.height)
        leaves = opening.kind == .door ? sashes.count : 0
        if opening.isPassable, elevation <= Dwelling.Terms().threshold {
            // A home has no thresholds: a door at the floor may have one, and one that is drawn a
            // little higher may have a higher one.
            opening.thresholdUnknown = true
        } else {
            opening.threshold = opening.isPassable ? elevation : 0
            opening.sill = elevation
        }
        if opening.isPassable { opening.takeWidths(of: sashes) }
        opening.entrance =
            opening.isPassable
            && Self.entrances.contains(where: words.contains)
        self.opening = opening
    }

    /// Words in the names of doors that lead into a home.
    private static let entrances = [
        "frontdoor", "front door", "entrance", "entry door", "exterior door", "exteriordoor",
        "outside door", "main door", "ytterdør", "inngang", "ytterdörr", "entré", "haustür",
    ]

    /// An opening is a window if it begins 30 cm or more above the floor. It is also one if it
    /// begins 5 cm or more above the floor or has no leaf, unless it is called a door, or is a
    /// glass door: as high as a door, and opens.
    private static func kind(
        _ words: String, hasLeaf: Bool, _ elevation: UInt32, _ height: UInt32
    ) -> OpeningKind {
        let slides = ["slid", "skyve", "skjut"].contains(where: words.contains)
        let isGlassDoor = elevation <= 150 && height >= 1_800 && (hasLeaf || slides)
        let isDoor =
            isGlassDoor
            || ["door", "french", "dør", "dörr", "porte", "tür"].contains(
                where: words.contains)
        guard isDoor ? elevation < 300 : hasLeaf && elevation < 50 else { return .window }
        if !hasLeaf, ["frame", "opening", "åpning", "öppning"].contains(where: words.contains) {
            return .passage
        }
        return slides ? .slidingDoor : .door
    }

    /// The opening in a wall.
    func docked(in wall: Wall) -> Opening {
        var docked = opening
        let along = wall.line.along.unit
        guard let hinges else {
            docked.hungUnknown = docked.kind == .door
            return docked
        }
        docked.hingesAtEnd = hinges * across.dot(along) > 0
        let front = -across.left
        docked.swingsRight = along.cross(opensToFront ? front : -front) < 0
        return docked
    }
}

extension Opening {
    /// The share of a frame's outer width that is free inside it, if the file doesn't say: Sweet
    /// Home 3D's frame of 915 mm leaves 757.
    private static let insideFrame = 757.0 / 915

    /// Sets the width of the leaf and the clear width from the sashes of a home, given as shares of
    /// its width and rounded down. The width of a door or frame of a home is that of its outside,
    /// so without a sash the clear width is estimated.
    fileprivate mutating func takeWidths(of sashes: [Double]) {
        func whole(_ share: Double) -> UInt32 {
            UInt32((min(share, 1) * Double(width) + 0.01).rounded(.down))
        }
        guard let widest = sashes.max() else {
            (clearWidth, clearEstimated) = (whole(Self.insideFrame), true)
            return
        }
        // Sliding sashes are one behind the other when they are open.
        leafWidth = whole(kind == .slidingDoor ? widest : sashes.reduce(0, +))
        guard kind == .door, sashes.count > 1 else { return }
        // One leaf has to be wide enough (ADA 404.2.2), because the other may be bolted. A single
        // leaf as wide as all of them, about the hinges of the widest, sweeps all the floor that
        // the widest sweeps.
        let active = whole(widest)
        (clearWidth, clearEstimated) = (active - min(active, Self.leafLoss), true)
    }
}
