import Foundation
import Messages
import TestSupport
import Testing

/// Nothing that is too narrow passes, at the command line.
struct PlanSafetyTests {
    private static func bath(_ office: PlanOffice, width: Int, depth: Int) throws {
        try office.draw(
            "details --standard tek10",
            "room Bath --at 0,0 --size \(width)x\(depth) --walls 100 --use bathroom",
            "door room-1-wall-1 --offset 0 --width 900 --clear 860 --threshold 0 "
                + "--entrance")
    }

    @Test func `furniture behind a door is reported when placed, in checks and in reach`()
        throws
    {
        let office = try PlanOffice()
        try Self.bath(office, width: 3_000, depth: 3_000)
        #expect(try office.run("plan reach --size 650x1100").contains("no door is too narrow"))

        let placed = try office.say("plan add cupboard --at 300,800 --size 400x400 --label Chest")

        #expect((placed.out + placed.err).contains("opens against “Chest”: only to"))
        let check = try office.run("plan check --standard tek17 --failing")
        #expect(check.contains("tek17/door-entrance/door-1"))
        #expect(check.contains("The door opens only to") && check.contains("Chest is in the way"))
        let reach = try office.run("plan reach --size 650x1100")
        #expect(reach.contains("; Chest is in the way"))

        try office.draw("move Chest --north 1000")
        #expect(try !office.run("plan reach --size 650x1100").contains("is in the way"))
    }

    @Test func `a circle that misses a door's arc by half a millimetre fails`() throws {
        // With the hinges in a corner, a room 1990 wide has to be 1838.53 deep.
        for (depth, fails) in [(1_838, true), (1_839, false)] {
            let office = try PlanOffice()
            try Self.bath(office, width: 1_990, depth: depth)
            let failing = try office.run("plan check --failing")
            #expect(failing.contains("tek10/turning-bathroom/room-1") == fails, "\(depth)")
        }
    }

    @Test func `the frame in a home file isn't treated as the clear width`() throws {
        let office = try PlanOffice(plan: nil)
        let file = office.system.path("frame.xml")
        try Data(
            """
            <home version='7000' wallHeight='240'>
            <wall id='w' xStart='0' yStart='-5' xEnd='400' yEnd='-5' height='250' thickness='10'/>
            <doorOrWindow name='Door frame' x='200' y='-5' width='91.5' depth='10' height='210'/>
            </home>
            """.utf8
        ).write(to: URL(filePath: file))
        try office.run("plan import \(file) --name Frame")
        guard case .opening(let frame) = try office.items()["door-1"] else {
            Issue.record("the frame is missing")
            return
        }
        #expect(frame.clearWidth == 757 && frame.clearEstimated)
        try office.draw("change door-1 --clear 780")
        guard case .opening(let measured) = try office.items()["door-1"] else {
            Issue.record("the door is missing")
            return
        }
        #expect(measured.clearWidth == 780 && !measured.clearEstimated)
    }

    @Test func `a threshold that a file doesn't give is unknown until somebody measured it`() throws
    {
        let office = try PlanOffice(plan: nil)
        let file = office.system.path("flat.xml")
        try Data(
            """
            <plan><wall><startPoint><x>0</x><y>0</y></startPoint>
            <endPoint><x>400</x><y>0</y></endPoint>
            <door><offset>50</offset><width>90</width></door></wall></plan>
            """.utf8
        ).write(to: URL(filePath: file))
        let said = try office.say("plan import \(file) --name Flat")
        #expect((said.out + said.err).contains("a threshold at door-1"))
        func check() throws -> String { try office.run("plan check --standard tek10 --all") }
        #expect(try check().contains("Threshold: not known"))

        try office.draw("change door-1 --threshold 0")
        #expect(try check().contains("There is no threshold."))
    }

    @Test func `an endless or oversized script is refused immediately`() throws {
        let office = try PlanOffice()
        #expect(try office.refusal(of: "plan run /dev/zero").contains("larger than 1 MiB"))
        let long = office.system.path("long.plan")
        try Data(String(repeating: "# remark\n", count: 1_200_000).utf8)
            .write(to: URL(filePath: long))
        #expect(try office.refusal(of: "plan run \(long)").contains("larger than 1 MiB"))
        let many = try office.script(String(repeating: "draw\n", count: 5_001))
        #expect(many.err.contains("5001: a script has at most 5000 commands"))
        #expect(try office.contents().items.isEmpty)
    }
}
