import FloorPlan
import Messages
import XMLText

/// Writes the XML in which the app BoligApp kept its plans, in centimetres, with a door or window
/// as a child of its wall. The attributes of the root declare what that XML never did.
enum BoligWriter {
    static func bytes(_ details: PlanDetails, _ items: [PlanItem]) -> [UInt8] {
        var xml = XMLWriter()
        xml.open(
            "plan",
            [
                ("unit", "cm"), ("origin", "centre"), ("rotation", "counter-clockwise"),
                ("y", "north"),
            ])
        xml.write("name", details.name)
        xml.write("description", details.description)
        var openings: [String: [Opening]] = [:]
        for item in items {
            if case .opening(let opening) = item.item {
                openings[opening.wall, default: []].append(opening)
            }
        }
        for item in items {
            switch item.item {
            case .wall(let wall): write(wall, openings[wall.id] ?? [], &xml)
            case .element(let element): write(element, &xml)
            default: break
            }
        }
        xml.close()
        return xml.bytes
    }

    static func leftOut(_ details: PlanDetails, _ items: [PlanItem]) -> [String] {
        var found: [String: Int] = [:]
        func note(_ what: String, _ isThere: Bool) { if isThere { found[what, default: 0] += 1 } }
        for item in items {
            switch item.item {
            case .room: note("rooms", true)
            case .wall(let wall):
                note("thicknesses of walls", wall.thickness != 0)
                note("heights of walls", wall.height != 0)
                note("labels of walls", !wall.label.isEmpty)
            case .opening(let opening):
                let isHung = opening.kind == .door && !opening.hungUnknown
                note(
                    "details of doors and windows",
                    opening.clearWidth != nil || opening.leafWidth != nil
                        || opening.threshold != 0 || opening.hingesAtEnd || opening.swingsRight
                        || opening.entrance || !opening.label.isEmpty
                        || opening.isPassable && !opening.thresholdUnknown
                        || isHung || opening.hingesKnown || opening.swingKnown)
            case .element(let element):
                note("heights of elements", element.height != 0 || element.elevation != 0)
                note("products", element.product != nil)
                note("measures of wheelchairs", element.wheelchair != nil)
                note("classes of aids", !element.aidClass.isEmpty)
                note("names in the library", !element.custom.isEmpty)
            case nil: break
            }
        }
        note(
            "address, client, author, tolerance, standards or chair",
            details != PlanDetails(name: details.name, description: details.description))
        return found.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }

    private static func write(_ wall: Wall, _ openings: [Opening], _ xml: inout XMLWriter) {
        xml.open("wall")
        write("startPoint", wall.start ?? PlanPoint(), &xml)
        write("endPoint", wall.end ?? PlanPoint(), &xml)
        for opening in openings {
            let name = WrittenPlan.openings.first { $0.value == opening.kind }?.key
            xml.open(name ?? "opening")
            xml.write("offset", centimetres(opening.offset))
            xml.write("width", centimetres(opening.width))
            if opening.height != 0 { xml.write("height", centimetres(opening.height)) }
            if opening.sill != 0 { xml.write("sill", centimetres(opening.sill)) }
            xml.close()
        }
        xml.close()
    }

    private static func write(_ element: Element, _ xml: inout XMLWriter) {
        xml.open("rectangular")
        write("originPoint", element.centre ?? PlanPoint(), &xml)
        xml.write("name", element.label)
        xml.write("height", centimetres(element.depth))
        xml.write("width", centimetres(element.width))
        xml.write("icon", element.kind.description)
        xml.write("angle", Decimals.text(element.angle, places: 3))
        xml.close()
    }

    private static func write(_ name: String, _ place: PlanPoint, _ xml: inout XMLWriter) {
        xml.open(name)
        xml.write("x", centimetres(place.x))
        xml.write("y", centimetres(place.y))
        xml.close()
    }

    private static func centimetres(_ millimetres: some BinaryInteger) -> String {
        Decimals.text(millimetres, places: 1)
    }
}
