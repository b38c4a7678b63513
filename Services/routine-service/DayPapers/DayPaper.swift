import Papers
import Phrases

/// A day on paper: drawn for somebody who is a child, or forgets, and looks at it from a metre
/// away. Each thing has its picture and its name together. Nothing is red, and nothing is counted.
package struct DayPaper {
    /// What is made of a day.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A list to hang up.
        case sheet
        /// A card for each item, to cut out.
        case cards
        /// The next item that is open, and the one after it.
        case firstThen = "first-then"
    }

    let day: PaperDay
    let options: PaperOptions
    /// What the pages show, in the order in which they are printed.
    package let pages: [Drawing]

    package init(_ day: PaperDay, as kind: Kind, _ options: PaperOptions) {
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

    /// All pages as one PDF document, whose texts can be searched. The same day gives the same
    /// bytes with the same fonts installed.
    package func pdf() throws(PaperError) -> [UInt8] {
        let title = pages.first?.title ?? day.title
        return try Drawing.pdf(of: pages, title: title, dated: day.date?.iso ?? "")
    }

    /// A file of SVG for each page, with the pictures in it.
    package func svg() -> [String] { pages.map { $0.svg() } }

    /// A picture in PNG for each page.
    ///
    /// - Parameter resolution: pixels in a millimetre.
    package func png(resolution: Double = 6) throws(PaperError) -> [[UInt8]] {
        var files: [[UInt8]] = []
        for page in pages { files.append(try page.png(resolution: resolution)) }
        return files
    }
}
