/// Why a server's answer can't be used.
package struct RedmineFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and where, in words for a person.
    package let description: String
    /// Whether the answer is one of a Redmine server, and only the thing in it can't be kept here.
    package let isOfThing: Bool

    package init(_ description: String, isOfThing: Bool = false) {
        self.description = description
        self.isOfThing = isOfThing
    }
}

/// The limits of what is accepted from a server.
package enum RedmineLimit {
    /// The numbers of things.
    package static let ids = 1...2_147_483_647
    /// The maximum length of a name or subject in bytes.
    package static let name = 2_040
    /// The maximum length of a description in bytes; the scanner reads no longer texts.
    package static let text = 65_536
    /// The maximum number of things in one answer.
    package static let items = 10_000
    /// The maximum number of relations of an issue.
    package static let relations = 10_000
    /// The delays of relations.
    package static let delays = -100_000...100_000
    /// The estimates, in hours.
    package static let hours = 0.0...100_000.0
    /// The number of things that a list may claim to have.
    package static let total = 0...10_000_000
    /// The maximum length of an answer in bytes.
    package static let answer = 32 << 20
    /// The maximum size of a list that is wholly in memory, in bytes.
    package static let list = 4 * answer
    /// The maximum number of error messages kept from an answer, and their maximum length.
    package static let errors = 10
    package static let error = 300
}
