import Foundation
import FoundationXML

@testable import FloorPlan

/// As much of a Sweet Home 3D home (`Home.xml`) as its figures need: rooms, doors and furniture of
/// one floor. Lengths become millimetres; y runs to the south as it does in the file, which changes
/// no size.
final class SweetHome: NSObject, XMLParserDelegate {
    struct Room {
        var name: String
        var outline: Polygon
    }

    private(set) var rooms: [Room] = []
    /// What stands on the floor, up to the height of the knees; no carpets.
    private(set) var furniture: [Polygon] = []
    /// The walls, each half its thickness beyond its ends, without what the doors take out.
    var walls: [Polygon] {
        lines.flatMap { line, thickness in
            let along = line.along.unit
            var pieces = [(from: -thickness / 2, to: line.length + thickness / 2)]
            for door in gaps(of: line, thickness) {
                pieces = pieces.flatMap {
                    [($0.from, min($0.to, door.from)), (max($0.from, door.to), $0.to)]
                }.filter { $0.from < $0.to }
            }
            return pieces.map {
                ConvexPolygon(
                    centre: line.start + along * (($0.from + $0.to) / 2), width: $0.to - $0.from,
                    depth: thickness, angle: along.angle
                ).polygon
            }
        }
    }

    /// From where to where doors are in a wall.
    private func gaps(of line: Segment, _ thickness: Double) -> [(from: Double, to: Double)] {
        doors.compactMap { door in
            let middle = door.bounds.centre
            guard line.distance(to: middle) < thickness / 2 else { return nil }
            let along = door.corners.map { ($0 - line.start).dot(line.along.unit) }
            return (along.min() ?? 0, along.max() ?? 0)
        }
    }

    /// The openings of the doors, as wide as is free to pass.
    var doors: [Polygon] { pieces.filter(\.isDoor).map(\.opening) }

    private var lines: [(line: Segment, thickness: Double)] = []
    private var room: (name: String, corners: [Vector])?
    private var pieces: [Piece] = []

    /// A door or window.
    private struct Piece {
        let place: Vector
        let angle: Double
        let width: Double
        let depth: Double
        let elevation: Double
        /// Of the depth: where the part in the wall begins and how much it is.
        let inWall: (from: Double, part: Double)
        /// Of the width.
        var leaf: Double?

        var isDoor: Bool { elevation < 50 && leaf != nil }

        /// A leaf takes 51 mm off the width that is free (Approved Document M, table 2.1).
        var opening: Polygon {
            let turn = Vector(angle: angle)
            let clear = width * (leaf ?? 1) - 51
            let middle = (-0.5 + inWall.from + inWall.part / 2) * depth
            return ConvexPolygon(
                centre: place + turn.left * middle, width: clear,
                depth: depth * inWall.part, angle: angle
            ).polygon
        }
    }

    init(_ file: URL) throws {
        super.init()
        let parser = XMLParser(data: try Data(contentsOf: file))
        parser.delegate = self
        guard parser.parse() else { throw CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        func number(_ key: String, _ standard: Double = 0) -> Double {
            attributes[key].flatMap(Double.init) ?? standard
        }
        let place = Vector(number("x") * 10, number("y") * 10)
        switch name {
        case "room": room = (attributes["name"] ?? "?", [])
        case "point": room?.corners.append(place)
        case "wall":
            let line = Segment(
                Vector(number("xStart") * 10, number("yStart") * 10),
                Vector(number("xEnd") * 10, number("yEnd") * 10))
            lines.append((line, number("thickness") * 10))
        case "doorOrWindow":
            pieces.append(
                Piece(
                    place: place, angle: number("angle"), width: number("width") * 10,
                    depth: number("depth") * 10, elevation: number("elevation") * 10,
                    inWall: (number("wallDistance"), number("wallThickness", 1))))
        case "sash":
            guard !pieces.isEmpty else { return }
            let last = pieces.count - 1
            pieces[last].leaf = (pieces[last].leaf ?? 0) + number("width")
        case "pieceOfFurniture", "light":
            guard number("elevation") * 10 < 670, number("height") > 2 else { return }
            furniture.append(
                ConvexPolygon(
                    centre: place, width: number("width") * 10, depth: number("depth") * 10,
                    angle: number("angle")
                ).polygon)
        default: break
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard name == "room", let drawn = room else { return }
        rooms.append(Room(name: drawn.name, outline: Polygon(drawn.corners)))
        room = nil
    }
}
