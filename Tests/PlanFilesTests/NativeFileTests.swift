import FloorPlan
import Messages
import PlanWriting
import TestSupport
import Testing

@testable import PlanFiles

/// The native file.
struct NativeFileTests {
    @Test func `an empty plan is read back as written`() throws {
        let details = PlanDetails(name: "Home")
        let read = try PlanFile.read(WrittenPlan.native(details, []), named: "a.nav")
        #expect(read == ImportedPlan(details: details, items: []))
    }

    @Test(arguments: Seed.some(150))
    func `any plan is read back as written, and written again to the same bytes`(
        seed: Seed
    ) throws {
        var seed = seed
        let plan = ImportedPlan.any(&seed)
        let bytes = WrittenPlan.native(plan.details, plan.items)
        let read = try PlanFile.read(bytes, named: "plan.nav")
        #expect(read == plan)
        #expect(WrittenPlan.native(read.details, read.items) == bytes)
    }

    @Test(arguments: ["ø", "å 🛏", "\u{200E}", "\\", "a\nb"])
    func `an assessment of any length that a plan may have is read back`(sign: String) throws {
        let most = 16_000 / sign.utf8.count
        let details = PlanDetails(
            name: "Home", assessment: "<" + String(repeating: sign, count: most - 1) + ">")
        let bytes = WrittenPlan.native(details, [])
        #expect(try PlanFile.read(bytes, named: "a.nav").details == details)
    }

    @Test func `a place that was never set stays unset`() throws {
        let items = [PlanItem(item: .wall(Wall(id: "w", start: nil, end: PlanPoint(x: 5, y: 0))))]
        let bytes = WrittenPlan.native(PlanDetails(name: "Home"), items)
        #expect(try PlanFile.read(bytes, named: "a.nav").items == items)
    }

    @Test(arguments: [
        ("version=\"2\"", "is of version 2"), ("version=\"0\"", "write 1"),
        ("version=\"1\" unit=\"inch\"", "write one of: cm, mm"),
    ])
    func `an unknown version or unit is refused in a sentence`(
        attributes: String, words: String
    ) {
        expectRefusal("<plan \(attributes)/>", "line 1, column 1, <plan>", words)
    }

    @Test(arguments: [
        ("<wall><startPoint><x>1</x><y>2</y></startPoint></wall>", "<wall> has no <endPoint>"),
        ("<tolerance>-1</tolerance>", "<tolerance> has -1, which isn't a whole number"),
        ("<name>a</name><name>b</name>", "<name> stands in the plan twice"),
        ("<wall><startPoint><x>one</x></startPoint></wall>", "has “one”, which isn't a number"),
        ("<wall><startPoint><x>1e308</x></startPoint></wall>", "farther than 1 km"),
        ("<wall><startPoint><x>nan</x></startPoint></wall>", "isn't a number"),
        (
            "<element><centre/><width>-5</width></element>", "<width> has -5; a size isn't negative"
        ),
        ("<element><centre/><width>5</width></element>", "needs a width and a depth"),
        (
            "<element><centre/><width>5</width><depth>300000</depth></element>",
            "a depth of 1 mm to 200 m"
        ),
        ("<element><centre/><angle>360</angle></element>", "write 0 to 359.999"),
        ("<element><centre/><kind>sofa</kind></element>", "write one of: unspecified, bed"),
        ("<element><centre/><label>a<b/></label></element>", "<b> is inside a text"),
        ("<element><centre/><label escaped=\"yes\">\\x</label></element>", "begins no sign"),
        ("<door><wall>no</wall><width>5</width></door>", "needs a wall, and no isn't one"),
        ("<room><id></id></room>", "has an empty id"),
    ])
    func `an impossible value is refused with its place and the remedy`(
        inside: String, words: String
    ) {
        expectRefusal("<plan version=\"1\">\n  \(inside)</plan>", "line 2, column", words)
    }

    @Test func `an id may stand only once`() {
        let room = "<room><id>a</id></room>"
        expectRefusal(
            "<plan version=\"1\">\n\(room)\n\(room)</plan>",
            "line 3, column 1, <room> has the id “a” that line 2, column 1, <room> has already")
    }

    @Test func `doors that overlap are refused with the place of the second`() {
        expectRefusal(
            """
            <plan version="1">
            <wall><startPoint><x>0</x><y>0</y></startPoint><endPoint><x>3000</x><y>0</y></endPoint>
            <door><offset>100</offset><width>900</width></door>
            <door><offset>900</offset><width>900</width></door>
            </wall></plan>
            """, "line 4, column 1, <door>: “door-2”, 900 to 1800 mm of wall wall-1, overlaps")
    }

    @Test func `unknown keys are reported, not silently dropped`() throws {
        let read = try PlanFile.read(
            Array(
                """
                <plan version="1" colour="red">
                  <roof/>
                  <room made="2020"><corner><x>0</x><y>0</y></corner><corner><x>900</x><y>0</y>
                  </corner><corner><x>0</x><y>900</y></corner><floor>oak</floor>!</room>
                </plan>
                """.utf8), named: "a.nav")
        #expect(
            read.warnings == [
                "line 1, column 1, <plan>: has the attribute colour, which was left out",
                "line 2, column 3, <roof>: isn't known here and was left out",
                "line 4, column 47, <floor>: isn't known here and was left out",
                "line 3, column 3, <room>: has the attribute made, which was left out",
                "line 3, column 3, <room>: has text between its elements, which was left out",
            ])
    }

    @Test func `a plan has at most 10,000 things`() throws {
        let room = Room(
            corners: [PlanPoint(), PlanPoint(x: 900, y: 0), PlanPoint(x: 0, y: 900)])
        func file(_ count: Int) -> [UInt8] {
            WrittenPlan.native(
                PlanDetails(name: "Home"),
                (0..<count).map { number in
                    var room = room
                    room.id = "\(number)"
                    return PlanItem(item: .room(room))
                })
        }
        #expect(try PlanFile.read(file(10_000), named: "a.nav").items.count == 10_000)
        let refusal = #expect(throws: Refusal.self) {
            try PlanFile.read(file(10_001), named: "a.nav")
        }
        #expect(
            refusal?.message.contains("at most 10000") == true, "\(String(describing: refusal))")
    }
}

/// Reads a text that must be refused with certain words.
func expectRefusal(
    _ text: String, _ words: String..., options: PlanFileOptions = PlanFileOptions(),
    at location: SourceLocation = #_sourceLocation
) {
    let refusal = #expect(throws: Refusal.self, sourceLocation: location) {
        try PlanFile.read(Array(text.utf8), named: "plan.nav", options)
    }
    let message = refusal?.message ?? ""
    for words in words {
        #expect(message.contains(words), "\(message)", sourceLocation: location)
    }
}
