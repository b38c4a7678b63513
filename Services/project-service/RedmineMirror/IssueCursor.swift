/// A cursor over the issues that changed since some time, in the order of their changes.
///
/// Issues may change while they are read, which moves them to the end of the list and everything
/// after their old place forward. So the position in the list is a time and not a number: the next
/// part is requested by the time of the last issue, which comes again. Only if more issues than a
/// part holds changed in the same second are they counted within that second, and there too the
/// last issue has to come again.
package struct IssueCursor: Hashable, Sendable {
    /// The maximum number of issues of one second that are counted: twice those of a project. They
    /// are all in memory, because the only position that is kept is a time.
    static let mostAtOnce = 20_000

    /// The time of change from which the next part is asked for, in seconds since 1970.
    package private(set) var since: Int64
    /// How many issues of that time and later the next part skips.
    package private(set) var offset = 0
    /// Whether there is nothing more to ask for.
    package private(set) var isDone = false
    /// The issue that must be the first of the next part; nil if any may be.
    private var repeated: Int?
    /// The size of the parts with issues of that time, which are all in memory.
    private var bytes = 0

    /// Begins at a time.
    package init(since: Int64) { self.since = since }

    /// Records a part that has arrived.
    ///
    /// - Throws: if the server contradicts itself, so that something would be missed.
    package mutating func note(
        _ page: RedmineReader.Page<RemoteIssue>
    ) throws(RedmineFault) {
        guard let total = page.total else {
            throw RedmineFault("the list of issues doesn't say how many there are")
        }
        guard page.offset ?? offset == offset else {
            throw RedmineFault(
                "the server sent what comes after \(page.offset ?? 0) things instead of \(offset)")
        }
        if let repeated, page.items.first?.id != repeated {
            // Something before it is gone: this second is read again from its beginning.
            (offset, self.repeated) = (0, nil)
            return
        }
        guard offset + page.count < total else {
            isDone = true
            since = max(since, page.items.map(\.updated).max() ?? since)
            return
        }
        guard let last = page.items.last else {
            throw RedmineFault("the server sent \(offset) of \(total) issues and then none")
        }
        guard last.updated >= since else {
            throw RedmineFault("the server doesn't sort issues by the time of their change")
        }
        if last.updated > since {
            (since, offset, repeated, bytes) = (last.updated, 0, nil, 0)
        } else {
            guard page.count > 1 else {
                throw RedmineFault("the server sends one issue at a time, which isn't enough")
            }
            offset += page.count - 1
            guard offset <= Self.mostAtOnce else {
                throw RedmineFault(
                    "more than \(Self.mostAtOnce) issues were changed in the same second")
            }
            bytes += page.bytes
            guard bytes <= RedmineLimit.list else {
                throw RedmineFault(
                    "the issues that were changed in the same second have more than "
                        + "\(RedmineLimit.list >> 20) MiB")
            }
            repeated = page.skipped.isEmpty ? last.id : nil
        }
    }
}
