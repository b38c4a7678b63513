/// The people for whom the shift manager has said what they may do in a list.
struct CrewKey: Hashable, Sendable {
    let list: String
    /// The name of the account; empty for everyone who isn't named.
    let account: String
}
