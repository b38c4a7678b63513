import Messages

/// The contents of a file: people, versions, issues, relations and baselines, which refer to each
/// other by numbers that apply only within the file.
package struct ImportedIssues: Hashable {
    package var members: [TeamMember] = []
    package var versions: [ProjectVersion] = []
    package var issues: [TrackedIssue] = []
    package var relations: [IssueLink] = []
    /// Plans that were kept; without a day if the file doesn't say when.
    package var baselines: [PlanBaseline] = []
    /// The calendar of the project; nil when the file has none.
    package var calendar: WorkWeeks?
    /// The line of each issue, by its number.
    package var lines: [UInt32: Int] = [:]
    /// The contents of the file that a project can't keep, a sentence for each.
    package var leftOut: [String] = []

    /// The maximum number of sentences about what was left out.
    static let mostLeftOut = 100

    /// Everything, in the order that an edit needs.
    package var things: [ProjectThing] {
        members.map { ProjectThing(thing: .member($0)) }
            + versions.map { ProjectThing(thing: .version($0)) }
            + issues.map { ProjectThing(thing: .issue($0)) }
            + relations.map { ProjectThing(thing: .relation($0)) }
            + baselines.map { ProjectThing(thing: .baseline($0)) }
    }

    /// Adds the dates of an issue to a baseline of a number.
    mutating func keep(_ dates: PlannedDates, inBaseline number: Int) {
        guard !dates.start.isEmpty || !dates.due.isEmpty else { return }
        let name = number == 0 ? "Baseline" : "Baseline \(number)"
        if let place = baselines.firstIndex(where: { $0.name == name }) {
            baselines[place].dates.append(dates)
        } else {
            baselines.append(
                PlanBaseline(number: UInt32(number + 1), name: name, dates: [dates]))
        }
    }

    /// The number of the person with a name, who is added if necessary.
    mutating func member(_ name: String) -> UInt32 {
        if let known = members.first(where: { $0.name == name }) { return known.number }
        let number = UInt32(members.count + 1)
        members.append(TeamMember(number: number, name: name, timeZone: "UTC", share: 100))
        return number
    }

    /// The number of the version with a name, which is added if necessary.
    mutating func version(_ name: String) -> UInt32 {
        if let known = versions.first(where: { $0.name == name }) { return known.number }
        let number = UInt32(versions.count + 1)
        versions.append(ProjectVersion(number: number, name: name))
        return number
    }

    /// Says that something was left out.
    mutating func leaveOut(_ sentence: String) {
        if leftOut.count < Self.mostLeftOut {
            leftOut.append(sentence)
        } else if leftOut.count == Self.mostLeftOut {
            leftOut.append("and more like these")
        }
    }
}
