import ArgumentParser

/// The number of objects of a list that a person wants.
enum ListLimit {
    /// Refuses limits that the service would silently change: zero, or more than it returns at a
    /// time.
    static func validate(_ limit: UInt32, most: UInt32) throws {
        guard (1...most).contains(limit) else {
            throw ValidationError("--limit is a number from 1 to \(most), not \(limit)")
        }
    }
}
