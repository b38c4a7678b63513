import HTTPExchange

/// The streams that pages have open, by page. A page that gives one up may have lost it with its
/// network, so that a proxy before the server keeps it open: the next one that the page opens says
/// so, and ends it.
struct PageStreams {
    /// A stream, as the page that opens it names it.
    struct Name: Hashable {
        fileprivate struct Page: Hashable {
            let logIn: [UInt8]
            let path: String
            let id: String
        }

        fileprivate let page: Page
        /// Which of the streams that the page has opened this is.
        fileprivate let attempt: UInt32
        /// The first one that the page still waits for.
        fileprivate let first: UInt32

        /// Reads the name in the address of a request; nil if there is none.
        ///
        /// - Parameters:
        ///   - target: the address: `?page=ID&attempt=3&first=2`, with an id that the page made up.
        ///   - logIn: the log-in of the page.
        init?(_ target: Target, logIn: [UInt8]) {
            guard let id = target.query["page"], !id.isEmpty, id.utf8.count <= 40,
                let attempt = target.query["attempt"].flatMap({ UInt32($0) }),
                let first = target.query["first"].flatMap({ UInt32($0) })
            else { return nil }
            page = Page(logIn: logIn, path: target.parts.joined(separator: "/"), id: id)
            (self.attempt, self.first) = (attempt, first)
        }
    }

    private var open: [Name.Page: [UInt64: UInt32]] = [:]
    private var pages: [UInt64: Name.Page] = [:]

    /// The numbers of the streams that a page has given up, as it says with its next one.
    func givenUp(by name: Name) -> [UInt64] {
        (open[name.page] ?? [:]).filter { $0.value < name.first }.map(\.key)
    }

    /// Adds a stream.
    mutating func begin(_ name: Name, number: UInt64) {
        open[name.page, default: [:]][number] = name.attempt
        pages[number] = name.page
    }

    /// Removes a stream that has ended.
    mutating func end(_ number: UInt64) {
        guard let page = pages.removeValue(forKey: number) else { return }
        open[page]?[number] = nil
        if open[page]?.isEmpty == true { open[page] = nil }
    }
}
