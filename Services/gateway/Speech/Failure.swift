import Foundation

/// Why a command ended without its result: a sentence, and what to do next.
package struct Failure: Error, Hashable {
    /// What the shell is told.
    package let status: Ending
    /// What is wrong, without a final stop.
    package let sentence: String
    /// What to do about it; nil when the sentence says it.
    package let advice: String?

    /// A failure with its sentence. What was typed or came from elsewhere may be in it: it is made
    /// safe for a terminal.
    package init(_ status: Ending, _ sentence: String, advice: String? = nil) {
        self.status = status
        self.sentence = sentence.printableLines.withShortLines
        self.advice = advice?.printableLines.withShortLines
    }
}

extension Failure {
    /// True when a service could not be reached: what was to be done can be done later.
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
