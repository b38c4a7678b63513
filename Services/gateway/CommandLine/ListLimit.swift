import ArgumentParser

/// How many things of a list are wanted.
enum ListLimit {
    /// Refuses what the service would cut without a word: none, or more than it gives at once.
    static func check(_ limit: UInt32, most: UInt32) throws {
        guard (1...most).contains(limit) else {
            throw ValidationError("--limit is a number from 1 to \(most), not \(limit)")
        }
    }
}
