import Dates

/// The first and the last day of an issue, either of which may be open.
package struct Span: Hashable, Sendable {
    package var start: CivilDate?
    package var due: CivilDate?

    package init(start: CivilDate? = nil, due: CivilDate? = nil) {
        self.start = start
        self.due = due
    }
}

/// The part of an issue that matters for its dates.
package struct PlannedIssue: Hashable, Sendable {
    package var id: Int
    /// The issue that it is a part of. The parts of an issue determine its dates.
    package var parent: Int?
    package var span: Span
    /// The assignee: the key of a calendar.
    package var person: Int?
    /// Whether its dates stay as they are, whatever it follows.
    package var isFixed: Bool

    package init(
        id: Int, parent: Int? = nil, span: Span = Span(), person: Int? = nil, isFixed: Bool = false
    ) {
        self.id = id
        self.parent = parent
        self.span = span
        self.person = person
        self.isFixed = isFixed
    }
}

/// A relation between two issues, in the direction in which Redmine keeps it.
package struct IssueRelation: Hashable, Sendable {
    /// What the first issue is to the second.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case relates
        case duplicates
        case blocks
        case precedes
        case copied = "copied_to"
    }

    package var id: Int
    package var kind: Kind
    package var from: Int
    package var to: Int
    /// The number of working days between the two; negative when they may overlap. Only for
    /// ``Kind/precedes``.
    package var delay: Int

    package init(id: Int, kind: Kind = .precedes, from: Int, to: Int, delay: Int = 0) {
        self.id = id
        self.kind = kind
        self.from = from
        self.to = to
        self.delay = kind == .precedes ? delay : 0
    }

    /// Makes a relation from any of the names in Redmine's interface; those from the other side,
    /// such as `follows`, are reversed. Nil for any other name.
    package init?(id: Int, named name: String, from: Int, to: Int, delay: Int = 0) {
        let turned: [String: Kind] = [
            "duplicated": .duplicates, "blocked": .blocks, "follows": .precedes,
            "copied_from": .copied,
        ]
        if let kind = Kind(rawValue: name) {
            self.init(id: id, kind: kind, from: from, to: to, delay: delay)
        } else if let kind = turned[name] {
            self.init(id: id, kind: kind, from: to, to: from, delay: delay)
        } else {
            return nil
        }
    }
}

/// What is wrong with a network of issues, or with a change of it. Issues are given by their ids.
package enum NetworkError: Error, Hashable, CustomStringConvertible {
    case tooMany(String, most: Int)
    case issueTwice(Int)
    case relationTwice(from: Int, to: Int)
    case unknownIssue(Int, namedBy: String)
    case unknownWhole(Int, of: Int)
    case unknownRelation(Int)
    case unknownCalendar(person: Int, issue: Int)
    /// Each has the next as a part, and the last has the first.
    case partsInCircle([Int])
    /// Each precedes, or blocks, the next, and the last the first.
    case circle([Int])
    case relationToItself(Int)
    case relationWithPart(from: Int, to: Int)
    case delayOutOfRange(Int, relation: Int)
    case dueBeforeStart(Int)
    case outsideCalendar(CivilDate, issue: Int)
    /// The dates of an issue with parts are determined by them.
    case datesFromParts(Int)
    /// It can't begin before a day because of its predecessors.
    case startsTooEarly(Int, earliest: CivilDate)
    /// There is no day left on which an issue could begin or end.
    case noDayLeft(Int)
    /// The cascade does not end, or takes too many steps.
    case endless
    case longName(String)

    package var description: String { sentence { "#\($0)" } }

    /// Returns what is wrong, for a person.
    ///
    /// - Parameter name: returns what to call the issue with an id.
    package func sentence(naming name: (Int) -> String) -> String {
        switch self {
        case .tooMany(let name, let most): "there may be at most \(most) \(name)"
        case .issueTwice(let id): "there are two issues \(name(id))"
        case .relationTwice(let from, let to): "\(name(from)) and \(name(to)) are related twice"
        case .unknownIssue(let id, let place): "\(name(id)), named by \(place), isn't there"
        case .unknownWhole(let id, let part):
            "\(name(id)), named by its part \(name(part)), isn't there"
        case .unknownRelation(let id): "there is no relation \(id)"
        case .unknownCalendar(let person, let issue):
            "there is no calendar of person \(person), who does \(name(issue))"
        case .partsInCircle(let ids): "these are parts of each other: \(Self.list(ids, name))"
        case .circle(let ids): "these wait for each other: \(Self.list(ids, name))"
        case .relationToItself(let id): "\(name(id)) is related to itself"
        case .relationWithPart(let from, let to):
            "one of \(name(from)) and \(name(to)) is a part of the other"
        case .delayOutOfRange(let delay, let relation):
            "the delay of relation \(relation) is \(delay); it may be "
                + "\(ProjectNetwork.Limit.delay.lowerBound) to "
                + "\(ProjectNetwork.Limit.delay.upperBound)"
        case .dueBeforeStart(let id): "\(name(id)) is due before it begins"
        case .outsideCalendar(let day, let id):
            "\(day.iso), a date of \(name(id)), isn't in the years 1970 to 9999"
        case .datesFromParts(let id): "the dates of \(name(id)) follow from its parts"
        case .startsTooEarly(let id, let earliest):
            "\(name(id)) can't begin before \(earliest.iso) because of its predecessors"
        case .noDayLeft(let id): "no working day is left for \(name(id))"
        case .endless:
            "the changes of dates don't end, or are too many for one edit; make it in smaller "
                + "steps, or keep the gaps between issues"
        case .longName(let start): "the name that begins “\(start)” is too long"
        }
    }

    private static func list(_ ids: [Int], _ name: (Int) -> String) -> String {
        (ids + ids.prefix(1)).map(name).joined(separator: " -> ")
    }
}
