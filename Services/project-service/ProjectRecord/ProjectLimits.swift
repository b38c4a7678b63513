import Dates
import Foundation
import LocalTime
import Messages
import ProjectNetwork
import WorkCalendar

/// The limits of a project, and the checks of its items.
package enum ProjectLimits {
    package static let issues = ProjectNetwork.Limit.issues
    package static let relations = ProjectNetwork.Limit.relations
    package static let members = 500
    package static let versions = 500
    package static let baselines = 50
    package static let entries = 200_000
    package static let trackers = 50
    package static let statuses = 50
    /// The maximum number of skills of a person or an issue.
    package static let skills = 50
    /// The allowed estimates, in minutes: up to 100,000 hours.
    package static let estimate = 0...6_000_000
    /// The minutes that a person can work in a day.
    package static let worked = 1...1_440

    static func validate(_ count: Int, _ most: Int, _ name: String) throws(Refusal) {
        guard count < most else {
            throw .conflict("there are \(most) \(name) already, and there can't be more")
        }
    }

    static func validate(_ day: CivilDate?, _ name: String) throws(Refusal) {
        guard let day, !WorkCalendar.Limit.days.contains(day.daysSince1970) else { return }
        throw .invalid("\(name) is \(day.iso); it may be in the years 1970 to 9999")
    }

    /// Refuses a list of names if one is missing, too long or a duplicate.
    static func validate(
        _ names: [String], _ name: String, _ count: ClosedRange<Int>
    ) throws(Refusal) {
        guard count.contains(names.count) else {
            throw .invalid(
                "there are \(names.count) \(name)s; there may be \(count.lowerBound) to "
                    + "\(count.upperBound)")
        }
        for one in names { try validateText(one, "the name of a \(name)", 1...60) }
        guard Set(names).count == names.count else {
            throw .invalid("two \(name)s have the same name")
        }
    }
}

extension ProjectDetails {
    /// Refuses invalid details. If a name and an identifier are missing, the refusal names both.
    package func validate() throws(Refusal) {
        let missing = [("a name", name), ("an identifier", identifier)].filter {
            $0.1.trimmingCharacters(in: .whitespaces).isEmpty
        }
        guard missing.isEmpty else {
            let what = missing.map(\.0).joined(separator: " and ")
            throw .invalid("the project needs \(what)")
        }
        try validateText(name, "the name of the project", 1...255)
        try validateText(description, "the description of the project", 0...20_000)
        let isPlain = identifier.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95
        }
        guard isPlain, identifier.utf8.count <= 100, identifier.utf8.first.map({ $0 >= 97 }) == true
        else {
            throw .invalid(
                "the identifier “\(identifier.prefix(40))” must have up to 100 lower-case letters, "
                    + "digits, - and _, and begin with a letter")
        }
        try ProjectLimits.validate(trackers, "tracker", 1...ProjectLimits.trackers)
        try ProjectLimits.validate(statuses.map(\.name), "status", 2...ProjectLimits.statuses)
        guard statuses.first?.isClosed == false, statuses.contains(where: \.isClosed) else {
            throw .invalid("the first status must be open, and at least one must be closed")
        }
    }
}

extension Member {
    func validate() throws(Refusal) {
        try validateText(name, "the name of a person", 1...100)
        try validateText(account, "the account of \(name)", 0...200)
        try validateText(timeZone, "the time zone of \(name)", 1...100)
        guard LocalTime.isKnown(timeZone) else {
            throw .invalid(
                "there is no time zone “\(timeZone)” for \(name); it is named like Europe/Oslo")
        }
        guard (0...100).contains(share) else {
            throw .invalid("the share of \(name) is \(share); it may be 0 to 100")
        }
        if !skills.isEmpty {
            try ProjectLimits.validate(skills.sorted(), "skill", 1...ProjectLimits.skills)
        }
    }
}

extension Version {
    /// Refuses an invalid version.
    package func validate() throws(Refusal) {
        try validateText(name, "the name of a version", 1...60)
        try validateText(description, "the description of the version \(name)", 0...20_000)
        try ProjectLimits.validate(due, "the date of the version \(name)")
    }
}

extension TimeEntry {
    /// Refuses time worked that is invalid by itself, whatever the rest of the project.
    package func validate() throws(Refusal) {
        try validateText(comment, "the comment", 0...1_000)
        try ProjectLimits.validate(day, "the day")
        guard ProjectLimits.worked.contains(minutes) else {
            throw .invalid("the time is \(minutes) minutes; it may be 1 minute to 24 hours")
        }
    }
}

extension ProjectIssue {
    /// Refuses an issue that is invalid by itself, whatever the rest of the project.
    package func validate() throws(Refusal) {
        let blank = subject.trimmingCharacters(in: .whitespaces).isEmpty
        guard !blank else { throw .invalid("the issue needs a subject") }
        try validateText(subject, "the subject", 1...255)
        try validateText(description, "the description", 0...60_000)
        guard (0...100).contains(done) else {
            throw .invalid("\(done) % are done; it may be 0 to 100")
        }
        if let estimate, !ProjectLimits.estimate.contains(estimate) {
            throw .invalid("the estimate is \(estimate) minutes; it may be up to 100,000 hours")
        }
        try ProjectLimits.validate(span.start, "the start")
        try ProjectLimits.validate(span.due, "the due date")
        if let start = span.start, let due = span.due, due < start {
            throw .invalid(
                "it is due on \(due.iso), before it begins on \(start.iso); change one of them")
        }
        if !skills.isEmpty {
            try ProjectLimits.validate(skills.sorted(), "skill", 1...ProjectLimits.skills)
        }
    }
}
