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
    _ condition: @autoclosure () -> String, within limit: Duration = .seconds(60),
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

/// How long something takes when the machine leaves it alone: the shortest of at most ten attempts,
/// each of which tells how long it took; the first that is under the limit is the last. What else
/// the machine does lengthens some attempts, a program that waits lengthens all of them.
public func shortestTime(
    under limit: Duration, of attempt: () throws -> Duration
) rethrows -> Duration {
    var shortest = try attempt()
    for _ in 1..<10 where shortest >= limit { shortest = min(shortest, try attempt()) }
    return shortest
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
