import Foundation
import Messages
import TestSupport
import Testing

/// Homes with flaws, and what they lack, at the command line.
struct PlanRepairTests {
    private static let home = """
        <home version='7000' wallHeight='240'>
        <room name='Hall'><point x='0' y='0'/><point x='400' y='0'/><point x='400' y='200'/>
        <point x='200' y='200'/><point x='200' y='200.5'/><point x='200.04' y='200'/>
        <point x='0' y='200'/></room>
        <room name='Living'><point x='0' y='210'/><point x='400' y='210'/>
        <point x='400' y='500'/><point x='0' y='500'/></room>
        <wall xStart='-5' yStart='-5' xEnd='405' yEnd='-5' height='250' thickness='10'/>
        <wall xStart='-5' yStart='205' xEnd='150' yEnd='205' height='250' thickness='10'/>
        <wall xStart='250' yStart='205' xEnd='405' yEnd='205' height='250' thickness='10'/>
        <doorOrWindow name='Exterior door' x='200' y='-5' width='100' depth='10' height='210'>
        <sash xAxis='0.05' width='0.9' startAngle='0' endAngle='-1.57'/></doorOrWindow>
        </home>
        """

    @Test func `a folded outline and a gap between walls leave every room within reach`() throws {
        let office = try PlanOffice(plan: nil)
        let file = office.system.path("home.xml")
        try Data(Self.home.utf8).write(to: URL(filePath: file))

        let said = try office.say("plan import \(file) --name Home")

        #expect((said.out + said.err).contains("a gap of 1000 mm between walls became a passage"))
        func reach() throws -> PlanReach {
            try office.value(of: "plan reach --size 650x1100", as: PlanReach.self)
        }
        let imported = try reach()
        #expect(imported.rooms.map(\.name) == ["Hall", "Living"])
        #expect(imported.rooms.allSatisfy { $0.reached == .uncertain })
        // Nobody had measured whether there are thresholds.
        try office.draw("change door-1 --threshold 0", "change door-2 --threshold 0")
        #expect(try reach().rooms.allSatisfy { $0.reached == .pass })
    }

    @Test func `a check reports the least change that helps`() throws {
        let office = try PlanOffice()
        try office.draw(
            "details --standard tek17",
            "room Bath --at 0,0 --size 1276x1800 --walls 100 --use bathroom",
            "door room-1-wall-1 --offset 150 --width 1000 --clear 900 --swing right --entrance")
        let check = try office.run("plan check --failing")
        #expect(check.contains("24 mm too little"))
    }

    @Test func `for a door that keeps a chair out, the report says by which size`() throws {
        let office = try PlanOffice()
        try office.draw(
            "room Hall --at 0,0 --size 3000x3000 --walls 100 --use hall",
            "door room-1-wall-1 --offset 400 --width 1000 --clear 900 --threshold 0 --entrance",
            "room Bed --at 0,3100 --size 3000x3000 --use bedroom",
            "door room-1-wall-3 --offset 400 --width 1000 --clear 900 --threshold 40")
        let reach = try office.run("plan reach --size 650x1100")
        #expect(reach.contains("threshold 40 mm; at most 25 can be passed"))
    }
}
