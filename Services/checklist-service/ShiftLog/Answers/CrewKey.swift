/// The people whose rights in a list the shift manager has set.
struct CrewKey: Hashable, Sendable {
    let list: String
    /// The name of the account; empty for everyone who isn't named.
    let account: String
}
