import Dates
import LocalTime
import Messages
import Phrases
import ProjectRecord
import ServiceRuntime

/// Meetings of a project: booked, moved and cancelled. Everyone invited gets a mail each time.
enum Meetings {
    static var handlers: [MessageHandler] {
        [
            .command(book, .member),
            .command(cancel, .member),
            .command(delete, .member),
            .query(list, .member),
        ]
    }

    /// The maximum number of meetings of a project.
    private static let most = 5_000
    /// The maximum number of meetings that are deleted at a time. The loop waits for all of them.
    static let mostDeleted = 500
    /// The maximum length of a meeting, in milliseconds.
    private static let longest: Int64 = 30 * 86_400_000
    private static let mostGuests = 50
    /// More mails than anybody may order at once.
    private static let mostMails = 1_000
    /// The times that calendars can have, in milliseconds since 1970: up to the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_370_764_800_000

    static func book(
        _ command: BookMeeting, in transaction: Transaction
    ) throws -> ProjectMeeting {
        let row = try transaction.project(command.project)
        var meeting = command.meeting
        try validate(meeting)
        try OrganisationLimits.requireRoom(in: row.project.organisation, transaction.db)
        let record = try row.record(transaction)
        meeting.nameAccounts(by: record)
        meeting.cancelled = false
        guard meeting.id.isEmpty else {
            return try move(meeting, anyway: command.anyway, row, in: transaction)
        }
        guard try MeetingStore.count(of: row.project.id, transaction.db) < most else {
            throw Refusal.conflict(
                "the project has \(most) meetings, and can't have more; delete old ones: steward "
                    + "meet delete --until DAY")
        }
        if !command.anyway {
            try BookedTimes(in: row, meeting.start..<meeting.end, transaction).require(meeting)
        }
        (meeting.id, meeting.sequence) = ("\(transaction.id)", 0)
        return try keep(meeting, row, [(meeting.guests, .invited)], in: transaction)
    }

    /// Changes the time, place, title or guests of a meeting, from what its sender has read.
    ///
    /// - Parameters:
    ///   - wanted: the meeting as it is to be.
    ///   - anyway: whether it may get a time at which a guest is in another meeting.
    ///   - row: the project.
    ///   - transaction: the transaction of the change.
    private static func move(
        _ wanted: ProjectMeeting, anyway: Bool, _ row: ProjectRow, in transaction: Transaction
    ) throws -> ProjectMeeting {
        let before = try meeting(wanted.id, of: row, in: transaction)
        guard !before.cancelled else {
            throw Refusal.conflict("“\(before.title)” is cancelled; book another meeting")
        }
        guard wanted.sequence == before.sequence else {
            throw Refusal.changedSince("“\(before.title)”")
        }
        var meeting = wanted
        meeting.id = before.id
        (meeting.calendar, meeting.project) = (before.calendar, before.project)
        meeting.keepAccounts(of: before, in: try row.record(transaction))
        guard meeting != before else { return before }
        guard meeting.withoutAccounts != before.withoutAccounts else {
            // Only a guest's account has become known, so no mail is needed.
            return try keep(meeting, row, [], in: transaction)
        }
        let isMoved =
            (meeting.start, meeting.end) != (before.start, before.end)
            || meeting.withoutAccounts.guests != before.withoutAccounts.guests
        if isMoved, !anyway {
            try BookedTimes(
                in: row, meeting.start..<meeting.end, without: before.id, transaction
            ).require(meeting)
        }
        meeting.sequence += 1
        let known = Set(before.guests.map(\.mail))
        let wantedMails = Set(meeting.guests.map(\.mail))
        return try keep(
            meeting, row,
            [
                (meeting.guests.filter { known.contains($0.mail) }, .moved),
                (meeting.guests.filter { !known.contains($0.mail) }, .invited),
                (before.guests.filter { !wantedMails.contains($0.mail) }, .cancelled),
            ], in: transaction)
    }

    static func cancel(
        _ command: CancelMeeting, in transaction: Transaction
    ) throws -> ProjectMeeting {
        let row = try transaction.project(command.project)
        var meeting = try meeting(command.meeting, of: row, in: transaction)
        guard !meeting.cancelled else { return meeting }
        meeting.cancelled = true
        meeting.sequence += 1
        return try keep(meeting, row, [(meeting.guests, .cancelled)], in: transaction)
    }

    /// Deletes meetings that are over, but not those that seem to be only because the clock has
    /// just leapt ahead. Nobody has to be told: other services forget a meeting by themselves.
    static func delete(
        _ command: DeleteMeetings, in transaction: Transaction
    ) throws -> MeetingsDeleted {
        let row = try transaction.project(command.project)
        let deleted = try MeetingStore.delete(
            of: row.project.id, endedBy: min(command.until, transaction.retentionTime),
            atMost: mostDeleted, transaction.db)
        return MeetingsDeleted(
            deleted: UInt32(clamping: deleted), more: deleted >= mostDeleted)
    }

    /// Cancels the meetings of a project that are not over, and mails that to their guests, because
    /// the project is deleted.
    ///
    /// - Throws: a refusal if these are more mails than the sender may order now.
    static func cancelAll(of row: ProjectRow, in transaction: Transaction) throws {
        var (coming, mails): ([ProjectMeeting], Int) = ([], 0)
        do {
            try MeetingStore.each(of: row.project.id, after: transaction.now, in: transaction) {
                guard !$0.cancelled else { return }
                coming.append($0)
                mails += $0.guests.count
                // So many are refused, so the rest need not be read.
                if mails > mostMails { try transaction.requireMails(mails) }
            }
            try transaction.requireMails(mails)
        } catch var refusal as Refusal {
            // Waiting doesn't help if there are more than may be sent at once.
            refusal.message += "; or cancel meetings of the project first: steward meet cancel"
            throw refusal
        }
        for var meeting in coming {
            meeting.cancelled = true
            meeting.sequence += 1
            _ = try keep(meeting, row, [(meeting.guests, .cancelled)], in: transaction)
        }
    }

    static func list(
        _ query: ListMeetings, in transaction: Transaction
    ) throws -> MeetingsListed {
        let limit = pageLimit(query.limit, usual: 50, most: 500)
        let until = query.until > 0 || !query.before.isEmpty ? query.until : Int64.max
        let time = min(query.from, until)..<until
        let found: [ProjectMeeting]
        if query.project.isEmpty {
            let principal = transaction.principal
            found = try MeetingStore.all(
                invited: principal.account, of: principal.scope, in: time, limit: limit,
                transaction.db)
        } else {
            let row = try transaction.project(query.project)
            found = try MeetingStore.all(
                of: row.project.id, in: time, before: query.before, limit: limit, transaction.db
            ).map {
                var meeting = $0
                meeting.project = row.project.identifier
                return meeting
            }
        }
        return MeetingsListed(
            meetings: found.messages(within: 2 * Projects.partBytes) { meeting in
                var meeting = meeting
                meeting.calendar = ""
                return meeting
            })
    }

    /// Passes the meetings that have not been over for more than a day to a snapshot.
    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try MeetingStore.each(after: transaction.now - 86_400_000, in: transaction) {
            guard !$0.cancelled else { return }
            let event = MeetingChanged($0, of: $1)
            try receiver(event, $0.id)
        }
    }

    // MARK: What they share

    /// Stores a meeting, and requests the mails about it.
    private static func keep(
        _ meeting: ProjectMeeting, _ row: ProjectRow,
        _ told: [(guests: [MeetingGuest], news: MeetingMail.News)], in transaction: Transaction
    ) throws -> ProjectMeeting {
        var meeting = meeting
        meeting.project = row.project.identifier
        let record = try row.record(transaction)
        let zone = record.members.values.filter { $0.name == meeting.organizer?.name }
            .map(\.timeZone).min()
        let mail = MeetingMail(
            meeting: meeting, project: row.project,
            zone: zone ?? "UTC", time: transaction.now)
        try transaction.countMails(told.reduce(0) { $0 + $1.guests.count })
        for (guests, news) in told where !guests.isEmpty {
            // Everyone sees who else comes; a former guest's mail names only that guest.
            let attendees = news == .cancelled && !meeting.cancelled ? guests : meeting.guests
            var request = try mail.request(to: attendees, news, key: "\(news)")
            request.to = guests.map(\.mail)
            try transaction.request(request)
        }
        meeting.calendar = try mail.calendar(
            for: meeting.guests, meeting.cancelled ? .cancelled : .moved)
        try MeetingStore.save(meeting, of: row.project.id, transaction.db)
        try transaction.publish(
            MeetingChanged(meeting, of: row.project.id), subject: meeting.id)
        return meeting
    }

    /// The meeting with an id, or the only one whose id begins with the text.
    private static func meeting(
        _ reference: String, of row: ProjectRow, in transaction: Transaction
    ) throws -> ProjectMeeting {
        let none = Refusal.notFound(
            "\(row.project.identifier) has no meeting “\(reference.prefix(bytes: 100))”; see "
                + "steward meet list")
        guard reference.utf8.count >= TypedID.shortest else { throw none }
        let found = try MeetingStore.matching(
            TypedID(reference, of: "meeting"), of: row.project.id, transaction.db)
        guard let meeting = found.first else { throw none }
        guard found.count == 1 else {
            throw Refusal.conflict(
                "several meetings begin with \(reference.prefix(bytes: 100)); give more of the id")
        }
        return meeting
    }

    private static func validate(_ meeting: ProjectMeeting) throws {
        try validateText(meeting.title, "the title of the meeting", 1...200)
        try validateText(meeting.place, "the place of the meeting", 0...200)
        guard times.contains(meeting.start), times.contains(meeting.end),
            meeting.start < meeting.end, meeting.end - meeting.start <= longest
        else {
            throw Refusal.invalid(
                "a meeting ends after it begins, at most 30 days later, in the years 1970 to 9998")
        }
        _ = try Language.required(meeting.language)
        guard let organizer = meeting.organizer else {
            throw Refusal.invalid("say who invites")
        }
        guard (1...mostGuests).contains(meeting.guests.count) else {
            throw Refusal.invalid(
                "a meeting has 1 to \(mostGuests) guests, not \(meeting.guests.count)")
        }
        for guest in meeting.guests + [organizer] {
            try validateText(guest.name, "the name of a guest", 1...100)
            try MailRequested.validate(address: guest.mail)
        }
        guard Set(meeting.guests.map(\.mail)).count == meeting.guests.count else {
            throw Refusal.invalid("two guests have the same mail address")
        }
    }
}

extension ProjectMeeting {
    /// Names the account of each guest and of the organizer, from the people of the project. Only
    /// they say which account is theirs, so what a client says about it is ignored.
    fileprivate mutating func nameAccounts(by record: ProjectRecord) {
        let accounts = Dictionary(
            record.members.values.map { ($0.name, $0.account) },
            uniquingKeysWith: { first, _ in first })
        for index in guests.indices { guests[index].account = accounts[guests[index].name] ?? "" }
        let organizing = organizer?.name ?? ""
        organizer?.account = accounts[organizing] ?? ""
    }

    /// Keeps the accounts of guests, and of the organizer, who were renamed in the project since
    /// they were invited. They are recognised by their mail address.
    fileprivate mutating func keepAccounts(of before: ProjectMeeting, in record: ProjectRecord) {
        let present = Set(record.members.values.map(\.account)).subtracting([""])
        var earlier = before.guests
        if let organizer = before.organizer { earlier.append(organizer) }
        let known = Dictionary(
            earlier.filter { present.contains($0.account) }.map { ($0.mail, $0.account) },
            uniquingKeysWith: { first, _ in first })
        for index in guests.indices where guests[index].account.isEmpty {
            guests[index].account = known[guests[index].mail] ?? ""
        }
        if let organizer, organizer.account.isEmpty {
            self.organizer?.account = known[organizer.mail] ?? ""
        }
    }

    /// The meeting as it is mailed.
    fileprivate var withoutAccounts: ProjectMeeting {
        var meeting = self
        for index in guests.indices { meeting.guests[index].account = "" }
        meeting.organizer?.account = ""
        return meeting
    }
}

extension MeetingChanged {
    /// The summary of a meeting of the project with an id.
    fileprivate init(_ meeting: ProjectMeeting, of project: String) {
        self.init(meeting: meeting, project: project)
        self.meeting.calendar = ""
    }
}
