import Pictures

/// A document to print, show or mail, independent of a format: the same paper becomes plain text,
/// HTML and PDF.
package struct Paper: Hashable, Sendable {
    /// The distance from which it is read.
    package enum Size: Hashable, Sendable {
        /// Hung on a wall, and read from two metres.
        case wall
        /// Held in the hand.
        case hand
    }

    /// Its title, e.g. `To-do list: Kitchen`.
    package let title: String
    /// The site that it is about: its name or an address.
    package let site: String
    /// Whose it is, and for when: `2026-11-21 · Day shift · Ann`.
    package let occasion: String
    /// A line below the heading, e.g. the progress of the list; may be empty.
    package let summary: String
    package let size: Size
    /// ISO 639-1.
    package let language: String
    /// The time that its contents describe: local time in ISO 8601, or empty. No other time is
    /// written into the paper's files.
    package let dated: String
    /// Its parts, in order.
    package let blocks: [Block]

    package init(
        title: String, site: String, occasion: String, summary: String, size: Size,
        language: String, dated: String, blocks: [Block]
    ) {
        self.title = title
        self.site = site
        self.occasion = occasion
        self.summary = summary
        self.size = size
        self.language = language
        self.dated = dated
        self.blocks = blocks
    }

    /// A part of a paper.
    package enum Block: Hashable, Sendable {
        /// Opens a group. It is repeated on each page on which the group continues.
        case heading(String)
        case item(Item)
        case table(Table)
        /// A sentence of its own.
        case remark(String)
        /// A paragraph in the font size of notes.
        case paragraph(String)
        /// A drawing; on paper a page of its own, in its own size.
        case drawing(Drawing)
        /// Photos side by side; as text nothing, because items name them.
        case photos([Photo])
    }

    /// A photo with what it shows.
    package struct Photo: Hashable, Sendable {
        package let picture: Picture
        /// What it shows; of a long text only the beginning is printed.
        package let title: String
        /// By whom and when it was taken, and its name.
        package let detail: String

        package init(_ picture: Picture, title: String, detail: String) {
            (self.picture, self.title, self.detail) = (picture, title, detail)
        }
    }

    /// A task or a to-do.
    package struct Item: Hashable, Sendable {
        package let sign: Sign
        package let title: String
        /// The level: 0 for an item without a parent.
        package var depth = 0
        /// True when it must be watched during the whole section: shown in orange.
        package var isGeneral = false
        /// Where it is, its result, by whom and when; may be empty.
        package var detail = ""
        /// Notes, each on lines of its own.
        package var notes: [String] = []

        package init(
            sign: Sign, title: String, depth: Int = 0, isGeneral: Bool = false,
            detail: String = "", notes: [String] = []
        ) {
            self.sign = sign
            self.title = title
            self.depth = depth
            self.isGeneral = isGeneral
            self.detail = detail
            self.notes = notes
        }
    }

    /// The state of an item. Each has its own shape, so that no one depends on its colour.
    package enum Sign: String, Hashable, Sendable {
        /// To do, or not yet checked: an empty box.
        case open
        /// Done or ok: a tick.
        case ok
        /// Not ok: a white cross on a filled box.
        case notOk
        /// Ok in itself, but not for the person whom the paper is about: a cross in an outlined
        /// box.
        case notOkForPerson
        /// Doesn't apply: a dash.
        case notApplicable
        /// Undecided: a question mark.
        case uncertain

        /// The sign as a character; a blank for an empty box.
        var character: String {
            switch self {
            case .open: " "
            case .ok: "✓"
            case .notOk, .notOkForPerson: "✗"
            case .notApplicable: "–"
            case .uncertain: "?"
            }
        }
    }

    /// A table: every row has a cell for each column.
    package struct Table: Hashable, Sendable {
        package let columns: [Column]
        package var rows: [[String]]
        /// True when the last row is a total.
        package var hasTotal = false

        package init(columns: [Column], rows: [[String]], hasTotal: Bool = false) {
            self.columns = columns
            self.rows = rows
            self.hasTotal = hasTotal
        }
    }

    /// A column of a table.
    package struct Column: Hashable, Sendable {
        package let title: String
        /// True when its cells are aligned on the right.
        package var isNumber = false
        /// Its share of the width.
        package var weight = 1

        package init(title: String, isNumber: Bool = false, weight: Int = 1) {
            self.title = title
            self.isNumber = isNumber
            self.weight = weight
        }
    }
}

extension String {
    /// The text without characters that a terminal or a page would interpret. Line breaks stay.
    package var shown: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x0A: text.unicodeScalars.append(scalar)
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                text.unicodeScalars.append(" ")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
