/// Someone who invites or is invited.
package struct Participant: Hashable, Sendable {
    package let name: String
    /// The e-mail address, such as `kari@example.org`.
    package let address: String
    /// Whether the meeting can take place without this person.
    package let isOptional: Bool

    /// - Throws: `CalendarProblem` when the address is malformed.
    package init(
        name: String, address: String, isOptional: Bool = false
    ) throws(CalendarProblem) {
        let halves = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = address.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7f && !"\"(),:;<>[\\]".utf8.contains(byte)
        }
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), isPlain,
            address.utf8.count <= 254
        else {
            throw CalendarProblem(
                reason: "\(shown(address)) is not a mail address",
                cure: "write it like kari@example.org")
        }
        self.name = name
        self.address = address
        self.isOptional = isOptional
    }
}

/// A meeting, as an invitation or its cancellation for calendar programs (RFC 5546).
package struct Invitation: Hashable, Sendable {
    package let uid: String
    /// 0 at first; increases by one each time the meeting is moved or cancelled.
    package let sequence: Int64
    package let span: TimeSpan
    /// When this revision was made, in seconds since 1970.
    package let stamp: Int64
    package let title: String
    package var text = ""
    package var place = ""
    package let organizer: Participant
    package let attendees: [Participant]

    /// - Throws: `CalendarProblem` when the uid is malformed, or a time or number is out of range.
    package init(
        uid: String, sequence: Int64, span: TimeSpan, stamp: Int64, title: String,
        organizer: Participant, attendees: [Participant]
    ) throws(CalendarProblem) {
        try Self.validate(uid: uid)
        guard (0...999_999_999).contains(sequence) else {
            throw CalendarProblem(
                reason: "the sequence \(sequence) is out of range", cure: "count from 0")
        }
        try Self.validate(instants: [span.start, span.end, stamp])
        guard !span.isEmpty else {
            throw CalendarProblem(
                reason: "the meeting ends before it begins", cure: "put the end last")
        }
        guard attendees.count <= CalendarLimits.attendees else {
            throw CalendarProblem(
                reason: "there are \(attendees.count) attendees",
                cure: "invite at most \(CalendarLimits.attendees)")
        }
        self.uid = uid
        self.sequence = sequence
        self.span = span
        self.stamp = stamp
        self.title = title
        self.organizer = organizer
        self.attendees = attendees
    }

    /// The calendar that invites the attendees, or gives them the new time.
    package var request: String { calendar("REQUEST", status: "CONFIRMED") }

    /// The calendar that cancels the meeting.
    package var cancellation: String { calendar("CANCEL", status: "CANCELLED") }

    private func calendar(_ method: String, status: String) -> String {
        var text = CalendarText()
        text.begin(method: method)
        text.add("BEGIN", "VEVENT")
        text.add("UID", uid)
        text.add("SEQUENCE", String(sequence))
        text.add("DTSTAMP", CalendarText.instant(stamp))
        text.add("DTSTART", CalendarText.instant(span.start))
        text.add("DTEND", CalendarText.instant(span.end))
        text.add("SUMMARY", text: title)
        if !self.text.isEmpty { text.add("DESCRIPTION", text: self.text) }
        if !place.isEmpty { text.add("LOCATION", text: place) }
        text.add("STATUS", status)
        text.add("TRANSP", "OPAQUE")
        text.add(
            "ORGANIZER;CN=" + CalendarText.quoted(organizer.name), "mailto:" + organizer.address)
        for attendee in attendees {
            let role = attendee.isOptional ? "OPT-PARTICIPANT" : "REQ-PARTICIPANT"
            text.add(
                "ATTENDEE;CN=" + CalendarText.quoted(attendee.name)
                    + ";ROLE=\(role);PARTSTAT=NEEDS-ACTION;RSVP=TRUE",
                "mailto:" + attendee.address)
        }
        text.add("END", "VEVENT")
        text.add("END", "VCALENDAR")
        return text.text
    }

    static func validate(uid: String) throws(CalendarProblem) {
        guard !uid.isEmpty, uid.utf8.count <= CalendarLimits.nameBytes,
            uid.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x5c })
        else {
            throw CalendarProblem(
                reason: "\(shown(uid)) is no UID", cure: "use letters, digits, - and @ alone")
        }
    }

    static func validate(instants: [Int64]) throws(CalendarProblem) {
        guard instants.allSatisfy(CalendarLimits.seconds.contains) else {
            throw CalendarProblem(
                reason: "a time is out of range", cure: "use times from 1970 to 9999")
        }
    }
}

extension CalendarText {
    /// Adds the first lines of a calendar.
    mutating func begin(method: String) {
        add("BEGIN", "VCALENDAR")
        add("VERSION", "2.0")
        add("PRODID", "-//Steward//Steward//EN")
        add("CALSCALE", "GREGORIAN")
        add("METHOD", method)
    }
}
