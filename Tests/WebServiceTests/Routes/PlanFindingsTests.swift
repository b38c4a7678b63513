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
}
