import Messages
import Testing

/// The plain names of timetables, channels and policies.
struct NameTests {
    private static let long = String(repeating: "x", count: 41)

    @Test(arguments: ["a", "Ruter-2026_b", String(repeating: "x", count: 40)])
    func `a plain name is accepted`(name: String) throws {
        try validateName(name, of: "a channel")
    }

    @Test(arguments: ["", "a b", "ø", "a\n", "a\u{301}", "../a", "١", long])
    func `what needs quotes on a command line can't be a name`(name: String) throws {
        let refusal = try #require(throws: Refusal.self) { try validateName(name, of: "a channel") }
        #expect(refusal.code == .invalid && refusal.isBecause(.namePlain))
        #expect(refusal.message.contains("can't name a channel"))
    }

    @Test func `a long name is repeated only in part`() throws {
        let name = String(repeating: "e\u{301}", count: 100_000)
        let refusal = try #require(throws: Refusal.self) { try validateName(name, of: "a set") }
        #expect(refusal.message.utf8.count < 200 && refusal.subject.utf8.count <= 100)
    }
}
