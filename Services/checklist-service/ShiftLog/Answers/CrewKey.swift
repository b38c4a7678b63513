/// Of whom the shift manager has said what they may do in a list.
struct CrewKey: Hashable, Sendable {
    let list: String
    /// The name of the account; empty for everyone of whom nothing else is said.
    let account: String
}
