import FloorPlan
import Messages
import XMLText

/// A plan being read: what was found so far and where, and the warnings.
struct PlanDraft {
    /// The file's name in messages.
    let file: String
    let options: PlanFileOptions
    var details = PlanDetails()
    /// The ids of the doors for which the file doesn't say how they are hung.
    var unhung: [String] = []
    private(set) var items: [Entry] = []
    private var warnings: [String] = []
    private var moreWarnings = 0
    private var numbers: [String: Int] = [:]

    /// An item with its place in the file and, if the file has it, its place in the drawing order.
    struct Entry {
        let item: PlanItem
        let place: FilePlace
        let order: UInt32?
    }

    /// The maximum number of warnings; the rest are only counted.
    private static let mostWarnings = 100

    init(
        file: String = "", named: String = "", options: PlanFileOptions = PlanFileOptions()
    ) {
        self.file = file
        self.options = options
        details.name = PlanFile.name(of: named)
    }

    mutating func warn(_ text: @autoclosure () -> String) {
        guard warnings.count < Self.mostWarnings else {
            moreWarnings += 1
            return
        }
        warnings.append(text())
    }

    mutating func warn(_ place: FilePlace, _ text: @autoclosure () -> String) {
        warn("\(place): \(text())")
    }

    /// Reports that an arc became straight walls. Where the arc bulges into a room, they leave the
    /// room too large, and the tolerance of the plan allows for that.
    /// - Parameter tolerance: that of the file's own measures, in millimetres.
    mutating func straighten(
        _ arc: Arc, to count: Int, at place: FilePlace, tolerance: UInt32 = 0
    ) {
        let least = tolerance + UInt32(clamping: arc.deviation)
        details.tolerance = max(details.tolerance, least)
        warn(place, "is an arc and became \(count) straight walls within \(arc.deviation) mm of it")
    }

    /// Adds an item; `order` is its place in the drawing order if the file has it.
    mutating func add(
        _ item: PlanItem, at place: FilePlace, order: UInt32? = nil
    ) throws(Refusal) {
        try validateCount(items.count + 1, at: place)
        items.append(Entry(item: item, place: place, order: order))
    }

    /// Refuses more items than a plan may have, before creating them.
    func validateCount(_ count: Int, at place: FilePlace) throws(Refusal) {
        guard count <= PlanFile.mostItems else {
            throw refusal(
                place, "is one thing too many: a plan has at most \(PlanFile.mostItems)",
                "split it into several plans")
        }
    }

    /// An id for an item without one in the file: its kind and a number.
    mutating func newID(_ kind: String) -> String {
        numbers[kind, default: 0] += 1
        return "\(kind)-\(numbers[kind] ?? 0)"
    }

    /// A refusal: where, why, and what to do.
    func refusal(_ place: FilePlace, _ reason: String, _ cure: String) -> Refusal {
        .inFile(file, place, reason, cure)
    }

    /// The finished plan, if it satisfies all rules.
    /// - Parameter isOurs: true if the plan was checked when it was drawn, so that its doors need
    ///   no warnings.
    func finished(isOurs: Bool = false) throws(Refusal) -> ImportedPlan {
        let entries =
            items.contains { $0.order != nil }
            ? items.enumerated().sorted {
                ($0.element.order ?? .max, $0.offset) < ($1.element.order ?? .max, $1.offset)
            }.map(\.element) : items
        var ids: [String: FilePlace] = [:]
        for entry in entries {
            let id = entry.item.id
            guard !id.isEmpty else {
                throw refusal(entry.place, "has an empty id", "leave it out or fill it in")
            }
            if let first = ids.updateValue(entry.place, forKey: id) {
                throw refusal(
                    entry.place, "has the id “\(id)” that \(first) has already",
                    "give each thing an id of its own, or none")
            }
        }
        let plan = FloorPlan(entries.map(\.item))
        for entry in entries {
            do { try plan.validateAlone(entry.item) } catch {
                throw .invalid("\(file): \(entry.place): \(error.message)")
            }
        }
        for wall in plan.walls.values.sorted(by: { $0.id < $1.id }) {
            guard let (one, other) = plan.overlap(in: wall.id) else { continue }
            let place = ids[other.id].map { "\($0): " } ?? ""
            throw .invalid(
                "\(file): \(place)\(other.description(in: wall)) overlaps "
                    + "\(one.description(in: wall)); move one of them")
        }
        var warnings = warnings
        if !isOurs {
            warnings += Self.stoppedDoors(plan).prefix(Self.mostWarnings)
            warnings += unmeasured(entries.map(\.item))
        }
        if moreWarnings > 0 { warnings.append("and \(moreWarnings) more like these") }
        return ImportedPlan(details: details, items: entries.map(\.item), warnings: warnings)
    }
}

extension PlanDraft {
    /// A warning for each door that something keeps from opening fully.
    private static func stoppedDoors(_ plan: FloorPlan) -> [String] {
        let stops = plan.doorStops(amongWalls: plan.standingWalls)
        return stops.keys.sorted().compactMap { id in
            guard let stop = stops[id]?.first, let door = plan.openings[id] else { return nil }
            return stop.warning(of: door, in: plan)
        }
    }
}

extension PlanDraft {
    /// The maximum number of doors named in a warning.
    private static let mostNamed = 20

    /// Warnings about what the file doesn't say about its doors: a check can't judge what nobody
    /// measured, and takes doors as they are drawn.
    private func unmeasured(_ items: [PlanItem]) -> [String] {
        let unknown = items.compactMap { item -> String? in
            guard case .opening(let opening) = item.item else { return nil }
            return opening.isRiseUnknown ? opening.id : nil
        }
        var warnings: [String] = []
        if let first = unknown.first {
            warnings.append(
                "the file doesn't say whether there is a threshold at \(Self.list(unknown)); "
                    + "measure it, and say how high it is, or 0, with steward plan change "
                    + "\(first) --threshold MM")
        }
        if let first = unhung.first {
            warnings.append(
                "the file doesn't say which way a door is hung, so these have their hinges at "
                    + "the start and open to the left of their wall: \(Self.list(unhung)); say "
                    + "how it is with steward plan change \(first) --hinges END --swing SIDE")
        }
        return warnings
    }

    /// The first of some ids or names, and how many more there are.
    static func list(_ ids: [String]) -> String {
        let named = ids.prefix(mostNamed).joined(separator: ", ")
        return ids.count > mostNamed ? "\(named) and \(ids.count - mostNamed) more" : named
    }
}

extension Refusal {
    /// A refusal of a file: where, why, and what to do.
    static func inFile(
        _ file: String, _ place: FilePlace, _ reason: String, _ cure: String
    ) -> Refusal {
        .invalid("\(file): \(place) \(reason); \(cure)")
    }
}

extension Opening {
    /// Its name, and where it begins and ends.
    fileprivate func description(in wall: Wall) -> String {
        "“\(label.isEmpty ? id : label)”, \(offset) to \(endOffset) mm of wall \(wall.id),"
    }
}
