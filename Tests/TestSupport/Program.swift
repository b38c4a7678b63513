import Foundation

/// A process started by a test. It is killed when nothing refers to it any more, and it ends with
/// the test's process, because its standard input closes.
public final class Program {
    /// How a process ended.
    public enum End: Hashable, Sendable {
        /// It exited with this status.
        case exited(Int32)
        /// It was ended by this signal.
        case killed(Int32)
    }

    /// The name of the executable.
    public let name: String
    /// The process id.
    public let pid: pid_t
    private let input: Int32
    private let outputPath: String
    private let errorPath: String
    private var end: End?

    /// Starts an executable.
    ///
    /// - Parameters:
    ///   - path: the executable.
    ///   - arguments: its arguments.
    ///   - environment: all of its variables.
    ///   - output: a path; its output is written to `<output>.out` and `<output>.err`.
    init(
        path: String, arguments: [String], environment: [String: String], output: String
    ) throws {
        name = (path as NSString).lastPathComponent
        (outputPath, errorPath) = (output + ".out", output + ".err")
        let words = [path] + arguments
        let variables = environment.map { "\($0)=\($1)" }
        (pid, input) = try Self.spawn(words, variables, out: outputPath, err: errorPath)
    }

    private static func spawn(
        _ words: [String], _ variables: [String], out: String, err: String
    ) throws -> (pid: pid_t, input: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Complaint.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        do {
            let pid = try Spawn.start(words, variables) { actions in
                posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
                let flags = O_WRONLY | O_CREAT | O_APPEND
                posix_spawn_file_actions_addopen(&actions, 1, out, flags, 0o600)
                posix_spawn_file_actions_addopen(&actions, 2, err, flags, 0o600)
            }
            return (pid, ends[1])
        } catch {
            close(ends[1])
            throw error
        }
    }

    deinit {
        if end == nil {
            Glibc.kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        close(input)
    }

    /// The text written to standard output so far.
    public var out: String { Self.text(outputPath) }
    /// The text written to standard error so far.
    public var err: String { Self.text(errorPath) }
    /// The end of the text written to standard error.
    public var lastWords: String { String(err.suffix(600)) }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// Whether it is still running.
    public var isRunning: Bool {
        reap(WNOHANG)
        return end == nil
    }

    /// Sends a signal: `SIGSTOP`, `SIGCONT`, `SIGTERM`.
    public func signal(_ number: Int32) {
        if isRunning { Glibc.kill(pid, number) }
    }

    /// Kills it with `SIGKILL` and waits until it has ended.
    public func kill() {
        signal(SIGKILL)
        if end == nil { reap(0) }
    }

    /// Waits until it has ended by itself, and returns how. The default limit is longer than any
    /// timeout of the programs.
    public func waitForEnd(within limit: Duration = .seconds(330)) throws -> End {
        try eventually("\(name) has ended\n\(err)", within: limit) { !isRunning }
        guard let end else { throw Complaint("\(name) has not ended") }
        return end
    }

    /// Waits until it reports that it is ready.
    public func waitUntilReady() throws {
        try eventually("\(name) is ready") {
            guard isRunning else { throw Complaint("\(name) ended before it was ready:\n\(err)") }
            return err.contains("event=ready")
        }
    }

    /// Returns its resident memory in bytes, without the pages of files: which of these are mapped
    /// depends on the code that ran last, and the kernel takes them back when it needs them.
    public func residentMemory() throws -> Int {
        // proc_pid_statm(5): all pages, resident ones, and those of them that are a file's.
        let pages = Self.text("/proc/\(pid)/statm").split(separator: " ").prefix(3)
            .compactMap { Int($0) }
        guard pages.count == 3 else { throw Complaint("\(name) is gone") }
        return (pages[1] - pages[2]) * Int(getpagesize())
    }

    private func reap(_ options: Int32) {
        guard end == nil else { return }
        var status: Int32 = 0
        guard waitpid(pid, &status, options) == pid else { return }
        end = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(status & 0x7f)
    }
}
