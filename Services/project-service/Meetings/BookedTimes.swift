import Messages
import ServiceRuntime

/// When people are in meetings that were booked in the projects of their organisation.
struct BookedTimes {
    /// The maximum number of meetings that are read of a project, or of an account.
    private static let most = 5_000

    private let time: Range<Int64>
    private let moved: String
    private let inProject: [ProjectMeeting]
    private let transaction: Transaction

    /// Reads the meetings of a project in a period, in milliseconds since 1970.
    ///
    /// - Parameters:
    ///   - row: the project.
    ///   - time: the period.
    ///   - moved: the id of a meeting that doesn't count, because it is to get another time; empty
    ///     for none.
    ///   - transaction: the transaction in which meetings are read.
    init(
        in row: ProjectRow, _ time: Range<Int64>, without moved: String = "",
        _ transaction: Transaction
    ) throws {
        (self.time, self.moved, self.transaction) = (time, moved, transaction)
        inProject = try MeetingStore.all(
            of: row.project.id, in: time, before: "", limit: Self.most, transaction.db)
    }

    /// The meetings of somebody in the period: those of the project to which they are invited by
    /// this name, and those of all projects to which their account is invited.
    ///
    /// - Parameters:
    ///   - name: their name in the project.
    ///   - account: their account; empty if none is known.
    /// - Returns: when each meeting is, and whether they don't have to come.
    func all(
        of name: String, account: String
    ) throws -> [(span: Range<Int64>, isOptional: Bool)] {
        var known: Set<String> = []
        var found: [(span: Range<Int64>, isOptional: Bool)] = []
        func add(_ meeting: ProjectMeeting, _ isGuest: (MeetingGuest) -> Bool) {
            guard let guest = meeting.guests.first(where: isGuest), !meeting.cancelled,
                meeting.id != moved, meeting.start < meeting.end,
                known.insert(meeting.id).inserted
            else { return }
            found.append((meeting.start..<meeting.end, guest.isOptional))
        }
        for meeting in inProject { add(meeting) { $0.name == name } }
        guard !account.isEmpty else { return found }
        let elsewhere = try MeetingStore.all(
            invited: account, of: transaction.principal.scope, in: time, limit: Self.most,
            transaction.db)
        for meeting in elsewhere { add(meeting) { $0.account == account } }
        return found
    }

    /// Refuses a meeting if a guest who has to come must be in another one at that time.
    func require(_ meeting: ProjectMeeting) throws {
        let busy = try meeting.guests.filter { guest in
            guard !guest.isOptional else { return false }
            return try all(of: guest.name, account: guest.account).contains { !$0.isOptional }
        }
        guard !busy.isEmpty else { return }
        let names = busy.prefix(5).map { "“\($0.name)”" }.joined(separator: ", ")
        throw Refusal.conflict(
            "\(names)\(busy.count > 5 ? " and others" : "") can't come then, because of another "
                + "meeting; find another time with steward meet find, or say --anyway")
    }
}
