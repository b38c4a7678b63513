import Messages

/// Changes one after another, as one change for each thing, in the order of the first.
package struct GatheredChanges: Sendable {
    private var all: [ItemChange] = []
    private var numbers: [String: Int] = [:]

    package init() {}

    /// What it comes to; what ends as it began is no change.
    package var changes: [ItemChange] { all.filter { $0.before != $0.after } }

    /// The ids of what was added and removed again.
    var passing: [String] {
        numbers.filter { all[$0.value].before == nil && all[$0.value].after == nil }.map(\.key)
    }

    /// Adds changes of what is there after those before.
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
