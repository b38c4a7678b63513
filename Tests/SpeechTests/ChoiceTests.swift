import Testing

@testable import Speech

struct ChoiceTests {
    private static let one = Choice(ids: ["9f86"], title: "Order ice", number: 1001)

    @Test func `an object is named by its id, its title, or a part of that`() throws {
        for text in ["9f86", "Order ice", "order", "ICE"] {
            #expect(try Choice.find(text, among: [Self.one], what: "to-do") == Self.one)
        }
    }

    @Test(arguments: ["", " ", "\t", "\u{a0}"])
    func `nothing typed names nothing, even if there is only one object`(text: String) {
        #expect(
            throws: Failure(
                .refused, "no to-do was named", advice: "give a number: 1001 “Order ice”")
        ) {
            _ = try Choice.find(text, among: [Self.one], what: "to-do")
        }
        #expect(throws: Failure(.refused, "no to-do was named", advice: "there are none")) {
            _ = try Choice.find(text, among: [], what: "to-do")
        }
    }

    @Test func `objects without numbers that people see are told apart by their names`() {
        let routines = ["Morning", "Morning run"].enumerated().map {
            Choice(ids: [], title: $1, number: $0 + 1)
        }
        #expect(
            throws: Failure(
                .refused, "“morn” may be any of 2 routines",
                advice: "give the name: “Morning”, “Morning run”")
        ) {
            _ = try Choice.find("morn", among: routines, what: "routine", isNumbered: false)
        }
        #expect(
            throws: Failure(
                .refused, "there is no routine “Moon”",
                advice: "the nearest are “Morning”, “Morning run”")
        ) {
            _ = try Choice.find("Moon", among: routines, what: "routine", isNumbered: false)
        }
    }
}
