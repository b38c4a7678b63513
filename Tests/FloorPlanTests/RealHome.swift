import Foundation
import Messages
import PlanFiles

@testable import FloorPlan

/// A home of Sweet Home 3D, as its published figures describe it: the floor with everything on it
/// up to the height of the knees, and walls that extend half their thickness beyond their ends.
struct RealHome {
    struct Space {
        var name: String
        var outline: Polygon
    }

    let rooms: [Space]
    /// The furniture on the floor, without carpets.
    let furniture: [Polygon]
    /// The walls without the openings of their doors.
    let walls: [Polygon]
    /// The openings of the doors, with their clear widths.
    let doors: [Polygon]

    init(_ file: URL) throws {
        // The figures were computed with straight walls in place of arcs.
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacing(#/\sarcExtent='[^']*'/#, with: "")
        let read = try PlanFile.read(Array(text.utf8), named: file.lastPathComponent)
        let plan = FloorPlan(read.items)
        rooms = read.items.compactMap {
            guard case .room(let room) = $0.item else { return nil }
            return Space(name: room.name.isEmpty ? "?" : room.name, outline: room.polygon)
        }
        furniture = plan.elements.values.filter { $0.elevation < 670 && $0.height > 20 }
            .map(\.outline.polygon)
        let doorsOf = { (wall: Wall) in
            plan.openings(in: wall.id).filter { $0.kind == .door && $0.threshold < 50 }
        }
        doors = plan.walls.values.flatMap { wall in
            doorsOf(wall).map {
                wall.hole($0, width: Self.width(of: $0), beyond: 0)
            }
        }
        walls = plan.walls.values.flatMap { wall in Self.pieces(of: wall, doorsOf(wall)) }
    }

    /// The clear width of a door with all its leaves open, as in the figures.
    private static func width(of door: Opening) -> Double {
        let leaves = door.leafWidth ?? 0
        return Double(max(door.passage.width, leaves - min(leaves, 2 * Opening.leafLoss)))
    }

    private static func pieces(of wall: Wall, _ doors: [Opening]) -> [Polygon] {
        let (line, thickness) = (wall.line, Double(wall.thickness))
        let along = line.along.unit
        var pieces = [(from: -thickness / 2, to: line.length + thickness / 2)]
        for door in doors {
            let middle = Double(door.offset) + Double(door.width) / 2
            let half = Self.width(of: door) / 2
            pieces = pieces.flatMap {
                [($0.from, min($0.to, middle - half)), (max($0.from, middle + half), $0.to)]
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
