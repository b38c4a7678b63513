import Bus
import Messages
import ServiceRuntime
import TestSupport
import Testing

extension Processes {
    /// Meetings, and the mails about them.
    @Suite struct MeetingTests {
        /// 2083-03-15, 10:00 in UTC.
        private static let start: Int64 = 3_572_330_400_000

        private func meeting(_ guests: String...) -> ProjectMeeting {
            ProjectMeeting(
                title: "Kick-off; at last", place: "Barn", start: Self.start,
                end: Self.start + 3_600_000,
                organizer: MeetingGuest(name: "Kari", mail: "kari@example.org"),
                guests: guests.map { MeetingGuest(name: $0, mail: "\($0)@example.org") })
        }

        private func book(
            _ team: Team, _ meeting: ProjectMeeting, anyway: Bool = false
        ) throws -> ProjectMeeting {
            try team.ask(
                BookMeeting(project: "house", meeting: meeting, anyway: anyway),
                for: ProjectMeeting.self)
        }

        /// The mails that were requested: the method of the calendar, the number of changes, and
        /// the recipients.
        private func mails(_ team: Team) throws -> [String] {
            try team.told(MailRequested.self).map { mail in
                let sequence =
                    mail.calendar.split(separator: "\r\n").first { $0.hasPrefix("SEQUENCE:") } ?? ""
                return "\(mail.calendarMethod ?? "") \(sequence) \(mail.to.joined(separator: " "))"
            }
        }

        @Test func `guests get mails when a meeting is booked, moved and cancelled`()
            throws
        {
            let team = try Team()
            try team.make()
            var booked = try book(team, meeting("ola", "eva"))
            #expect(booked.sequence == 0 && booked.calendar.contains("METHOD:REQUEST\r\n"))
            #expect(booked.calendar.contains("UID:\(booked.id)@steward\r\n"))
            #expect(
                try mails(team) == ["REQUEST SEQUENCE:0 ola@example.org eva@example.org"])
            let mail = try #require(try team.told(MailRequested.self).first)
            #expect(mail.subject.hasPrefix("Invitation: Kick-off; at last, 2083-03-15"))
            #expect(mail.text.contains("Where: Barn") && mail.attachments.count == 1)

            // Booking the same again mails nothing.
            #expect(try book(team, booked).sequence == 0)
            booked.start += 86_400_000
            booked.end += 86_400_000
            booked.guests = meeting("eva", "per").guests
            booked.language = "nb"
            try team.restart()
            let moved = try book(team, booked)
            #expect(moved.sequence == 1 && moved.id == booked.id)
            #expect(
                try mails(team).dropFirst() == [
                    "REQUEST SEQUENCE:1 eva@example.org", "REQUEST SEQUENCE:1 per@example.org",
                    "CANCEL SEQUENCE:1 ola@example.org",
                ])
            let told = try team.told(MailRequested.self)
            #expect(told[1].subject.hasPrefix("Endret: Kick-off"))
            // People who are no longer invited aren't told who is.
            #expect(!told[3].calendar.contains("eva@example.org"))
            #expect(told[1].calendar.contains("per@example.org"))
            let ended = try team.ask(
                CancelMeeting(project: "house", meeting: String(moved.id.prefix(8))),
                for: ProjectMeeting.self)
            #expect(ended.cancelled && ended.sequence == 2)
            #expect(
                try mails(team).last == "CANCEL SEQUENCE:2 eva@example.org per@example.org")
            // Cancelling twice is the same as cancelling once.
            _ = try team.ask(
                CancelMeeting(project: "house", meeting: moved.id), for: ProjectMeeting.self)
            #expect(try mails(team).count == 5)
            #expect(
                try team.refusal(of: BookMeeting(project: "house", meeting: ended))?.code
                    == .conflict)
            let listed = try team.ask(ListMeetings(project: "house"), for: MeetingsListed.self)
            #expect(listed.meetings.map(\.cancelled) == [true])
            #expect(listed.meetings[0].calendar.isEmpty)
        }

        @Test func `a meeting makes its guests busy, also for a booking at the same moment`()
            throws
        {
            let team = try Team()
            for (project, name) in [("house", "ola"), ("barn", "olav")] {
                try team.make(project)
                try team.edit(
                    project,
                    .keep(
                        .member(
                            TeamMember(name: name, account: "me", timeZone: "UTC", share: 100))))
            }
            var booked = try book(team, meeting("ola", "eva"))
            for project in ["house", "barn"] {
                let read = try team.ask(
                    ReadBusyTimes(
                        project: project, from: Self.start - 1, until: Self.start + 3_600_001),
                    for: BusyTimesRead.self)
                let expected = BusyStretch(
                    person: 1, start: Self.start, end: Self.start + 3_600_000)
                #expect(read.times == [expected])
            }
            // Its own time is free for it, and nobody else's.
            booked.start += 1_800_000
            booked.end += 1_800_000
            booked = try book(team, booked)
            for (project, guests) in [
                ("house", meeting("ola")), ("house", meeting("eva", "per")),
                ("barn", meeting("olav")),
            ] {
                let refusal = try team.refusal(of: BookMeeting(project: project, meeting: guests))
                #expect(refusal?.code == .conflict)
                #expect(refusal?.message.contains("another meeting") == true)
            }
            let other = try book(team, meeting("per"))
            var wanted = other
            wanted.guests += meeting("ola").guests
            let refusal = try team.refusal(of: BookMeeting(project: "house", meeting: wanted))
            #expect(refusal?.code == .conflict)

            wanted.guests[1].isOptional = true
            wanted = try book(team, wanted)
            #expect(wanted.guests.count == 2)
            _ = try book(team, meeting("ola"), anyway: true)
            _ = try team.ask(
                CancelMeeting(project: "house", meeting: wanted.id), for: ProjectMeeting.self)
            _ = try book(team, meeting("per"))
        }

        @Test func `no guest comes to a meeting of a deleted project`() throws {
            let team = try Team()
            try team.make()
            var past = meeting("ola")
            (past.start, past.end) = (1_600_000_000_000, 1_600_003_600_000)
            _ = try book(team, past)
            var coming = meeting("ola", "eva")
            coming.start = WallClock.milliseconds() + 86_400_000
            coming.end = coming.start + 3_600_000
            let cancelled = try book(team, coming)
            _ = try team.ask(
                CancelMeeting(project: "house", meeting: cancelled.id), for: ProjectMeeting.self)
            _ = try book(team, coming)
            let mailed = try mails(team).count

            _ = try team.ask(DeleteProject(project: "house"), for: ProjectDeleted.self)

            #expect(
                try mails(team).dropFirst(mailed) == [
                    "CANCEL SEQUENCE:1 ola@example.org eva@example.org"
                ])
            #expect(try team.told(MeetingChanged.self).last?.meeting.cancelled == true)
        }

        @Test func `a guest who was renamed keeps the meeting in their day`() throws {
            let team = try Team()
            try team.make()
            var member = TeamMember(name: "ola", account: "me", timeZone: "UTC", share: 100)
            try team.edit("house", .keep(.member(member)))
            var booked = try book(team, meeting("ola", "eva"))
            let account = booked.guests[0].account
            #expect(!account.isEmpty)
            (member.number, member.name) = (1, "Ola Nordmann")
            try team.edit("house", .keep(.member(member)))

            booked.title = "Kick-off"
            booked = try book(team, booked)

            #expect(booked.sequence == 1 && booked.guests.map(\.account) == [account, ""])
            #expect(try team.told(MeetingChanged.self).last?.meeting.guests[0].account == account)
            // Someone who is no longer in the project, or has another address, isn't meant.
            booked.guests[0].mail = "other@example.org"
            booked = try book(team, booked)
            #expect(booked.guests.map(\.account) == ["", ""])
        }

        @Test func `what somebody else has moved meanwhile isn't moved back`() throws {
            let team = try Team()
            try team.make()
            let read = try book(team, meeting("ola"))
            var moved = read
            moved.start += 86_400_000
            moved.end += 86_400_000
            moved = try book(team, moved)
            let mailed = try mails(team)

            var renamed = read
            renamed.title = "Kick-off"
            let change = BookMeeting(project: "house", meeting: renamed)
            #expect(try team.refusal(of: change)?.code == .conflict)
            #expect(try mails(team) == mailed)
            let listed = try team.ask(ListMeetings(project: "house"), for: MeetingsListed.self)
            #expect(listed.meetings.map(\.start) == [moved.start])

            moved.title = "Kick-off"
            let both = try book(team, moved)
            #expect(both.sequence == 2 && both.start == moved.start && both.title == "Kick-off")
        }

        @Test func `meetings that begin at the same time are listed page by page`() throws {
            let team = try Team()
            try team.make()
            var booked: [ProjectMeeting] = []
            for _ in 0..<5 { booked.append(try book(team, meeting("ola"), anyway: true)) }
            var later = meeting("ola")
            (later.start, later.end) = (later.start + 60_000, later.end + 60_000)
            booked.append(try book(team, later, anyway: true))

            var listed: [String] = []
            var page: [ProjectMeeting] = []
            repeat {
                page = try team.ask(
                    ListMeetings(
                        project: "house", limit: 2, until: page.last?.start ?? 0,
                        before: page.last?.id ?? ""), for: MeetingsListed.self
                ).meetings
                listed += page.map(\.id)
            } while !page.isEmpty && listed.count < 20

            let latestFirst = booked.sorted { ($0.start, $0.id) > ($1.start, $1.id) }
            #expect(listed == latestFirst.map(\.id))
        }

        @Test func `meetings that are over are deleted, and others stay`() throws {
            let team = try Team()
            try team.make()
            var coming = meeting("ola")
            (coming.start, coming.end) = (250_000_000_000_000, 250_000_003_600_000)
            coming = try book(team, coming)
            for hour in 1...3 {
                var past = meeting("ola")
                past.start = Int64(hour) * 3_600_000
                past.end = past.start + 3_600_000
                _ = try book(team, past)
            }
            let mailed = try mails(team).count

            func delete(until time: Int64) throws -> UInt32 {
                try team.ask(
                    DeleteMeetings(project: "house", until: time), for: MeetingsDeleted.self
                ).deleted
            }
            #expect(try delete(until: 2 * 3_600_000) == 1)
            #expect(try delete(until: 253_370_764_800_000) == 2)
            #expect(try delete(until: 253_370_764_800_000) == 0)

            let listed = try team.ask(
                ListMeetings(project: "house"), for: MeetingsListed.self)
            #expect(listed.meetings.map(\.id) == [coming.id])
            #expect(try mails(team).count == mailed)
        }

        @Test func `a meeting that can't be booked is refused, and nothing is mailed`() throws {
            let team = try Team()
            try team.make()
            var cases: [ProjectMeeting] = []
            func add(_ change: (inout ProjectMeeting) -> Void) {
                var one = meeting("ola")
                change(&one)
                cases.append(one)
            }
            add { $0.title = "" }
            add { $0.end = $0.start }
            add { $0.end = .max }
            add { $0.start = .min }
            add { $0.guests = [] }
            add { $0.organizer = nil }
            add { $0.guests[0].mail = "ola@example.org\r\nBcc: x@example.org" }
            add { $0.guests.append($0.guests[0]) }
            add { $0.language = "xx" }
            for one in cases {
                let refusal = try team.refusal(of: BookMeeting(project: "house", meeting: one))
                #expect(refusal?.code == .invalid, "\(one): \(refusal?.message ?? "kept")")
            }
            var other = meeting("ola")
            other.id = "0192"
            #expect(
                try team.refusal(of: BookMeeting(project: "house", meeting: other))?.code
                    == .notFound)
            #expect(try mails(team).isEmpty)
        }
    }
}
