import Calendars
import LocalTime
import Messages
import Phrases
import ProjectRecord
import ServiceRuntime

/// The mails to guests about a meeting, each with a calendar for their calendar program.
struct MeetingMail {
    /// What a mail announces.
    enum News {
        case invited
        case moved
        case cancelled
    }

    let meeting: ProjectMeeting
    let project: Project
    /// The time zone used in the text.
    let zone: String
    /// When it was requested, in milliseconds since 1970.
    let time: Int64

    /// The calendar for some guests, which are its only attendees.
    ///
    /// - Throws: the refusal of an address or a time that a calendar can't have.
    func calendar(for guests: [MeetingGuest], _ news: News) throws(Refusal) -> String {
        do {
            let organizer = meeting.organizer ?? MeetingGuest()
            var invitation = try Invitation(
                uid: "\(meeting.id)@steward", sequence: Int64(meeting.sequence),
                span: TimeSpan(meeting.start / 1_000, meeting.end / 1_000), stamp: time / 1_000,
                title: meeting.title,
                organizer: try Participant(name: organizer.name, address: organizer.mail),
                attendees: try guests.map { guest throws(CalendarProblem) in
                    try Participant(
                        name: guest.name, address: guest.mail, isOptional: guest.isOptional)
                })
            invitation.place = meeting.place
            invitation.text = project.name
            return news == .cancelled ? invitation.cancellation : invitation.request
        } catch {
            throw .invalid("\(error)")
        }
    }

    /// The mail to some guests.
    ///
    /// - Parameters:
    ///   - guests: who gets it.
    ///   - news: what it says.
    ///   - key: distinguishes it from other mails about this change of the meeting.
    func request(
        to guests: [MeetingGuest], _ news: News, key: String
    ) throws(Refusal) -> MailRequested {
        let calendar = try calendar(for: guests, news)
        let (subject, first): (MailPhrase, MailPhrase) =
            switch news {
            case .invited: (.meetingInvited, .meetingInvitedText)
            case .moved: (.meetingMoved, .meetingMovedText)
            case .cancelled: (.meetingCancelled, .meetingCancelledText)
            }
        let words = Words<MailPhrase>(.of(meeting.language))
        var lines = [
            words.say(
                first, ["organizer": meeting.organizer?.name ?? "", "title": meeting.title]),
            "", words.say(.meetingWhen, ["time": when]),
        ]
        if !meeting.place.isEmpty {
            lines.append(words.say(.meetingWhere, ["place": meeting.place]))
        }
        lines.append(words.say(.meetingProject, ["project": project.name]))
        return MailRequested(
            key: "meeting/\(meeting.id)/\(meeting.sequence)/\(key)", to: guests.map(\.mail),
            subject: Self.line(words.say(subject, ["title": meeting.title, "time": when])),
            text: lines.joined(separator: "\n") + "\n",
            attachments: [
                MailAttachment(
                    name: "meeting.ics", contentType: "text/calendar", data: Array(calendar.utf8))
            ], organisation: project.organisation, calendar: calendar)
    }

    /// When it is, e.g. `2027-03-15 13:00–14:00 Europe/Oslo`.
    private var when: String {
        guard let local = LocalTime(zone: zone) else { return "" }
        let (start, end) = (local.reading(at: meeting.start), local.reading(at: meeting.end))
        let day = end.day == start.day ? "" : "\(end.date) "
        return "\(start.date) \(start.time)–\(day)\(end.time) \(zone)"
    }

    /// A subject on one line, cut to the permitted length.
    private static func line(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(visible)).prefix(bytes: 250)
    }
}
