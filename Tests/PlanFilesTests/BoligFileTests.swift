import Foundation
import FloorPlan
import Messages
import PlanWriting
import TestSupport
import Testing

@testable import PlanFiles

/// The XML in which BoligApp kept its plans.
struct BoligFileTests {
    /// Its sample, with the end tags that no parser accepts.
    static let sample = """
        <?xml version="1.0"?>
        <plan>
            <name>Plan name</name>
            <description>Plan description</description>
            <wall>
                <startPoint><x>100</x><y>600</y></startPoint>
                <endPoint><x>100</x><y>100</y></endPoint>
            </wall>
            <rectangular>
                <originPoint><x>400</x><y>350</y></originPoint>
                <name>Bed</name>
                <height>128</>
                <width>202</>
                <icon>images</>
                <angle>130</angle>
            </rectangular>
        </plan>
        """

    static func read(
        _ text: String, _ change: (inout PlanFileOptions) -> Void = { _ in }
    ) throws -> ImportedPlan {
        var options = PlanFileOptions()
        change(&options)
        return try PlanFile.read(Array(text.utf8), named: "plans/plan.xml", options)
    }

    @Test func `the sample is read in centimetres, and its unnamed ends are reported`() throws {
        let read = try Self.read(Self.sample)

        #expect(
            read.details
                == PlanDetails(name: "Plan name", description: "Plan description"))
        #expect(
            read.items == [
                PlanItem(
                    item: .wall(
                        Wall(
                            id: "wall-1", start: PlanPoint(x: 1_000, y: 6_000),
                            end: PlanPoint(x: 1_000, y: 1_000)))),
                PlanItem(
                    item: .element(
                        Element(
                            id: "element-1", kind: .bed, label: "Bed",
                            centre: PlanPoint(x: 4_000, y: 3_500), width: 2_020, depth: 1_280,
                            angle: 130_000))),
            ])
        #expect(
            read.warnings.prefix(3) == [
                "line 12: </> was read as the end of the element that is open",
                "line 13: </> was read as the end of the element that is open",
                "line 14: </> was read as the end of the element that is open",
            ])
    }

    @Test func `the well-formed twin of the sample gives the same plan`() throws {
        let twin = Self.sample.replacing("128</>", with: "128</height>")
            .replacing("202</>", with: "202</width>").replacing("images</>", with: "images</icon>")
        let (read, other) = (try Self.read(Self.sample), try Self.read(twin))
        #expect(read.details == other.details && read.items == other.items)
        #expect(other.warnings.count == 1)
    }

    static let folder = Recordings.folder("plan")
    static let missing: Comment = "\(Recordings.variable) names no folder with plans"

    @Test(.enabled(if: folder != nil, missing))
    func `the published sample and its twin give the same plan`() throws {
        let seed = try #require(Self.folder).appending(path: "seed")
        let read = try ["verbatim", "wellformed"].map { name in
            let file = seed.appending(path: "plan_A2_\(name).xml")
            return try PlanFile.read([UInt8](Data(contentsOf: file)), named: file.lastPathComponent)
        }
        #expect(read[0].details == read[1].details && read[0].items == read[1].items)
        #expect(read[0].items.count == 2)
        #expect(read[0].warnings.filter { $0.contains("</>") }.count == 3)
    }

    @Test func `unit, origin and orientation are options if the file doesn't state them`() throws {
        let read = try Self.read(Self.sample) {
            $0.unit = .millimetres
            $0.origin = .corner
            $0.rotation = .clockwise
            $0.y = .south
            $0.wallThickness = 75
        }
        let plan = FloorPlan(read.items)
        let bed = try #require(plan.elements["element-1"])
        #expect(bed.centre == PlanPoint(x: 501, y: -414))
        #expect(bed.angle == 230_000)
        #expect(plan.walls["wall-1"]?.start == PlanPoint(x: 100, y: -600))
        #expect(plan.walls["wall-1"]?.thickness == 75)
    }

    @Test func `what the file declares takes precedence over options`() throws {
        let declared = Self.sample.replacing("<plan>", with: "<plan unit=\"cm\" origin=\"centre\">")
        let read = try Self.read(declared) {
            $0.unit = .millimetres
            $0.origin = .corner
        }
        #expect(read.items == (try Self.read(Self.sample).items))
    }

    @Test func `doors and windows are children of their wall`() throws {
        let read = try Self.read(
            """
            <plan><wall><startPoint><x>0</x><y>0</y></startPoint>
            <endPoint><x>400</x><y>0</y></endPoint>
            <door><offset>50</offset><width>90.5</width></door>
            <window><offset>200</offset><width>120</width><height>120</height><sill>90</sill>
            </window></wall></plan>
            """)
        let plan = FloorPlan(read.items)
        #expect(
            plan.openings(in: "wall-1") == [
                Opening(
                    id: "door-1", wall: "wall-1", kind: .door, offset: 500, width: 905,
                    thresholdUnknown: true, hungUnknown: true),
                Opening(
                    id: "window-1", wall: "wall-1", kind: .window, offset: 2_000, width: 1_200,
                    height: 1_200, sill: 900),
            ])
    }

    @Test func `a file that says only one half of the hanging of a door leaves the other a guess`()
        throws
    {
        func door(_ inside: String) throws -> Opening? {
            let read = try Self.read(
                """
                <plan><wall><startPoint><x>0</x><y>0</y></startPoint>
                <endPoint><x>400</x><y>0</y></endPoint>
                <door><offset>50</offset><width>90</width>\(inside)</door></wall></plan>
                """)
            return FloorPlan(read.items).openings["door-1"]
        }
        let end = try #require(try door("<hingesAtEnd>true</hingesAtEnd>"))
        #expect(end.isUnhung && end.hangings.map(\.hingesAtEnd) == [true, true])
        let right = try #require(try door("<swingsRight>true</swingsRight>"))
        #expect(right.isUnhung && right.hangings.map(\.swingsRight) == [true, true])
        let both = "<hingesAtEnd>true</hingesAtEnd><swingsRight>true</swingsRight>"
        #expect(try door(both)?.isUnhung == false)
    }

    @Test(arguments: Seed.some(100))
    func `everything that BoligApp's XML can hold comes back unchanged`(seed: Seed) throws {
        var seed = seed
        let plan = ImportedPlan.any(&seed).inBoligXML

        let bytes = WrittenPlan.boligXML(plan.details, plan.items)
        let read = try PlanFile.read(bytes, named: "plan.xml")

        #expect(read.details == plan.details)
        #expect(read.items == plan.items)
        #expect(WrittenPlan.boligXML(read.details, read.items) == bytes)
        #expect(WrittenPlan.leftOutOfBoligXML(plan.details, plan.items).isEmpty)
    }

    @Test func `anything that BoligApp's XML can't hold is named`() {
        let left = WrittenPlan.leftOutOfBoligXML(
            PlanDetails(name: "Home", client: "7"),
            [
                PlanItem(item: .room(Room(id: "r"))),
                PlanItem(item: .wall(Wall(id: "w", thickness: 100))),
                PlanItem(item: .element(Element(id: "e", height: 5))),
            ])
        #expect(
            left == [
                "address, client, author, tolerance, standards or chair: 1",
                "heights of elements: 1", "rooms: 1", "thicknesses of walls: 1",
            ])
    }

    @Test func `an export names the classes of aids that it leaves out`() {
        let ramp = Element(id: "e", kind: .aid, custom: "Ramp of ward 3", aidClass: "183015")
        let left = WrittenPlan.leftOutOfBoligXML(
            PlanDetails(name: "Home"), [PlanItem(item: .element(ramp))])
        #expect(left == ["classes of aids: 1", "names in the library: 1"])
    }

    @Test func `an export names the doors whose thresholds and hinges it leaves out`() {
        func left(
            _ kind: OpeningKind, isUnknown: Bool, isHung: Bool = false
        ) -> [String] {
            WrittenPlan.leftOutOfBoligXML(
                PlanDetails(name: "Home"),
                [
                    PlanItem(
                        item: .opening(
                            Opening(
                                id: "d", wall: "w", kind: kind, thresholdUnknown: isUnknown,
                                hungUnknown: !isHung)))
                ])
        }
        #expect(left(.door, isUnknown: false) == ["details of doors and windows: 1"])
        #expect(
            left(.door, isUnknown: true, isHung: true) == ["details of doors and windows: 1"])
        #expect(left(.door, isUnknown: true) == [] && left(.window, isUnknown: false) == [])
    }

    @Test(arguments: [
        ("<plan><name>a</nam></plan>", "in <name>, open since line 1: another element is closed"),
        ("<plan><name>a &b; c</name></plan>", "write the character itself, or & as &amp;"),
        ("<plan><name>a & b</name></plan>", "write & as &amp; and < as &lt;"),
        ("<plan>\n<name>a</name>\n", "line 3, column 1: the file breaks off before its end"),
        ("<?xml version=\"1.0\" encoding=\"EBCDIC-9\"?><plan/>", "the encoding isn't known"),
        ("<html/>", "<html> isn't a plan; give a .nav"),
        ("hello", "isn't a plan: it begins neither as XML"),
        ("", "is empty"),
        ("{\"a\": 1}", "has neither walls nor a panorama"),
        ("<plan><wall/></plan>", "line 1, column 7, <wall> has no <startPoint>"),
        (
            "<plan><rectangular><name>Bed</name></rectangular></plan>",
            "<rectangular> has no <originPoint>"
        ),
    ])
    func `a malformed file gets an error with line, element and remedy`(text: String, words: String)
    {
        expectRefusal(text, "plan.nav", words)
    }
}

extension ImportedPlan {
    /// The part of a plan that BoligApp's XML can hold, with the ids that a reader assigns.
    fileprivate var inBoligXML: ImportedPlan {
        var kept: [PlanItem] = []
        var elements = 0
        var holes: [String: Int] = [:]
        for item in items {
            guard case .wall(let wall) = item.item else { continue }
            let id =
                "wall-\(kept.filter { if case .wall = $0.item { true } else { false } }.count + 1)"
            kept.append(PlanItem(item: .wall(Wall(id: id, start: wall.start, end: wall.end))))
            for case .opening(let opening) in items.map(\.item) where opening.wall == wall.id {
                let kind = opening.kind == .window ? "window" : "door"
                holes[kind, default: 0] += 1
                let known = OpeningKind.allCases.contains(opening.kind)
                var hole = Opening(
                    id: "\(kind)-\(holes[kind] ?? 0)", wall: id,
                    kind: known ? opening.kind : .unspecified, offset: opening.offset,
                    width: opening.width, height: opening.height, sill: opening.sill)
                hole.thresholdUnknown = hole.isPassable
                hole.hungUnknown = hole.kind == .door
                kept.append(PlanItem(item: .opening(hole)))
            }
        }
        let order = items
        for case .element(let element) in order.map(\.item) {
            elements += 1
            let known = ElementKind.allCases.contains(element.kind)
            kept.append(
                PlanItem(
                    item: .element(
                        Element(
                            id: "element-\(elements)", kind: known ? element.kind : .unspecified,
                            label: element.label.trimmed, centre: element.centre,
                            width: element.width, depth: element.depth, angle: element.angle))))
        }
        return ImportedPlan(
            details: PlanDetails(
                name: details.name.trimmed, description: details.description.trimmed),
            items: kept)
    }
}
