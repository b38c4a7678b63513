import Foundation

/// A program at a terminal of its own, from the point of view of a person: what is typed, what is
/// shown, and whether the terminal echoes what is typed.
public final class TerminalWindow {
    private let master: Int32
    private let pid: pid_t
    private var end: Program.End?
    private var bytes: [UInt8] = []
    private var marked = 0
    /// Everything shown so far.
    public var seen: String { String(decoding: bytes, as: UTF8.self) }

    /// Starts an executable at a new terminal.
    public init(_ words: [String], environment: [String: String]) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, lock): (Int32, Int32) = (0, 0)
        guard master >= 0, ioctl(master, Self.unlock, &lock) == 0,
            ioctl(master, Self.askNumber, &number) == 0
        else { throw Complaint.system("open a terminal") }
        let name = "/dev/pts/\(number)"
        let variables = environment.map { "\($0)=\($1)" }
        pid = try Spawn.start(words, variables, leadsSession: true) { actions in
            // The first terminal that the leader of a new session opens is the one that signals it.
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
    }

    // TIOCSPTLCK and TIOCGPTN, which the module Glibc doesn't declare.
    private static let unlock: UInt = 0x4004_5431
    private static let askNumber: UInt = 0x8004_5430

    deinit {
        if end == nil {
            Glibc.kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        close(master)
    }

    /// Whether the terminal echoes what is typed.
    public var echoes: Bool {
        var state = termios()
        return tcgetattr(master, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
    }

    /// What others on the machine can see of the process: its command line and its environment.
    public var publicFace: String {
        ["cmdline", "environ"].map { name in
            let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/\(name)") ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        }.joined()
    }

    /// Types text; `\n` is the return key, `\u{3}` is Ctrl-C.
    public func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(master, bytes, bytes.count) == bytes.count else {
            throw Complaint.system("type")
        }
    }

    /// Waits until a text is shown after everything that was waited for before.
    public func wait(for text: String, echoing: Bool? = nil) throws {
        try eventually("the terminal shows “\(text)”; it shows:\n\(seen)") {
            look()
            let rest = String(decoding: bytes.dropFirst(marked), as: UTF8.self)
            guard let range = rest.range(of: text) else { return false }
            guard echoing == nil || echoes == echoing else { return false }
            marked += rest[..<range.upperBound].utf8.count
            return true
        }
    }

    /// Sends a signal.
    public func signal(_ number: Int32) { Glibc.kill(pid, number) }

    /// Waits until the program has ended, and returns how.
    public func waitForEnd() throws -> Program.End {
        try eventually("the program at the terminal has ended; it shows:\n\(seen)") {
            look()
            var status: Int32 = 0
            guard end == nil, waitpid(pid, &status, WNOHANG) == pid else { return end != nil }
            end = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(status & 0x7f)
            look()
            return true
        }
        guard let end else { throw Complaint("the program has not ended") }
        return end
    }

    private func look() {
        var item = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while poll(&item, 1, 0) > 0, item.revents & Int16(POLLIN) != 0 {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return }
            // A letter may come in two pieces.
            bytes += buffer.prefix(count)
        }
    }
}
