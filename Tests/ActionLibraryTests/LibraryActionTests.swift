import Phrases
import Testing

@testable import ActionLibrary

/// The actions that come with Steward.
struct LibraryActionTests {
    @Test func `there are at least 120 actions in ten areas of life, at least ten in each`() {
        let areas = Dictionary(grouping: LibraryAction.all, by: \.area)
        #expect(LibraryAction.all.count >= 120)
        #expect(
            areas.keys.sorted() == [
                "household", "hygiene", "leisure", "meals", "medicine", "movement", "pets", "rest",
                "school", "work",
            ])
        #expect(areas.values.allSatisfy { $0.count >= 10 })
    }

    @Test func `each name in Phrases has its emoji and its minutes, exactly once`() {
        #expect(Set(LibraryAction.all.map(\.phrase)) == Set(ActionPhrase.allCases))
        #expect(LibraryAction.all.count == ActionPhrase.allCases.count)
    }

    @Test func `an action has one emoji, and no two look the same`() {
        for action in LibraryAction.all {
            #expect(action.emoji.count == 1, "\(action.key)")
            #expect(
                action.emoji.unicodeScalars.contains {
                    $0.properties.isEmoji && !$0.isASCII
                }, "\(action.key)")
        }
        #expect(Set(LibraryAction.all.map(\.emoji)).count == LibraryAction.all.count)
    }

    @Test func `an action takes 1 to 120 minutes`() {
        #expect(LibraryAction.all.allSatisfy { (1...120).contains($0.minutes) })
    }

    @Test(arguments: Language.allCases)
    func `a name is short, capitalised and unique`(
        language: Language
    ) {
        let names = LibraryAction.all.map { $0.name(in: language) }
        #expect(names.allSatisfy { (3...32).contains($0.count) })
        #expect(names.allSatisfy { $0.first?.isUppercase == true && $0.last != "." })
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    @Test func `an action is found by its name in any language and by its key`() {
        let action = LibraryAction.ofKey("hygiene.brushTeeth")
        #expect(action?.emoji == "🪥" && action?.minutes == 3)
        for name in ["hygiene.brushTeeth", "brush your teeth", "Pusse tennene", "borsta TÄNDERNA"] {
            #expect(LibraryAction.named(name) == action)
        }
        #expect(LibraryAction.named("brush the moon") == nil)
        #expect(LibraryAction.ofKey("Pusse tennene") == nil)
    }

    @Test func `a name means the same action in every language that has it`() {
        let meanings = Language.allCases.flatMap { language in
            LibraryAction.all.map { ($0.name(in: language).lowercased(), $0.key) }
        }
        for (name, keys) in Dictionary(grouping: meanings, by: \.0) {
            #expect(Set(keys.map(\.1)).count == 1, "\(name) means several actions")
        }
    }
}
