/// What has to happen to each field of an issue so that both sides are equal again.
///
/// A field has three values: the one that both sides last had, ours, and theirs. A side that still
/// has the last one hasn't changed it, so the other side's counts. If both have changed it to
/// different values, neither is overwritten: it is a conflict, which a person settles.
package struct IssueMerge: Hashable, Sendable {
    /// The fields whose value at the server should become ours.
    package let taken: [RemoteField]
    /// The fields whose value here should be written to the server.
    package let pushed: [RemoteField]
    /// The fields that both sides have changed.
    package let conflicts: [RemoteField]

    /// Compares the sides.
    ///
    /// - Parameters:
    ///   - base: what both sides had last.
    ///   - ours: what we have. A field is left out if the server can't represent its value, such as
    ///     a person whom it doesn't know; it is never pushed, and is a conflict if theirs has
    ///     changed.
    ///   - theirs: what the server has.
    ///   - isWhole: whether the issue has parts: some fields then follow from them at the server,
    ///     which ignores what it is told about them.
    package init(
        base: RemoteIssue, ours: [RemoteField: RemoteValue], theirs: RemoteIssue, isWhole: Bool
    ) {
        var taken: [RemoteField] = []
        var pushed: [RemoteField] = []
        var conflicts: [RemoteField] = []
        for field in RemoteField.allCases {
            let (last, remote) = (base[field], theirs[field])
            if isWhole, RemoteField.derived.contains(field) {
                // Ours has the dates of its parts too, but no other derived field.
                let isDate = field == .start || field == .due
                if !isDate, ours[field] != remote { taken.append(field) }
                continue
            }
            guard let own = ours[field] else {
                if remote != last { conflicts.append(field) }
                continue
            }
            if own == remote { continue }
            if own == last {
                taken.append(field)
            } else if remote == last {
                pushed.append(field)
            } else {
                conflicts.append(field)
            }
        }
        (self.taken, self.pushed, self.conflicts) = (taken, pushed, conflicts)
    }
}
