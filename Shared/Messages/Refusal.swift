/// A refusal is thrown by a rule and sent as the reply.
extension Refusal: Error {
    /// The message itself can't be carried out.
    public static func invalid(_ message: String) -> Refusal {
        Refusal(code: .invalid, message: message)
    }

    /// The message names something that does not exist.
    public static func notFound(_ message: String) -> Refusal {
        Refusal(code: .notFound, message: message)
    }

    /// The message contradicts the present state.
    public static func conflict(_ message: String) -> Refusal {
        Refusal(code: .conflict, message: message)
    }

    /// The sender may not do this.
    public static func forbidden(_ message: String) -> Refusal {
        Refusal(code: .forbidden, message: message)
    }
}
