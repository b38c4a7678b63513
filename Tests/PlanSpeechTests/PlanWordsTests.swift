import Messages
import PlanSpeech
import Testing

@Suite struct PlanWordsTests {
    @Test func `a list says that a turning circle shorter than its chair doesn't count`() {
        func measures(_ diameter: UInt32) -> String {
            PlanItem(
                item: .element(
                    Element(
                        id: "chair-1", kind: .wheelchair, width: 700, depth: 1200,
                        wheelchair: Wheelchair(turningDiameter: diameter)))
            ).measures
        }
        #expect(measures(1500) == "700 x 1200 mm, turns in 1500")
        #expect(measures(1200) == "700 x 1200 mm, turns in 1200")
        #expect(measures(750) == "700 x 1200 mm, turning circle 750 too short to count")
        #expect(measures(0) == "700 x 1200 mm")
    }

    @Test(
        arguments: [
            (.bed, "a bed"), (.aid, "an aid"), (.appliance, "an appliance"),
            (.unspecified, "a thing"),
        ] as [(ElementKind, String)])
    func `a kind has the article that it needs`(kind: ElementKind, words: String) {
        #expect(PlanItem(item: .element(Element(id: "x", kind: kind))).aKind == words)
    }

    @Test func `where a thing stands follows its size, and what else is known comes last`() {
        let chair = Element(
            id: "chair-1", kind: .wheelchair, centre: PlanPoint(x: 3_000, y: -2_000), width: 700,
            depth: 1_200, wheelchair: Wheelchair(turningDiameter: 1_500))
        #expect(
            PlanItem(item: .element(chair)).line
                == "chair-1: 700 x 1200 mm at (3000, -2000), turns in 1500")
    }

    @Test func `a list says which part of the hanging of a door is a guess`() {
        func measures(hinges: Bool, swing: Bool, isUnknown: Bool = true) -> String {
            PlanItem(
                item: .opening(
                    Opening(
                        id: "door-1", kind: .door, width: 900, clearWidth: 800, hingesAtEnd: true,
                        hungUnknown: isUnknown, hingesKnown: hinges, swingKnown: swing))
            ).measures
        }
        let hung = "900 mm wide, 800 free, hinges at its end, swings left"
        #expect(measures(hinges: false, swing: false) == hung + ", hinges and swing guessed")
        #expect(measures(hinges: true, swing: false) == hung + ", swing guessed")
        #expect(measures(hinges: false, swing: true) == hung + ", hinges guessed")
        #expect(measures(hinges: false, swing: false, isUnknown: false) == hung)
    }
}
