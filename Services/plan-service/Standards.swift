import Messages

/// The standards that plans can be checked against.
enum Standards {
    /// Their names.
    static var known: [String] { ["tek17"] }
}
