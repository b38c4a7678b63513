import Messages
import ServiceRuntime

/// When people are in meetings that were booked in the projects of their organisation.
struct BookedTimes {
    /// The maximum number of meetings that are read. The loop waits for all of them.
    static let most = 1_000

    private let time: Range<Int64>
    private let moved: String
    private let project: String
    private let inProject: [ProjectMeeting]
    /// The places in the list of those to which a guest with a name, or with an account, is
    /// invited.
    private var byName: [String: [Int]] = [:]
    private var byAccount: [String: [Int]] = [:]
    /// How many more may be read.
    private var left: Int
    private let transaction: Transaction

    /// Reads the meetings of a project in a period, in milliseconds since 1970.
    ///
    /// - Parameters:
    ///   - row: the project.
    ///   - time: the period.
    ///   - moved: the id of a meeting that doesn't count, because it is to get another time; empty
    ///     for none.
    ///   - transaction: the transaction in which meetings are read.
    /// - Throws: a refusal if there are too many.
    init(
        in row: ProjectRow, _ time: Range<Int64>, without moved: String = "",
        _ transaction: Transaction
    ) throws {
        (self.time, self.moved, self.transaction) = (time, moved, transaction)
        project = row.project.id
        inProject = try MeetingStore.all(
            of: project, in: time, before: "", limit: Self.most + 1, transaction.db)
        left = Self.most - inProject.count
        guard left >= 0 else { throw Self.tooMany }
        for (place, meeting) in inProject.enumerated() {
            for name in Set(meeting.guests.map(\.name)) { byName[name, default: []].append(place) }
            for account in Set(meeting.guests.map(\.account)).subtracting([""]) {
                byAccount[account, default: []].append(place)
            }
        }
    }

    private static var tooMany: Refusal {
        .conflict(
            "people have more than \(most) meetings in that time; ask about a shorter time or "
                + "fewer people, or book with --anyway")
    }

    /// The meetings of somebody in the period: those of the project to which they are invited by
    /// this name, and those of all projects to which their account is invited.
    ///
    /// - Parameters:
    ///   - name: their name in the project.
    ///   - account: their account; empty if none is known.
    /// - Returns: when each meeting is, and whether they don't have to come.
    /// - Throws: a refusal if there are too many.
    mutating func all(
        of name: String, account: String
    ) throws -> [(span: Range<Int64>, isOptional: Bool)] {
        let moved = self.moved
        var known: Set<String> = []
        var found: [(span: Range<Int64>, isOptional: Bool)] = []
        func add(_ meeting: ProjectMeeting, _ isGuest: (MeetingGuest) -> Bool) {
            guard let guest = meeting.guests.first(where: isGuest), !meeting.cancelled,
                meeting.id != moved, meeting.start < meeting.end,
                known.insert(meeting.id).inserted
            else { return }
            found.append((meeting.start..<meeting.end, guest.isOptional))
        }
        for place in byName[name] ?? [] { add(inProject[place]) { $0.name == name } }
        guard !account.isEmpty else { return found }
        for place in byAccount[account] ?? [] { add(inProject[place]) { $0.account == account } }
        let elsewhere = try MeetingStore.all(
            invited: account, of: transaction.principal.scope, outside: project, in: time,
            limit: left + 1, transaction.db)
        left -= elsewhere.count
        guard left >= 0 else { throw Self.tooMany }
        for meeting in elsewhere { add(meeting) { $0.account == account } }
        return found
    }

    /// Refuses a meeting if a guest who has to come must be in another one at that time.
    func require(_ meeting: ProjectMeeting) throws {
        var booked = self
        let busy = try meeting.guests.filter { guest in
            guard !guest.isOptional else { return false }
            return try booked.all(of: guest.name, account: guest.account)
                .contains { !$0.isOptional }
        }
        guard !busy.isEmpty else { return }
        let names = busy.prefix(5).map { "“\($0.name)”" }.joined(separator: ", ")
        throw Refusal.conflict(
            "\(names)\(busy.count > 5 ? " and others" : "") can't come then, because of another "
                + "meeting; find another time with steward meet find, or book with --anyway")
    }
}
