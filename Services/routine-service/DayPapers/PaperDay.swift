import Dates
import Pictures

/// A day as it is put on paper.
package struct PaperDay: Hashable, Sendable {
    /// What it is called, e.g. whose day it is; may be empty.
    package var title: String
    /// Which day; nil for a paper that serves every day.
    package var date: CivilDate?
    /// In the order in which they are done.
    package var items: [Item]

    package init(title: String, date: CivilDate? = nil, items: [Item]) {
        self.title = title
        self.date = date
        self.items = items
    }

    /// Something to do, or an appointment.
    package struct Item: Hashable, Sendable {
        /// What became of it.
        package enum Mark: Hashable, Sendable {
            case open
            case done
            case skipped
        }

        /// In a few words.
        package var name: String
        /// Its first character is drawn if there is no picture; empty for none.
        package var emoji: String
        /// A picture that a person brought; it is drawn instead of the emoji.
        package var picture: Picture?
        /// When it begins, in minutes since midnight; nil when it has no time. From 1,440 on it is
        /// the next day's.
        package var start: Int?
        /// When it ends, in minutes since midnight; nil when that isn't said.
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
package struct PaperOptions: Hashable, Sendable {
    /// A size of ISO 216.
    package enum Size: String, CaseIterable, Hashable, Sendable {
        case a4
        case a5

        /// In millimetres, upright.
        var lengths: (width: Double, height: Double) {
            switch self {
            case .a4: (210, 297)
            case .a5: (148, 210)
            }
        }
    }

    package var size: Size
    /// True for times beside the items, false for their order alone.
    package var hasTimes: Bool
    /// True for a printer without colours.
    package var isGrey: Bool
    /// ISO 639-1.
    package var language: String

    package init(
        size: Size = .a4, hasTimes: Bool = true, isGrey: Bool = false, language: String = "en"
    ) {
        self.size = size
        self.hasTimes = hasTimes
        self.isGrey = isGrey
        self.language = language
    }
}
