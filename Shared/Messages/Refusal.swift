/// A refusal is thrown by a rule and is the reply as it stands.
extension Refusal: Error {
    /// The message itself can't be carried out.
    public static func invalid(_ message: String) -> Refusal {
        Refusal(code: .invalid, message: message)
    }

    /// It names something that is not there.
    public static func notFound(_ message: String) -> Refusal {
        Refusal(code: .notFound, message: message)
    }

    /// It contradicts the present state.
    public static func conflict(_ message: String) -> Refusal {
        Refusal(code: .conflict, message: message)
    }

    /// The caller may not do this.
    public static func forbidden(_ message: String) -> Refusal {
        Refusal(code: .forbidden, message: message)
    }
}
