/// A cursor over a list that a server sends in parts. It relies on what the server says it has
/// sent, not on what was requested: servers send 25 or 100 at a time, whatever is requested.
package struct PageWalk: Hashable, Sendable {
    /// The number of things requested at a time.
    package static let wanted = 100
    /// The maximum number of parts of a list.
    static let mostParts = 2_000

    /// How many things come before the next part.
    package private(set) var offset = 0
    /// Whether there is nothing more to ask for.
    package private(set) var isDone = false
    private var parts = 0

    package init() {}

    /// Records a part that has arrived.
    ///
    /// - Throws: if the server contradicts itself, so that something would be missed.
    package mutating func note(_ page: RedmineReader.Page<some Sendable>) throws(RedmineFault) {
        guard let total = page.total else {
            // Some lists come whole and don't state their length.
            isDone = true
            return
        }
        guard page.offset ?? offset == offset else {
            throw RedmineFault(
                "the server sent what comes after \(page.offset ?? 0) things instead of \(offset)")
        }
        parts += 1
        offset += page.count
        if offset >= total {
            isDone = true
        } else if page.count == 0 || parts >= Self.mostParts {
            throw RedmineFault("the server sent \(offset) of \(total) things and then none")
        }
    }
}
