import AccessRules
import FloorPlan
import Messages
import Synchronization

/// Where chairs can go in the dwellings that were examined last: after a change only the changed
/// dwelling is examined again.
final class KnownReach: Sendable {
    static let shared = KnownReach()

    /// The maximum number of dwellings, and of items in all of them.
    static let mostParts = 200
    static let mostItems = OpenPlan.mostItems

    private struct Entry {
        let plan: FloorPlan
        let chair: PersonChair
        let tolerance: UInt32
        let language: String
        let rooms: [RoomReach]
    }

    /// The most recently used is at the end.
    private let entries = Mutex<[Entry]>([])

    /// Returns the earlier result for a dwelling, or else examines it, for `reach`.
    func remember(
        _ chair: PersonChair, tolerance: UInt32, _ language: String
    ) -> (FloorPlan, () throws(Refusal) -> [RoomReach]) throws(Refusal) -> [RoomReach] {
        { (plan, look) throws(Refusal) in
            let known = self.entries.withLock { entries -> [RoomReach]? in
                let place = entries.lastIndex {
                    $0.chair == chair && $0.tolerance == tolerance && $0.language == language
                        && $0.plan == plan
                }
                guard let place else { return nil }
                let entry = entries.remove(at: place)
                entries.append(entry)
                return entry.rooms
            }
            if let known { return known }
            let rooms = try look()
            // An examination that was given up halfway has no result.
            guard !WorkLimit.isOver else { return rooms }
            self.entries.withLock { entries in
                entries.append(
                    Entry(
                        plan: plan, chair: chair, tolerance: tolerance, language: language,
                        rooms: rooms))
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
