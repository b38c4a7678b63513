import Foundation

/// Why a command ended without its result: a sentence, and what to do next.
package struct Failure: Error, Hashable {
    /// The exit code.
    package let status: Ending
    /// The fault, without a full stop.
    package let sentence: String
    /// What to do about it; nil if the sentence already says that.
    package let advice: String?

    /// A failure with its sentence, which may contain text that was typed or came from elsewhere:
    /// it is made safe for a terminal.
    package init(_ status: Ending, _ sentence: String, advice: String? = nil) {
        self.status = status
        self.sentence = sentence.printableLines.withShortLines
        self.advice = advice?.printableLines.withShortLines
    }
}

extension Failure {
    /// True if a service could not be reached, so that the command can be repeated later.
    package var isUnreachable: Bool { status == .notRunning || status == .unknownOutcome }
}

extension Error {
    /// Why a file could not be opened, read or written, in the system's words.
    package var reason: String {
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
