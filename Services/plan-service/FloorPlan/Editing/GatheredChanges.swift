import Messages

/// Successive changes combined into one change for each thing, in the order of the first.
package struct GatheredChanges: Sendable {
    private var all: [ItemChange] = []
    private var numbers: [String: Int] = [:]

    package init() {}

    /// The result; a thing that ends as it began has no change.
    package var changes: [ItemChange] { all.filter { $0.before != $0.after } }

    /// The ids of things that were added and removed again.
    var passing: [String] {
        numbers.filter { all[$0.value].before == nil && all[$0.value].after == nil }.map(\.key)
    }

    /// Adds changes that follow the earlier ones.
    package mutating func add(_ changes: [ItemChange]) {
        for change in changes {
            if let number = numbers[change.id] {
                all[number].after = change.after
            } else {
                numbers[change.id] = all.count
                all.append(change)
            }
        }
    }
}
