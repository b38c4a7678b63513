/// A cursor over a list whose parts are each stored before the next is requested.
///
/// Removing something meanwhile moves everything after it forward. So each page begins with the
/// last thing of the one before, and if another thing comes instead, the list is read again.
package struct PartWalk: Hashable, Sendable {
    /// How many things have been read.
    package private(set) var offset: Int
    /// The number of the thing that must come again; 0 if any may.
    package private(set) var last: Int
    /// The number of things in the whole list; nil before the server has said.
    package private(set) var total: Int?

    /// Continues at a position.
    package init(offset: Int = 0, last: Int = 0) { (self.offset, self.last) = (offset, last) }

    /// Whether there is nothing more to ask for.
    package var isDone: Bool { total.map { offset >= $0 } ?? false }

    /// How many things come before the next page.
    package var start: Int { max(offset - 1, 0) }

    /// Records a page that has arrived.
    ///
    /// - Parameters:
    ///   - page: the page that begins at ``start``.
    ///   - list: what the list is called in a fault, such as “the list of issues”.
    /// - Throws: if the server contradicts itself, or something would be missed.
    package mutating func note<Item: Identifiable>(
        _ page: RedmineReader.Page<Item>, of list: String
    ) throws(RedmineFault) where Item.ID == Int {
        guard let total = page.total, page.offset ?? start == start else {
            throw RedmineFault("it doesn't say which part of \(list) it sent")
        }
        if last > 0, page.items.first?.id != last {
            self = PartWalk()
            throw RedmineFault("something left \(list) while it was read; it is read again")
        }
        let end = start + page.count
        guard end >= total || page.count > 1 else {
            throw RedmineFault("it sent \(end) of \(total) things of \(list) and then none")
        }
        (offset, self.total) = (end, total)
        // The number of an unreadable thing isn't known.
        last = page.skipped.isEmpty ? page.items.last?.id ?? 0 : 0
    }
}
