import Messages
import Phrases

extension Words<FindingPhrase> {
    /// The words of a language; English if none is named.
    /// - Throws: for an unknown language, naming the known ones.
    static func of(_ language: String) throws(Refusal) -> Words {
        if language.isEmpty { return Words(.english) }
        guard let known = Language(language) else { throw Language.unknown(language) }
        return Words(known)
    }

    /// The name of an item: its label, or else its kind.
    func name(_ item: PlanItem) -> String {
        switch nameValue(item) {
        case .word(let kind): say(kind)
        case .text(let label): label
        default: ""
        }
    }

    /// The same for what is in the way of a door; for a room, that is a wall that isn't drawn.
    func obstacleName(_ item: PlanItem) -> String {
        if case .room = item.item { say(.wall) } else { name(item) }
    }

    /// The same as a value for texts in any language.
    func nameValue(_ item: PlanItem) -> Said<FindingPhrase>.Value {
        let (label, kind): (String, FindingPhrase) =
            switch item.item {
            case .element(let element): (element.label, element.kind.phrase)
            case .opening(let opening): (opening.label, opening.kind.phrase)
            case .room(let room): (room.name, .room)
            case .wall(let wall): (wall.label, .wall)
            case nil: ("", .thing)
            }
        return label.isEmpty ? .word(kind) : .text(label)
    }

    /// The same in a sentence, with a label in quotation marks.
    func quotedName(_ item: PlanItem) -> String {
        let name = name(item)
        let isLabel =
            switch item.item {
            case .element(let element): !element.label.isEmpty
            case .opening(let opening): !opening.label.isEmpty
            case .room(let room): !room.name.isEmpty
            default: false
            }
        return isLabel ? say(.named, ["name": name]) : name
    }
}

extension ElementKind {
    fileprivate var phrase: FindingPhrase {
        switch self {
        case .bed: .bed
        case .toilet: .toilet
        case .washbasin: .washbasin
        case .shower: .shower
        case .bath: .bath
        case .kitchenBench: .kitchenBench
        case .table: .table
        case .seat: .seat
        case .cupboard: .cupboard
        case .appliance: .appliance
        case .aid: .aid
        default: .thing
        }
    }
}

extension OpeningKind {
    fileprivate var phrase: FindingPhrase {
        switch self {
        case .door: .door
        case .slidingDoor: .slidingDoor
        default: .opening
        }
    }
}
