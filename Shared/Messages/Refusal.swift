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

    /// The change was made from something that someone else has changed since.
    ///
    /// - Parameter thing: what was changed, e.g. `the routine`.
    public static func changedSince(_ thing: String) -> Refusal {
        .conflict("someone else has changed \(thing) since you looked; look again")
            .because(.changedSince)
    }

    /// The sender may not do this.
    public static func forbidden(_ message: String) -> Refusal {
        Refusal(code: .forbidden, message: message)
    }

    /// The maximum number of bytes sent of a refusal's sentence.
    public static let longestMessage = 4000

    /// The same refusal with each text cut so that it can always be sent.
    public var cut: Refusal {
        var refusal = self
        refusal.message = message.prefix(bytes: Self.longestMessage)
        refusal.subject = subject.prefix(bytes: 1000)
        refusal.arguments = arguments.mapValues { $0.prefix(bytes: 1000) }
        return refusal
    }
}

extension OperationOutcome {
    /// Makes the outcome of a refused operation. What the refusal repeats of the operation is cut,
    /// as in a reply: a device that can't read the outcome would send the operation again and
    /// again.
    public init(id: [UInt8], _ refusal: Refusal) {
        let refusal = refusal.cut
        self.init(
            id: id, kind: .refused, refusalCode: UInt32(clamping: refusal.code.rawValue),
            refusal: refusal.message, refusalReason: refusal.reason,
            refusalSubject: refusal.subject, refusalArguments: refusal.arguments)
    }

    /// Why the operation was refused. An outcome from an older version has no subject and no
    /// arguments.
    public var whyRefused: Refusal {
        Refusal(
            code: Refusal.Code(rawValue: Int32(clamping: refusalCode)), message: refusal,
            reason: refusalReason, subject: refusalSubject, arguments: refusalArguments)
    }
}
