import Foundation

/// Starts programs as a supervisor does: they inherit nothing from this process except what is
/// given.
enum Spawn {
    /// Starts an executable with default signal handlers and none of this process's files.
    ///
    /// Inherited descriptors would keep connections open: the tests of a server would wait for the
    /// end of a connection that another test's program still holds.
    ///
    /// - Parameters:
    ///   - words: the path of the executable and its arguments.
    ///   - variables: the environment, as `NAME=value`.
    ///   - leadsSession: whether it leads a new session, so that the first terminal it opens is its
    ///     own.
    ///   - files: opens the files 0, 1 and 2 of the program.
    /// - Throws: ``Complaint`` if the executable can't be started.
    static func start(
        _ words: [String], _ variables: [String], leadsSession: Bool = false,
        files: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        files(&actions)
        for file in 3..<(highestFile() + 256) { posix_spawn_file_actions_addclose(&actions, file) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let session: Int32 = leadsSession ? 0x80 : 0  // POSIX_SPAWN_SETSID of glibc
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | session))
        var arguments = words.map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw Complaint.system("start \(words[0])", code) }
        return pid
    }

    /// The highest descriptor that is open now. Others may be opened before the program starts, so
    /// some are closed although they aren't open.
    private static func highestFile() -> Int32 {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return names?.compactMap { Int32($0) }.max() ?? 1023
    }
}
