import Foundation
import Messages
import Texts

/// The rules of a piece of equipment.
extension Equipment {
    /// Applies a report to the equipment, whose history is then this entry alone.
    mutating func enter(_ entry: EquipmentEntry, area: String) throws(Refusal) {
        switch entry.state {
        case .working, .faulty, .outOfOrder: break
        default: throw .invalid("equipment is working, faulty or out of order")
        }
        guard entry.text.count <= 1000, entry.text.utf8.count <= 4000 else {
            throw Refusal.invalid("say in at most 1000 characters what is wrong or was done")
                .because(1...1000)
        }
        guard entry.state == .working || !entry.text.isEmpty else {
            throw Refusal.invalid("say what is wrong with it").because(.textMissing)
        }
        state = entry.state
        if !area.isEmpty { self.area = area }
        history = [entry]
    }

    /// A name in its stored form.
    static func checked(_ typed: String, _ what: String) throws(Refusal) -> String {
        let name = typed.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespaces)
        guard (1...100).contains(name.count), name.utf8.count <= 400 else {
            throw Refusal.invalid("\(what) has 1 to 100 characters").because(1...100)
        }
        return name
    }
}

/// The rules of a spare part.
extension SparePart {
    /// Refuses a part without a place, because nobody could find it, and texts that are too long.
    mutating func validate() throws(Refusal) {
        name = try Equipment.checked(name, "the name of a spare part")
        // Rows are found by the bytes of a number.
        number = number.precomposedStringWithCanonicalMapping
        guard number.count <= 100, place.count <= 200, fits.count <= 50,
            fits.allSatisfy({ $0.count <= 100 }), packed().count <= 8192
        else {
            throw .invalid(
                "a spare part has a number of at most 100 characters, a place of 200, and fits 50 "
                    + "pieces of equipment")
        }
        guard !place.isEmpty else { throw .invalid("say where the spare part is kept") }
    }

    /// True when it has this name, ignoring case.
    func isNamed(_ name: String) -> Bool { FoldedText.name(self.name) == FoldedText.name(name) }

    /// True when it has this number, ignoring case.
    func isNumbered(_ number: String) -> Bool {
        FoldedText.name(self.number) == FoldedText.name(number)
    }

    /// All texts by which it is found.
    var searchText: String {
        FoldedText.name(([name, number, place] + fits).joined(separator: "\n"))
    }
}
