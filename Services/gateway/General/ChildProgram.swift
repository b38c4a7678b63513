import Foundation

/// A program that was started by this process, in a process group of its own. It has ended once its
/// own process has, even if something that it started goes on, such as a siren in the background.
///
/// A `Process` doesn't notice that: it waits for all that has inherited its files.
final class ChildProgram {
    /// How a program ended.
    enum End: Hashable {
        /// It exited with this code.
        case exited(Int32)
        /// This signal ended it.
        case killed(Int32)
    }

    /// The open files of this process with numbers below this are closed in the program, except for
    /// the standard ones. Others, such as sockets, are opened so that the system closes them.
    private static let files: Int32 = 256

    private let id: pid_t
    private var known: End?

    /// Starts a program. It reads nothing, and writes all its output to standard error.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - arguments: its arguments.
    ///   - environment: all of its variables.
    /// - Throws: a `POSIXError` if it can't be started.
    init(path: String, arguments: [String], environment: [String: String]) throws {
        // If this process was started to ignore its children, nobody would know how they end.
        signal(SIGCHLD, SIG_DFL)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        for file in 3..<Self.files { posix_spawn_file_actions_addclose(&actions, file) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE, which other programs don't expect.
        var (pipes, none) = (sigset_t(), sigset_t())
        sigemptyset(&pipes)
        sigaddset(&pipes, SIGPIPE)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &pipes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        id = child
    }

    /// How it ended; nil if it is still running.
    var end: End? {
        guard known == nil else { return known }
        var status: Int32 = 0
        let found = waitpid(id, &status, WNOHANG)
        guard found == id else {
            // How it ended isn't known if something else in this process has asked before.
            if found < 0, errno == ECHILD { known = .exited(0) }
            return known
        }
        let signal = status & 0x7f
        known = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
        return known
    }

    /// Sends a signal to it and to what it has started, unless it has ended.
    func send(_ signal: Int32) {
        if end == nil { kill(-id, signal) }
    }
}
