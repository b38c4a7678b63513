/// The time zones that a file's calendars name: IANA zones, zones by their Windows names, and zones
/// that the file describes.
struct ZoneBook {
    private var described: [String: Component] = [:]
    private var found: [String: Zone?] = [:]
    /// The clock changes that the descriptions may still have.
    private var changesLeft = WorkBudget(CalendarLimits.zoneChanges)

    /// - Throws: `CalendarProblem` when there are too many.
    init(_ calendars: [Component]) throws(CalendarProblem) {
        for calendar in calendars {
            for zone in calendar.components where zone.name == "VTIMEZONE" {
                guard let name = zone.line("TZID")?.value else { continue }
                described[name] = zone
                guard described.count <= CalendarLimits.zones else {
                    throw zone.problem(
                        nil, "the file describes more than \(CalendarLimits.zones) time zones",
                        "leave out the zones that no event uses")
                }
            }
        }
    }

    /// The zone with a name; nil when it is not found.
    ///
    /// An IANA name means that zone even if the file describes it: descriptions are often cut down
    /// to the rule of one year.
    mutating func zone(_ name: String) -> Zone? {
        if let known = found[name] { return known }
        let zone = search(name)
        // Names come from outside, so the number of unknown ones that are cached is limited. A
        // description that can't be used may have taken long, and is never read again.
        if zone != nil || described[name] != nil || found.count < 1_000 {
            found[name] = .some(zone)
        }
        return zone
    }

    private mutating func search(_ name: String) -> Zone? {
        guard name.utf8.count <= CalendarLimits.nameBytes else { return nil }
        if let zone = Zone(named: name) { return zone }
        if name.hasPrefix("/") {
            // In “/mozilla.org/20050126_1/Europe/Berlin” the name often follows a registry.
            let parts = name.split(separator: "/")
            for count in [3, 2] where parts.count >= count {
                let end = parts.suffix(count).joined(separator: "/")
                if let zone = Zone(named: end) { return zone }
            }
        }
        if let component = described[name],
            let zone = Self.described(name, component, &changesLeft)
        {
            return zone
        }
        return windowsZones[name].flatMap { Zone(named: $0) }
    }

    /// Makes a zone from its description: when its clock changes, and how.
    private static func described(
        _ name: String, _ component: Component, _ changesLeft: inout WorkBudget
    ) -> Zone? {
        var changes: [ZoneChange] = []
        var first: (start: WallTime, offset: Int64)?
        var budget = WorkBudget(500_000)
        let parts = component.components.filter { ["STANDARD", "DAYLIGHT"].contains($0.name) }
        for part in parts.prefix(CalendarLimits.zones) {
            guard let text = part.line("DTSTART")?.value, let start = CalendarValue.wall(text),
                let from = part.line("TZOFFSETFROM").flatMap({ CalendarValue.offset($0.value) }),
                let to = part.line("TZOFFSETTO").flatMap({ CalendarValue.offset($0.value) })
            else { return nil }
            if start.wall < first?.start ?? WallTime(second: .max) { first = (start.wall, from) }
            var walls = [start.wall]
            for line in part.lines("RDATE") {
                walls += line.value.split(separator: ",").compactMap {
                    CalendarValue.wall($0)?.wall
                }
            }
            do {
                try changesLeft.spend(walls.count)
                for line in part.lines("RRULE") {
                    walls += try onsets(
                        RecurrenceRule(line.value), from: start.wall, offset: from, &budget,
                        &changesLeft)
                }
            } catch { return nil }
            changes += walls.map { ZoneChange(instant: $0.second - from, offset: to) }
        }
        guard let first else { return nil }
        // Of two changes at the same instant, the later one in the file counts.
        changes = changes.enumerated().sorted {
            ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
        }.map(\.element)
        return Zone(name: name, first: first.offset, changes: changes)
    }

    private static func onsets(
        _ rule: RecurrenceRule, from start: WallTime, offset: Int64, _ budget: inout WorkBudget,
        _ changesLeft: inout WorkBudget
    ) throws -> [WallTime] {
        guard rule.frequency.seconds == nil else {
            throw RuleFault("a clock is not changed that often")
        }
        var walk = try RecurrenceWalk(
            rule, start: start, from: rule.count == nil ? WallTime(second: -86_400 * 800) : nil,
            last: WallTime(second: ZoneChange.end - 1), &budget)
        var walls: [WallTime] = []
        var left = rule.count ?? .max
        while left > 0, let wall = try walk.next(&budget),
            rule.until?.admits(wall, wall.second - offset) ?? true
        {
            try changesLeft.spend(1)
            walls.append(wall)
            left -= 1
        }
        return walls
    }
}

extension RecurrenceRule.End {
    /// Whether a time is not after the end, given its wall time and instant.
    func admits(_ wall: WallTime, _ instant: Int64) -> Bool {
        switch self {
        case .day(let day): wall.day <= day
        case .wall(let end): wall <= end
        case .utc(let end): instant <= end
        }
    }
}
