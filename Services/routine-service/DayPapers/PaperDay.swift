import Dates
import Papers
import Pictures

/// A day as it is drawn on paper.
package struct PaperDay: Hashable, Sendable {
    /// The title, e.g. whose day it is; may be empty.
    package var title: String
    /// The date; nil for a paper that serves every day.
    package var date: CivilDate?
    /// The items, in the order in which they are done.
    package var items: [Item]

    package init(title: String, date: CivilDate? = nil, items: [Item]) {
        self.title = title
        self.date = date
        self.items = items
    }

    /// A task or an appointment.
    package struct Item: Hashable, Sendable {
        /// The state of an item.
        package enum Mark: Hashable, Sendable {
            case open
            case done
            case skipped
        }

        /// The name, a few words long.
        package var name: String
        /// The emoji; its first character is drawn if there is no picture. Empty for none.
        package var emoji: String
        /// A picture that a person uploaded; it is drawn instead of the emoji.
        package var picture: Picture?
        /// When the item begins, in minutes since midnight; nil when it has no time. From 1,440 on,
        /// it is on the next day.
        package var start: Int?
        /// When the item ends, in minutes since midnight; nil when that is unknown.
        package var end: Int?
        package var mark: Mark

        package init(
            name: String, emoji: String = "", picture: Picture? = nil, start: Int? = nil,
            end: Int? = nil, mark: Mark = .open
        ) {
            self.name = name
            self.emoji = emoji
            self.picture = picture
            self.start = start
            self.end = end
            self.mark = mark
        }
    }
}

/// How a day is put on paper.
package struct DayPaperOptions: Hashable, Sendable {
    /// The sheet: A4, or A5 for a smaller one. A larger one is drawn as A4.
    package var paper: PaperSize
    /// Whether times are printed next to the items; if not, only their order.
    package var hasTimes: Bool
    /// Whether the paper is for a printer without colours.
    package var isGrey: Bool
    /// The language of the paper, as an ISO 639-1 code.
    package var language: String

    package init(
        paper: PaperSize = .a4, hasTimes: Bool = true, isGrey: Bool = false, language: String = "en"
    ) {
        self.paper = paper == .a5 ? .a5 : .a4
        self.hasTimes = hasTimes
        self.isGrey = isGrey
        self.language = language
    }
}
