import HTTPExchange

/// The streams that pages have open, by page. When a page gives up a stream because its network
/// failed, a proxy in front of the server may keep it open. The next stream of the page says which
/// ones it has given up, and ends them.
struct PageStreams {
    /// A stream, as the page that opens it names it.
    struct Name: Hashable {
        fileprivate struct Page: Hashable {
            let logIn: [UInt8]
            let path: String
            let id: String
        }

        fileprivate let page: Page
        /// The stream's number among those that the page has opened.
        fileprivate let attempt: UInt32
        /// The number of the first stream that the page has not given up.
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

    /// The streams that a page has given up, according to the name of its next one.
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
