import Bus
import Messages
import Speech
import WorkingCopy

extension Failure {
    /// The failure that an error is for the person who asked; nil if it doesn't come from the bus,
    /// a service or a working copy.
    package init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ClientError: self.init(client: error)
        case let error as ConfigurationError: self.init(.broken, error.description)
        case let refusal as Refusal: self.init(.refused, refusal.typedMessage)
        case let error as WorkingCopyError:
            self.init(.broken, error.description, advice: error.advice)
        case let error as BusError:
            self.init(.broken, "the bus failed: \(error)", advice: "look at STEWARD_BUS")
        case let error as ProtobufError:
            self.init(
                .broken, "an answer can't be read: \(error)",
                advice: "compare steward version with steward status")
        default: return nil
        }
    }

    /// True if the same message may be accepted a little later although nobody does anything: a
    /// service can't be reached or has a fault, doesn't accept the access token yet, or has
    /// answered too much lately.
    package static func mayPass(_ error: any Error) -> Bool {
        if case ClientError.refused(let refusal) = error,
            [.badToken, .internal].contains(refusal.code) || refusal.isBecause(.answersLimit)
        {
            return true
        }
        return Failure(error)?.isUnreachable == true
    }

    private init(client error: ClientError) {
        switch error {
        case .notRunning(let service):
            self.init(
                .notRunning, "\(service.rawValue) is not running", advice: "start it: steward up")
        case .denied(let service):
            self.init(
                .broken, "\(service.rawValue) does not admit this program",
                advice: "its host must know this key, with the role gateway: see steward keys add")
        case .noHandshake(let service):
            self.init(
                .notRunning,
                "what is at the address of \(service.rawValue) does not answer as it should",
                advice: "it is another program, or its key is not the one known here: "
                    + "steward doctor looks")
        case .noAnswer(let service, let id):
            self.init(
                .unknownOutcome,
                "\(service.rawValue) has not answered in time, so it is not known whether it has "
                    + "done what was asked (id \(id))",
                advice: "a query can simply be repeated; a command that takes --id is safe "
                    + "to repeat with --id \(id)")
        case .refused(let refusal) where refusal.code == .internal:
            self.init(.broken, refusal.message, advice: "the service's log has more")
        // A clock has jumped, or is wrong: the same query may succeed in a moment.
        case .refused(let refusal) where refusal.reason == RefusalReason.queryLate.rawValue:
            self.init(.unknownOutcome, refusal.message)
        case .refused(let refusal): self.init(.refused, refusal.typedMessage)
        case .unexpected(let type):
            self.init(
                .broken, "the answer “\(type)” can't be understood",
                advice: "the versions differ: compare steward version with steward status")
        case .tooLarge(let bytes):
            self.init(
                .refused,
                "the message has \(bytes) bytes; at most \(Envelope.maximumSize) may be sent")
        }
    }
}
