import Foundation
import Messages
import Speech
import Terminal

/// The name of a list in what commands print with `--json`. docs/json.md says which command prints
/// which list, and what is in it.
enum ListName: String, CaseIterable {
    case accounts
    case actions
    case alerts
    case auditEntries
    case backups
    case baselines
    case calendars
    case calls
    case callTraces
    case channels
    case checks
    case contents
    case days
    case deadLetters
    case deliveries
    case destinations
    case digests
    case edits
    case equipment
    case erasures
    case files
    case findings
    case followers
    case hours
    case imports
    case invitations
    case issueContents
    case issueFilters
    case issues
    case jobs
    case journal
    case journeys
    case keys
    case landmarkSets
    case libraryItems
    case links
    case lists
    case logouts
    case mails
    case maintenance
    case measures
    case members
    case meetingDeletions
    case meetings
    case metrics
    case milestones
    case myIssues
    case notices
    case operations
    case organisations
    case parts
    case photos
    case pictures
    case plans
    case policies
    case preferences
    case products
    case programs
    case projectEdits
    case projects
    case quietHours
    case reaches
    case resetCodes
    case redmineLinks
    case redmineLogIns
    case redmineProjects
    case rhythms
    case rideStatistics
    case routineStatistics
    case routines
    case scheduledShifts
    case schedules
    case scripts
    case sendings
    case services
    case sessions
    case settings
    case silences
    case shifts
    case siteReports
    case sites
    case slippages
    case slots
    case standards
    case statistics
    case steps
    case stops
    case tasks
    case templates
    case times
    case timetables
    case today
    case todos
    case topics
    case traces
    case travelPaths
    case travellers
    case verifications
    case versions
    case views
    case archiveHeads
}

/// An object with one named list: the form of all JSON that commands print. Enumerations are words,
/// and times (see ``Moment``) and ids are strings.
struct JSONList<Object: Encodable>: Encodable {
    private let name: ListName
    private let objects: [Object]
    private let beside: [String: any Encodable]

    /// A list of objects.
    ///
    /// - Parameter beside: members about the whole list, such as how many objects match.
    init(_ name: ListName, _ objects: [Object], beside: [String: any Encodable] = [:]) {
        (self.name, self.objects, self.beside) = (name, objects, beside)
    }

    func encode(to encoder: any Encoder) throws {
        try Extended([name.rawValue: objects], beside).encode(to: encoder)
    }

    /// The JSON as text.
    ///
    /// - Parameter isOneLine: true for one line among many; false for a form that people can read.
    func text(isOneLine: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !isOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        if let key = CodingUserInfoKey.timesAsText { encoder.userInfo[key] = true }
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Printer {
    /// Prints a list as JSON.
    func json(
        _ name: ListName, _ objects: [some Encodable], beside: [String: any Encodable] = [:]
    ) throws {
        result(try JSONList(name, objects, beside: beside).text())
    }

    /// Prints a list as JSON on one line.
    func jsonLine(_ name: ListName, _ objects: [some Encodable]) throws {
        result(try JSONList(name, objects).text(isOneLine: true))
    }
}

/// A file that a command has written, or would have written without `--json`.
struct WrittenFile: Encodable {
    /// Where it was written; nil if `text` has the content.
    let path: String?
    /// Its content; nil if it was written to a file.
    let text: String?
}
