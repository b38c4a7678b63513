import Messages
import Phrases
import Testing

@testable import RoutineDay

/// What is valid as an action, a routine or an appointment.
struct RoutineRulesTests {
    private func kept(_ routine: Routine, own: [String: RoutineAction] = [:]) throws -> Routine {
        try routine.tidied { own[$0.nameKey] }
    }

    private func refusal(of body: () throws -> Void) -> Refusal? {
        do {
            try body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test func `an action is found by its name in any language, with its picture and minutes`()
        throws
    {
        let routine = try kept(
            Routine(
                name: "Morgen", actions: [RoutineAction(name: "pusse tennene")], tags: ["Morgen"]))
        let action = try #require(routine.actions.first)
        #expect(action.library == "hygiene.brushTeeth" && action.name.isEmpty)
        #expect(action.emoji == "🪥" && action.minutes == 3 && action.priority == 3)
        #expect(action.title(in: .swedish) == "Borsta tänderna")
        #expect(routine.tags == ["morgen"] && routine.from == 300 && routine.until == 660)
    }

    @Test func `a person's own action takes precedence over one that comes with Steward`() throws {
        let own = RoutineAction(name: "Shave", emoji: "🧔", minutes: 20, priority: 5)
        let routine = try kept(
            Routine(name: "Bath", actions: [RoutineAction(name: "shave", minutes: 4)]),
            own: ["shave": own])
        #expect(
            routine.actions == [
                RoutineAction(name: "Shave", emoji: "🧔", minutes: 4, priority: 5)
            ])
    }

    @Test func `a name may be an emoji alone, for a routine and for an action`() throws {
        let routine = try kept(Routine(emoji: "🌅", actions: [RoutineAction(emoji: "🥣")]))
        #expect(routine.name == "🌅" && routine.actions[0].title(in: .english) == "🥣")
    }

    @Test func `a routine without a name or without an action is refused with that reason`() {
        let nameless = refusal { _ = try kept(Routine(actions: [RoutineAction(name: "Shave")])) }
        #expect(nameless?.message.contains("needs a name") == true)
        let empty = refusal { _ = try kept(Routine(name: "Morning")) }
        #expect(empty?.message.contains("has no action") == true)
    }

    @Test(arguments: [
        RoutineAction(), RoutineAction(name: "x", minutes: 481),
        RoutineAction(name: "x", minutes: 5, priority: 6), RoutineAction(name: "x", emoji: "tooth"),
        RoutineAction(library: "hygiene.flyAway"), RoutineAction(name: "a\u{7}b"),
        RoutineAction(name: String(repeating: "a", count: 81)),
        RoutineAction(name: "x", emoji: "🪥🪥🪥🪥🪥"), RoutineAction(name: "x", minutes: .max),
    ])
    func `an impossible action is refused, in a routine and on its own`(action: RoutineAction) {
        #expect(refusal { _ = try kept(Routine(name: "Morning", actions: [action])) } != nil)
        guard action.library.isEmpty else { return }
        #expect(refusal { _ = try action.checked() } != nil)
    }

    @Test(
        arguments: [
            (600, 600), (600, 540), (1_440, 1_440), (0, 1_441), (UInt32.max, UInt32.max),
        ] as [(UInt32, UInt32)])
    func `an appointment must end after it begins, within the day`(
        from: UInt32, until: UInt32
    ) {
        let doctor = Appointment(name: "Doctor", from: from, until: until)
        #expect(refusal { _ = try doctor.tidied() }?.code == .invalid)
    }

    @Test func `the refusal of an appointment that ends before it begins names both times`() {
        let said = refusal { _ = try Appointment(name: "Doctor", from: 600, until: 540).tidied() }
        #expect(
            said?.message
                == "the appointment “Doctor” ends at 09:00, before it begins at 10:00; give an end "
                + "after the beginning")
        let short = refusal { _ = try Appointment(name: "Doctor", from: 600, until: 600).tidied() }
        #expect(short?.message.contains("ends at 10:00, as soon as it begins; give") == true)
    }

    @Test func `the time comes from the first tag that implies one, or is the whole day`() {
        #expect(TagTime.of(["pet", "kveld", "morning"]) == TagTime(from: 1_020, until: 1_320))
        #expect(TagTime.of(["pet"]) == TagTime(from: 0, until: 1_440))
        #expect(TagTime.of([]) == TagTime(from: 0, until: 1_440))
    }

    @Test func `tags are kept in lower case, without duplicates, at most ten`() throws {
        #expect(try [" Morning", "morning", "Pet "].tidiedTags() == ["morning", "pet"])
        #expect(refusal { _ = try (0...10).map(String.init).tidiedTags() } != nil)
        #expect(refusal { _ = try [""].tidiedTags() } != nil)
    }
}
