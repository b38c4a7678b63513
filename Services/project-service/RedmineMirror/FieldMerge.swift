/// What has to happen to each field of something so that both sides are equal again.
///
/// A field has three values: the one that both sides last had, ours, and theirs. A side that still
/// has the last one hasn't changed it, so the other side's counts. If both have changed it to
/// different values, neither is overwritten: it is a conflict, which a person settles.
package struct FieldMerge<Field: Hashable & Sendable>: Hashable, Sendable {
    /// The fields whose value at the server should become ours.
    package private(set) var taken: [Field] = []
    /// The fields whose value here should be written to the server.
    package private(set) var pushed: [Field] = []
    /// The fields that both sides have changed.
    package private(set) var conflicts: [Field] = []

    /// Compares the sides of a field.
    ///
    /// - Parameters:
    ///   - last: what both sides had last.
    ///   - own: what we have; nil if the server can't represent it, such as a person whom it
    ///     doesn't know. It is then never pushed, and is a conflict if theirs has changed.
    ///   - remote: what the server has.
    mutating func add(
        _ field: Field, last: RemoteValue?, own: RemoteValue?, remote: RemoteValue
    ) {
        guard let own else {
            if remote != last { conflicts.append(field) }
            return
        }
        if own == remote { return }
        if own == last {
            taken.append(field)
        } else if remote == last {
            pushed.append(field)
        } else {
            conflicts.append(field)
        }
    }
}

/// What has to happen to each field of an issue.
package typealias IssueMerge = FieldMerge<RemoteField>

extension FieldMerge<RemoteField> {
    /// Compares the sides.
    ///
    /// - Parameters:
    ///   - base: what both sides had last.
    ///   - ours: what we have, without what the server can't represent.
    ///   - theirs: what the server has.
    ///   - isWhole: whether the issue has parts: some fields then follow from them at the server,
    ///     which ignores other values.
    package init(
        base: RemoteIssue, ours: [RemoteField: RemoteValue], theirs: RemoteIssue, isWhole: Bool
    ) {
        self.init()
        for field in RemoteField.allCases {
            if isWhole, RemoteField.derived.contains(field) {
                // Ours has the dates of its parts too, but no other derived field.
                let isDate = field == .start || field == .due
                if !isDate, ours[field] != theirs[field] { taken.append(field) }
                continue
            }
            add(field, last: base[field], own: ours[field], remote: theirs[field])
        }
    }
}
