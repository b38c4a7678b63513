import Foundation

/// The system calls of this thread that write.
public enum ThreadWrites {
    /// How many there have been since the thread began.
    ///
    /// - Throws: an error if Linux doesn't report it.
    public static func count() throws -> Int {
        let counters = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        guard let line = counters.split(separator: "\n").first(where: { $0.hasPrefix("syscw: ") }),
            let count = Int(line.dropFirst("syscw: ".count))
        else { throw CocoaError(.fileReadCorruptFile) }
        return count
    }
}
