/// A day on which something is due or takes place.
package struct DueDate: Hashable, Sendable {
    package let uid: String
    /// The day, in days since 1970-01-01.
    package let day: Int64
    package let title: String
    package let text: String
    /// When it was changed, in seconds since 1970.
    package let stamp: Int64

    package init(uid: String, day: Int64, title: String, text: String = "", stamp: Int64) {
        self.uid = uid
        self.day = day
        self.title = title
        self.text = text
        self.stamp = stamp
    }
}

/// Writes due dates as a calendar that programs subscribe to: events of whole days on which nobody
/// is busy.
package enum DueDateCalendar {
    /// The text of the calendar.
    ///
    /// - Throws: `CalendarProblem` when a uid is malformed, a time is out of range, or there are
    ///   more dates than would be read back.
    package static func text(
        _ dates: [DueDate], name: String
    ) throws(CalendarProblem) -> String {
        guard dates.count < CalendarLimits.components else {
            throw CalendarProblem(
                reason: "there are \(dates.count) due dates",
                cure: "choose fewer than \(CalendarLimits.components)")
        }
        var text = CalendarText()
        text.begin(method: "PUBLISH")
        text.add("X-WR-CALNAME", text: name)
        text.add("REFRESH-INTERVAL;VALUE=DURATION", "PT1H")
        for date in dates {
            try Invitation.validate(uid: date.uid)
            try Invitation.validate(instants: [date.stamp])
            guard (0..<CalendarLimits.seconds.upperBound / 86_400 - 1).contains(date.day) else {
                throw CalendarProblem(
                    component: "VEVENT \(shown(date.uid))", reason: "the day is out of range",
                    cure: "use days from 1970 to 9999")
            }
            text.add("BEGIN", "VEVENT")
            text.add("UID", date.uid)
            text.add("DTSTAMP", CalendarText.instant(date.stamp))
            text.add("DTSTART;VALUE=DATE", CalendarText.day(date.day))
            text.add("DTEND;VALUE=DATE", CalendarText.day(date.day + 1))
            text.add("SUMMARY", text: date.title)
            if !date.text.isEmpty { text.add("DESCRIPTION", text: date.text) }
            text.add("TRANSP", "TRANSPARENT")
            text.add("END", "VEVENT")
        }
        text.add("END", "VCALENDAR")
        return text.text
    }
}
