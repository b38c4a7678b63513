import Foundation

/// An error in the setup of a test, described by a sentence.
public struct Complaint: Error, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// Creates a complaint.
    public init(_ description: String) { self.description = description }

    /// Returns a complaint that a system call failed, with the reason.
    public static func system(_ call: String, _ code: Int32 = errno) -> Complaint {
        Complaint("\(call): \(String(cString: strerror(code)))")
    }
}

/// Waits until the condition holds, checking it every few milliseconds. After a check that takes
/// long, such as one that starts a program, it waits for twice that time: checking doesn't take the
/// processor from what it waits for.
///
/// - Throws: a ``Complaint`` that names the condition if the time runs out.
public func eventually(
    _ condition: @autoclosure () -> String, within limit: Duration = .seconds(180),
    _ holds: () throws -> Bool
) throws {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while true {
        let begun = clock.now
        if try holds() { return }
        guard clock.now < end else {
            throw Complaint("still not true after \(limit): \(condition())")
        }
        let pause = max(.milliseconds(5), (clock.now - begun) * 2)
        usleep(UInt32(clamping: Int(pause / .microseconds(1))))
    }
}

/// Returns how long something takes on an undisturbed machine: the shortest of at most ten
/// attempts, ending at the first that is under the limit. Other load on the machine slows down some
/// attempts; a slow program slows down all of them.
///
/// - Parameters:
///   - limit: the time under which an attempt suffices.
///   - attempt: makes an attempt and returns how long it took.
public func shortestTime(
    under limit: Duration, of attempt: () throws -> Duration
) rethrows -> Duration {
    var shortest = try attempt()
    for _ in 1..<10 where shortest >= limit { shortest = min(shortest, try attempt()) }
    return shortest
}

/// Ends this process as soon as the other end of its standard input is closed.
public func endWithStandardInput() {
    Thread.detachNewThread {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 0 || (count < 0 && errno != EINTR) { _exit(0) }
        }
    }
}
