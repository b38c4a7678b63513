import RedmineClient
import RedmineMirror

/// The part of a server's list that was read.
struct ListPart<Item: Identifiable & Sendable>: Sendable where Item.ID == Int {
    var items: [Item] = []
    /// Why items of it can't be kept here.
    var skipped: [String] = []
    /// Where the next part begins.
    var walk: PartWalk
    /// Why reading it ended early.
    var problem: RedmineProblem?

    /// Reads a part, page by page, until it has as many bytes as an answer may have.
    ///
    /// - Parameters:
    ///   - list: the name of the list.
    ///   - walk: where the part begins.
    ///   - page: requests the page after this many items.
    static func read(
        _ list: String, from walk: PartWalk,
        _ page: (_ start: Int) throws(RedmineProblem) -> RedmineReader.Page<Item>
    ) -> ListPart {
        var part = ListPart(walk: walk)
        var bytes = 0
        do throws(RedmineProblem) {
            for _ in 0..<MirrorTask.pages
            where !part.walk.isDone && bytes < RedmineLimit.answer {
                let page = try page(part.walk.start)
                do { try part.walk.note(page, of: list) } catch {
                    throw .strange(error.description)
                }
                bytes += page.bytes
                part.items += page.items
                part.skipped += page.skipped.map(\.description)
            }
        } catch { part.problem = error }
        return part
    }
}

extension MirrorNews {
    /// Records how far a list was read.
    mutating func note(_ part: ListPart<some Sendable>) throws(RedmineProblem) {
        skipped += part.skipped
        (offset, last) = (part.walk.offset, part.walk.last)
        (isAtEnd, total) = (part.walk.isDone, part.walk.isDone ? part.walk.total : nil)
        if let problem = part.problem { throw problem }
    }
}
