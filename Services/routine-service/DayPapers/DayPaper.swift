import Papers
import Phrases

/// A day on paper, drawn for a child or a forgetful person who looks at it from a metre away. Each
/// item has its picture and its name together. Nothing is red, and nothing is counted.
package struct DayPaper {
    /// The kinds of paper.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A list to hang up.
        case sheet
        /// A card for each item, to cut out.
        case cards
        /// The next open item, and the one after it.
        case firstThen = "first-then"
    }

    let day: PaperDay
    let options: DayPaperOptions
    /// The pages, in the order in which they are printed.
    package let pages: [Drawing]

    package init(_ day: PaperDay, as kind: Kind, _ options: DayPaperOptions) {
        self.day = day
        self.options = options
        let desk = DrawingDesk(day, options)
        pages =
            switch kind {
            case .sheet: DaySheet(desk).pages
            case .cards: DayCards(desk).pages
            case .firstThen: [FirstThenSheet(desk).page]
            }
    }

    /// Returns all pages as one PDF document with searchable text. The same day gives the same
    /// bytes, as long as the same fonts are installed.
    package func pdf() throws(PaperError) -> [UInt8] {
        let title = pages.first?.title ?? day.title
        return try Drawing.pdf(of: pages, title: title, dated: day.date?.iso ?? "")
    }

    /// Returns an SVG file for each page, with the pictures embedded.
    package func svg() -> [String] { pages.map { $0.svg() } }

    /// Returns a PNG picture for each page.
    ///
    /// - Parameter resolution: pixels per millimetre.
    package func png(resolution: Double = 6) throws(PaperError) -> [[UInt8]] {
        var files: [[UInt8]] = []
        for page in pages { files.append(try page.png(resolution: resolution)) }
        return files
    }
}
