import Markup
import Messages
import Phrases
import Testing

@testable import WebService

/// What the page of a plan says of its check.
struct PlanFindingsTests {
    private static func text(_ check: PlanCheck?, _ language: Language = .english) -> String {
        PlanFindings(check: check, language: language, repairs: nil).section.plainText
    }

    @Test func `the page names the rooms that rules passed over`() {
        let nothing = "Nothing in this plan fails"
        #expect(Self.text(PlanCheck(passedOver: PassedOver())).contains(nothing))
        // An earlier service doesn't say what it passed over.
        #expect(!Self.text(PlanCheck()).contains(nothing))

        let over = PassedOver(
            rooms: [NamedItem(id: "room-1", name: "Loft"), NamedItem(id: "room-2")], roomCount: 5,
            things: [NamedItem(id: "toilet-1")], thingCount: 1)
        let page = Self.text(PlanCheck(passedOver: over))
        #expect(page.contains("because it isn't said: “Loft”, room-2 and 3 more."))
        #expect(page.contains("In no room, and so not checked: toilet-1."))
        #expect(!page.contains(nothing))
        let bare = Self.text(PlanCheck(passedOver: PassedOver(withoutRooms: true)), .norwegian)
        #expect(bare.contains("Ingen rom er tegnet"))
    }

    @Test func `the page names the rooms that the chair doesn't get into`() {
        let reach = PlanReach(rooms: [
            RoomReach(
                room: "room-1", name: "Bath", reached: .fail, turned: .fail,
                obstruction: "no way leads there")
        ])
        let page = Self.text(PlanCheck(reach: reach, passedOver: PassedOver()))
        #expect(page.contains("Bath: The chair doesn’t get in: no way leads there"))
        #expect(!page.contains("Nothing in this plan fails"))
    }

    @Test func `a finding on the page says if it binds, was measured, and what repairs take`() {
        func text(
            _ change: (inout PlanFinding) -> Void, _ language: Language = .english
        ) -> String {
            var finding = PlanFinding(
                id: "tek17/door-inside/door-1", standard: "tek17", clause: "§ 12-13 (2) b",
                item: "door-1", verdict: .fail, requirement: "clear width at least 760 mm",
                required: "760 mm", measured: 700, margin: -60)
            change(&finding)
            return Self.text(PlanCheck(findings: [finding], failed: 1), language)
        }
        #expect(text { _ in }.contains("tek17 § 12-13 (2) b: clear width at least 760 mm"))
        #expect(text { _ in }.contains("Measured 700 mm"))
        #expect(text { $0.advisory = true }.contains("§ 12-13 (2) b, not binding here: clear"))
        #expect(text({ $0.advisory = true }, .norwegian).contains("ikke bindende her"))
        #expect(text { $0.estimated = true }.contains("Measured ~700 mm"))
        let move = PlanAction(action: .move(MoveItems(ids: ["bed-1"], by: PlanPoint(x: 1))))
        let repairs = text {
            $0.repairs = [
                Repair(text: "move the bed", actions: [move], kind: .move),
                Repair(text: "lay a ramp", kind: .aid),
                Repair(text: "put a wider leaf into the door", kind: .build),
            ]
        }
        #expect(repairs.contains("Repair move the bed"))
        #expect(repairs.contains("Repair to get: lay a ramp"))
        #expect(repairs.contains("Repair to build: put a wider leaf"))
    }

    @Test(arguments: [(Verdict.pass, true), (.unknown, false), (.fail, false)])
    func `only a clause that is met has the colour of what is fine`(
        verdict: Verdict, isFine: Bool
    ) {
        let finding = PlanFinding(
            id: "tek17/threshold/door-1", verdict: verdict, person: PersonFinding(verdict: .fail))
        let page = PlanFindings(
            check: PlanCheck(findings: [finding]), language: .english, repairs: nil
        ).section.html
        #expect(page.contains(#"class="verdict fine""#) == isFine)
        #expect(page.contains(#"class="verdict""#) != isFine)
    }

    @Test func `what the chair can't pass is counted although the clause is met`() {
        let finding = PlanFinding(
            id: "tek17/door-inside/door-1", verdict: .pass, person: PersonFinding(verdict: .fail))
        let page = Self.text(PlanCheck(findings: [finding], passed: 1))
        #expect(page.contains("0 fail, 0 can't be decided, 1 pass, 1 of them not for this chair"))
    }
}
