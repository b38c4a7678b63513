import Messages
import Testing

@testable import PlanFiles

/// What a thing is, by its name.
struct ElementGuessTests {
    @Test(
        arguments: [
            ("Bed", .bed), ("Adjustable bed", .bed), ("Single <bed> 🛏", .bed), ("Beds", .bed),
            ("Sofa bed", .bed), ("Bed with storage", .bed), ("Table", .table),
            ("Height adjustable table", .table), ("Coffee table", .table), ("Desk", .table),
            ("Bedside table", .cupboard), ("Chest of drawers", .cupboard), ("Sideboard", .cupboard),
            ("Bathroom cabinet", .cupboard), ("Bathroom sink", .washbasin),
            ("Washbasin", .washbasin),
            ("Kitchen sink", .kitchenBench), ("Bath", .bath), ("Bathtub", .bath),
            ("Shower chair", .seat), ("Shower cabinet", .shower), ("Armchair", .seat),
            ("Wheelchair", .wheelchair), ("Toilet unit", .toilet), ("Dishwasher", .appliance),
            ("Portable heater", .unspecified), ("Bathroom scale", .unspecified),
            ("Staircase", .stairs), ("Stair lift", .aid), ("Chimney", .structure),
        ] as [(String, ElementKind)])
    func `a thing is what the last noun of its English name says`(name: String, kind: ElementKind) {
        #expect(ElementGuess.kind(of: name) == kind)
    }

    @Test(
        arguments: [
            ("Seng", .bed), ("Regulerbar seng", .bed), ("Spisebord", .table),
            ("Spisebordet", .table),
            ("spisestol", .seat), ("Spisestoler", .seat), ("Dusjstol", .seat), ("Dusj", .shower),
            ("Nattbord", .cupboard), ("Servantskap", .cupboard), ("Servant", .washbasin),
            ("Kjøleskap", .appliance), ("Komfyr", .appliance), ("Oppvaskmaskin", .appliance),
            ("Badekar", .bath), ("Rullestol", .wheelchair), ("Kjøkkenbenk", .kitchenBench),
            ("Bord med stoler", .table), ("Trapp", .stairs), ("Personløfter", .aid),
            // Swedish
            ("Matbord", .table), ("Sängbord", .cupboard), ("Säng", .bed), ("Spis", .appliance),
            ("Kylskåp", .appliance), ("Garderobsskåp", .cupboard), ("Toalettstol", .toilet),
            ("Rullstol", .wheelchair), ("Duschpall", .seat), ("Tvättställ", .washbasin),
            // German
            ("Esstisch", .table), ("Nachttisch", .cupboard), ("Bett", .bed),
            ("Kühlschrank", .appliance), ("Kleiderschrank", .cupboard), ("Rollstuhl", .wheelchair),
            ("Duschhocker", .seat),
            ("Badewanne", .bath), ("Waschbecken", .washbasin), ("Treppe", .stairs),
        ] as [(String, ElementKind)])
    func `a compound is what its last part says`(name: String, kind: ElementKind) {
        #expect(ElementGuess.kind(of: name) == kind)
    }

    @Test func `a name counts before the catalogue's id, and the id if the name says nothing`() {
        #expect(ElementGuess.kind(of: "eTeks#coffeeTable", "Stool") == .seat)
        #expect(ElementGuess.kind(of: "eTeks#bed90x190", "Kari’s") == .bed)
        #expect(ElementGuess.kind(of: "eTeks#bedsideTable", "") == .cupboard)
        #expect(ElementGuess.kind(of: "eTeks#tvUnit", "") == .cupboard)
        #expect(ElementGuess.kind(of: "", "") == .unspecified)
    }
}
