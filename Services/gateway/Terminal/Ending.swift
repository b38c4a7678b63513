import Bus
import Foundation
import Messages
import Papers
import WorkingCopy

/// What the shell is told at the end: the one table of exit codes.
enum Ending: Int32, CaseIterable {
    /// Done; also when whoever read the output has gone away.
    case done = 0
    /// The service said no, nothing was changed.
    case refused = 1
    /// The command line can't be understood.
    case usage = 64
    /// A service that is needed is not running.
    case notRunning = 69
    /// Something is broken on our side, or in the configuration.
    case broken = 70
    /// No answer came: whether the command was carried out is not known.
    case unknownOutcome = 75
}

/// Why a command ended without its result: a sentence, and what to do next.
struct Failure: Error, Hashable {
    /// What the shell is told.
    let status: Ending
    /// What is wrong, without a final stop.
    let sentence: String
    /// What to do about it; nil when the sentence says it.
    let advice: String?

    /// A failure with its sentence. What was typed or came from elsewhere may be in it: it is made
    /// safe for a terminal.
    init(_ status: Ending, _ sentence: String, advice: String? = nil) {
        self.status = status
        self.sentence = sentence.printableLines
        self.advice = advice?.printableLines
    }

    /// What an error of the lower modules means for the person at the terminal; nil when it is the
    /// argument parser's own.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ClientError: self.init(client: error)
        case let error as ConfigurationError: self.init(.broken, error.description)
        case let refusal as Refusal: self.init(.refused, refusal.message)
        case let error as PaperError: self.init(.broken, "\(error)")
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

    private init(client error: ClientError) {
        switch error {
        case .notRunning(let service):
            self.init(
                .notRunning, "\(service.rawValue) is not running", advice: "start it: steward up")
        case .denied(let service):
            self.init(
                .broken, "\(service.rawValue) does not let this program in",
                advice: "its host must know this key, with the role gateway: see steward keys add")
        case .noAnswer(let service, let id):
            self.init(
                .unknownOutcome,
                "\(service.rawValue) has not answered in time, so it is not known whether it has "
                    + "done what was asked (id \(id))",
                advice: "a question can simply be asked again; a command that takes --id is safe "
                    + "to repeat with --id \(id)")
        case .refused(let refusal) where refusal.code == .internal:
            self.init(.broken, refusal.message, advice: "the service's log tells more")
        case .refused(let refusal): self.init(.refused, refusal.message)
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

extension Error {
    /// Why a file could not be opened, read or written, in the system's words.
    var reason: String {
        let cause = (self as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code =
            switch (self as? CocoaError)?.code {
            case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
            case .fileReadNoPermission, .fileWriteNoPermission: EACCES
            case .fileWriteOutOfSpace: ENOSPC
            case .fileWriteVolumeReadOnly: EROFS
            default: cause?.domain == NSPOSIXErrorDomain ? Int32(cause?.code ?? 0) : 0
            }
        return code == 0 ? localizedDescription : String(cString: strerror(code))
    }
}
