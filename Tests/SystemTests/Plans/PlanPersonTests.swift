import Foundation
import Messages
import TestSupport
import Testing

/// The person and their aids, at the command line.
struct PlanPersonTests {
    /// A hall with an entrance and a bathroom behind a door of 650 mm with a threshold.
    private static func home(_ office: PlanOffice) throws {
        try office.draw(
            "room Hall --at 0,0 --size 4000x2000 --walls 100 --use hall",
            "room Bath --at 0,2100 --size 3000x3000 --use bathroom",
            "wall --from room-1-wall-3:end --to -50,5150 --to 3050,5150 --to 3050,2050",
            "door room-1-wall-1 --offset 1500 --width 1000 --clear 900 --swing right "
                + "--threshold 0 --entrance",
            "door room-1-wall-3 --offset 1000 --from end --in Bath --opens-into Hall --width 900 "
                + "--clear 650 --threshold 40")
    }

    @Test func `hands on the rims need room in a door`() throws {
        let office = try PlanOffice()
        try Self.home(office)
        let alone = try office.run("plan reach --size 580x900")
        #expect(alone.contains("a chair of 580 x 900 mm"))
        #expect(alone.contains("no door is too narrow"))
        let hands = try office.run("plan reach --size 580x900 --hands 100")
        #expect(hands.contains("650 mm are free, 30 mm are missing"))
        let norwegian = try office.run("plan reach --size 580x900 --hands 100 --language nb")
        #expect(norwegian.contains("650 mm er fritt, 30 mm mangler"))
        try office.draw("wheelchair --at 2000,1000 --size 580x900 --hands 100 --leg-rests 250")
        let chair = try office.element("wheelchair-1").wheelchair
        #expect(chair == Wheelchair(hands: 100, legRests: 250))
        try office.draw("change wheelchair-1 --hands 0 --assistant 500")
        #expect(
            try office.element("wheelchair-1").wheelchair
                == Wheelchair(assistant: 500, legRests: 250))
        #expect(
            try office.refusal(of: "plan change wheelchair-1 --hands 2m").contains("1 m for hands"))
    }

    @Test func `a door that is too close to tell isn't said to be wide enough`() throws {
        let office = try PlanOffice()
        try office.draw(
            "details --tolerance 5", "room Hall --at 0,0 --size 2500x2500 --walls 100 --use hall",
            "door room-1-wall-1 --offset 500 --width 900 --clear 780 --threshold 0 --entrance")

        let close = try office.run("plan reach --size 779x1000")

        #expect(close.contains("unsure") && close.contains("too close to tell, measure the door"))
        #expect(!close.contains("no door is too narrow"))
        #expect(close.contains("unsure  door-1 (the door): 780 mm are free; it is too close"))
        let doors = try office.value(of: "plan reach --size 782x1000", as: PlanReach.self).doors
        #expect(doors.map(\.verdict) == [.uncertain] && doors.map(\.missing) == [2])
        #expect(try office.run("plan reach --size 785x1000").contains("5 mm are missing"))
        #expect(try office.run("plan reach --size 600x1000").contains("no door is too narrow"))
    }

    @Test func `ramps on both sides lead over a threshold`() throws {
        let office = try PlanOffice()
        try Self.home(office)
        #expect(try office.run("plan reach --size 500x900").contains("threshold 40 mm"))
        try office.draw(
            "add aid --class 183015 --at 1450,2350 --size 900x500 --height 40",
            "add aid --class 183015 --at 1450,1800 --size 900x400 --height 30")
        let reach = try office.run("plan reach --size 500x900")
        #expect(!reach.contains("threshold"), "\(reach)")
        let check = try office.run("plan check --standard husbanken --all")
        #expect(check.contains("makes up for the threshold of 40 mm but for 10 mm"))
    }

    @Test func `a ramp that a check offers has to be chosen, not built`() throws {
        let office = try PlanOffice()
        try Self.home(office)
        try office.draw("change door-2 --threshold 60")
        let check = try office.run("plan check --standard tek10 --repairs")
        #expect(check.contains("to get: lay a ramp on each side of"), "\(check)")

        let refusal = try office.refusal(of: "plan repair tek10/threshold/door-2")

        #expect(refusal.contains("somebody has to choose a product: lay a ramp"))
        #expect(refusal.contains("steward plan add aid --class"))
    }

    @Test func `movable aids can count or not`() throws {
        let office = try PlanOffice()
        try Self.home(office)
        try office.draw(
            "details --standard tek10", "add aid --class 093307 --at 1500,3600 --size 521x864")
        let failure = "tek10/turning-bathroom/room-2"
        #expect(try office.run("plan check --failing").contains(failure))
        #expect(try !office.run("plan check --failing --without-movable").contains(failure))
        let file = office.system.path("report.html")
        try office.run("plan report \(file)")
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.contains("put the movable aids away"))
    }

    @Test func `a report begins with its conclusion, and ends it with a line to sign`() throws {
        let office = try PlanOffice()
        try Self.home(office)
        try office.draw(
            "wheelchair --at 2000,1000 --size 580x900 --hands 100",
            "details --chair wheelchair-1 --author 'A. Berg' --author-title Ergoterapeut "
                + "--assessment 'Needs a wider door.'")
        let file = office.system.path("report.html")
        func page(_ options: String = "") throws -> String {
            try office.run("plan report \(file) \(options)")
            return try String(contentsOfFile: file, encoding: .utf8)
        }
        let english = try page()
        try office.draw("room Den --at 6000,0 --size 1200x1200 --use living")
        for text in [
            "Conclusion", "Who pays", "Needs a wider door.", "A. Berg, Ergoterapeut",
            "Date and signature", "Hands on the push rims need 10 cm more",
            "ask the municipality for a grant",
        ] {
            #expect(english.contains(text), "\(text)")
        }
        #expect(try page("--language nb").contains("preakseptert ytelse"))
        let arrow = ">N</text>"
        #expect(!english.contains(arrow))
        try office.draw("details --north 90")
        #expect(try page().contains(arrow))
    }
}
