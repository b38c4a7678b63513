import AccessRules
import FloorPlan
import Messages
import Synchronization

/// Where chairs got to in the dwellings that were looked at last: after a change only the dwelling
/// that was changed is looked at again.
final class KnownReach: Sendable {
    static let shared = KnownReach()

    /// The maximum number of dwellings, and of items in all of them.
    static let mostParts = 200
    static let mostItems = OpenPlan.mostItems

    private struct Entry {
        let plan: FloorPlan
        let chair: PersonChair
        let language: String
        let rooms: [RoomReach]
    }

    /// The one used last is at the end.
    private let entries = Mutex<[Entry]>([])

    /// Returns what was found in a dwelling before, or else looks, for `reach`.
    func remember(
        _ chair: PersonChair, _ language: String
    ) -> (FloorPlan, () throws(Refusal) -> [RoomReach]) throws(Refusal) -> [RoomReach] {
        { (plan, look) throws(Refusal) in
            let known = self.entries.withLock { entries -> [RoomReach]? in
                let place = entries.lastIndex {
                    $0.chair == chair && $0.language == language && $0.plan == plan
                }
                guard let place else { return nil }
                let entry = entries.remove(at: place)
                entries.append(entry)
                return entry.rooms
            }
            if let known { return known }
            let rooms = try look()
            // What was given up half way isn't known.
            guard !WorkLimit.isOver else { return rooms }
            self.entries.withLock { entries in
                entries.append(
                    Entry(plan: plan, chair: chair, language: language, rooms: rooms))
                var items = entries.reduce(0) { $0 + $1.plan.count }
                while entries.count > Self.mostParts || items > Self.mostItems,
                    let first = entries.first
                {
                    items -= first.plan.count
                    entries.removeFirst()
                }
            }
            return rooms
        }
    }
}
