import Foundation

/// What went wrong in a test's surroundings: a sentence.
public struct Complaint: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// A complaint.
    public init(_ description: String) { self.description = description }

    /// The complaint that a system call failed, and why.
    public static func system(_ call: String, _ code: Int32 = errno) -> Complaint {
        Complaint("\(call): \(String(cString: strerror(code)))")
    }
}

/// Waits until the condition holds, looking again every few milliseconds.
///
/// - Throws: a ``Complaint`` that names the condition when the time is up.
public func eventually(
    _ condition: @autoclosure () -> String, within limit: Duration = .seconds(30),
    _ holds: () throws -> Bool
) throws {
    let end = ContinuousClock.now + limit
    while try !holds() {
        guard ContinuousClock.now < end else {
            throw Complaint("after \(limit) it is still not so that \(condition())")
        }
        usleep(5000)
    }
}

/// Ends this process when the one that holds the other end of its standard input is gone.
public func endWithStandardInput() {
    Thread.detachNewThread {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 0 || (count < 0 && errno != EINTR) { _exit(0) }
        }
    }
}
