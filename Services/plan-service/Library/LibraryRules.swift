import FloorPlan
import Foundation
import Messages

/// The rules for items of a library.
extension LibraryItem {
    /// The item in its stored form: with the label of its content, and its centre at the origin.
    ///
    /// - Throws: a refusal if it could not be placed in any plan.
    func tidied() throws(Refusal) -> LibraryItem {
        guard item.item != nil else {
            throw .invalid("say what to keep: an element, a wall or a room")
        }
        var tidied = self
        let own = label.isEmpty ? item.label : label
        tidied.label =
            own.trimmingCharacters(in: .whitespacesAndNewlines)
            .precomposedStringWithCanonicalMapping
        try validateText(tidied.label, "the label", 1...PlanItem.longestLabel)
        let thing = try item.centred().labelled(tidied.label)
        try thing.named("x").validateTexts()
        var editor = PlanEditor(FloorPlan())
        _ = try editor.make(.add([thing.named(tidied.label)]))
        tidied.item = thing
        return tidied
    }
}

extension PlanItem {
    /// The same without an id, with this label; an element also records what it was made from.
    fileprivate func labelled(_ label: String) -> PlanItem {
        switch item {
        case .wall(var wall):
            (wall.id, wall.label) = ("", label)
            return PlanItem(item: .wall(wall))
        case .room(var room):
            (room.id, room.name) = ("", label)
            return PlanItem(item: .room(room))
        case .element(var element):
            (element.id, element.label, element.custom) = ("", label, label)
            return PlanItem(item: .element(element))
        case .opening, nil: return self
        }
    }

    /// The same with its centre at the origin: for a wall its midpoint, for a room the centre of
    /// its bounds.
    fileprivate func centred() throws(Refusal) -> PlanItem {
        switch item {
        case .wall(let wall): return moved(from: Bounds([wall.from.vector, wall.to.vector]).centre)
        case .room(let room):
            guard !room.corners.isEmpty else { throw .invalid("the room has no corners") }
            return moved(from: Bounds(room.corners.map(\.vector)).centre)
        case .element(let element): return moved(from: element.place)
        case .opening, nil:
            throw .invalid("a door or window isn't kept by itself; keep an element, wall or room")
        }
    }

    private func moved(from middle: Vector) -> PlanItem {
        let middle = PlanPoint(middle)
        return placed(
            at: PlanPoint(
                x: Int32(clamping: -Int64(middle.x)), y: Int32(clamping: -Int64(middle.y))),
            turned: 0)
    }
}
