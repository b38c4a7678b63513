import Foundation

/// A process started by a test at a terminal of its own, with a window of a certain size. Its
/// output is kept as a window shows it. It is killed when nothing refers to it any more.
public final class TerminalProgram {
    /// The process id.
    public let pid: pid_t
    private let terminal: Int32
    private var window: WindowText
    private var rings = 0
    private var status: Int32?

    /// Starts a command. The first word is the path of the executable.
    public init(
        _ words: [String], environment: [String: String], columns: Int = 80, rows: Int = 24
    ) throws {
        window = WindowText(columns: columns, rows: rows)
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of Linux, which are macros that Swift doesn't import.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0,
            ioctl(terminal, 0x8004_5430, &number) == 0
        else { throw Complaint.system("open a terminal") }
        let name = "/dev/pts/\(number)"
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Complaint.system("set the size of a terminal")
        }
        let variables = environment.map { "\($0)=\($1)" }
        pid = try Spawn.start(words, variables, leadsSession: true) { actions in
            // The first terminal that a session leader opens becomes the session's terminal.
            for file in Int32(0)...2 {
                posix_spawn_file_actions_addopen(&actions, file, name, O_RDWR, 0)
            }
        }
        _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
    }

    deinit {
        kill()
        close(terminal)
    }

    /// Types a text, as fast as the terminal accepts it.
    public func type(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        try eventually("the terminal accepts the keys") {
            readOutput()
            let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            return rest.isEmpty
        }
    }

    /// Changes the size of the window.
    public func resize(columns: Int, rows: Int) throws {
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        readOutput()
        guard ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else {
            throw Complaint.system("set the size of a terminal")
        }
        window.resize(columns: columns, rows: rows)
    }

    /// The text in the window now, a line for each row.
    public var text: String {
        readOutput()
        return window.text
    }

    /// The number of times that it has rung the bell.
    public var bells: Int {
        readOutput()
        return rings
    }

    /// Returns the styles of a text wherever the window shows it, as parameters of SGR, e.g.
    /// `1;31`; empty for plain letters.
    public func styles(of text: String) -> Set<String> {
        readOutput()
        return window.styles(of: text)
    }

    /// Waits until the window shows a text.
    public func waitFor(_ text: String, within limit: Duration = .seconds(180)) throws {
        try eventually("the window shows “\(text)”:\n\(window.text)", within: limit) {
            self.text.contains(text)
        }
    }

    /// Whether the terminal echoes what is typed, line by line, as a shell expects.
    public var isSane: Bool {
        readOutput()
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return false }
        let wanted = tcflag_t(ECHO | ICANON)
        return settings.c_lflag & wanted == wanted && !window.isOtherScreen
    }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        if isRunning { Glibc.kill(pid, number) }
    }

    /// Kills it with `SIGKILL` and waits until it has ended.
    public func kill() {
        signal(SIGKILL)
        if status == nil { reap(0) }
    }

    /// Whether it is still running.
    public var isRunning: Bool {
        readOutput()
        reap(WNOHANG)
        return status == nil
    }

    /// Waits until it has ended by itself, and returns its exit code; nil if a signal ended it.
    public func waitForEnd(within limit: Duration = .seconds(330)) throws -> Int32? {
        try eventually("it has ended:\n\(window.text)", within: limit) { !isRunning }
        guard let status, status & 0x7f == 0 else { return nil }
        return status >> 8 & 0xff
    }

    private func reap(_ options: Int32) {
        guard status == nil else { return }
        var number: Int32 = 0
        if waitpid(pid, &number, options) == pid { status = number }
    }

    private func readOutput() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(terminal, &bytes, bytes.count)
            guard count > 0 else { return }
            let bell: UInt8 = 7
            rings += bytes[..<count].count { $0 == bell }
            window.take(bytes[..<count].filter { $0 != bell })
        }
    }
}

/// The content of a terminal's window. It understands what this project's programs use: cursor
/// addresses, clearing, styles, and text.
struct WindowText {
    private var rows: [[Character]]
    /// The style of each letter.
    private var styles: [[String]]
    private var style = ""
    private let width: Int
    private var row = 0
    private var column = 0
    private var rest: [UInt8] = []
    /// Whether a program uses the alternate screen.
    private(set) var isOtherScreen = false

    init(columns: Int, rows: Int) {
        width = columns
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        styles = Array(repeating: Array(repeating: "", count: columns), count: rows)
    }

    /// Empties it and changes its size. What the program has begun to write continues.
    mutating func resize(columns: Int, rows: Int) {
        var other = WindowText(columns: columns, rows: rows)
        (other.style, other.rest, other.isOtherScreen) = (style, rest, isOtherScreen)
        self = other
    }

    /// Returns the styles of the letters of a text, wherever it appears in a row.
    func styles(of text: String) -> Set<String> {
        let wanted = Array(text)
        var found: Set<String> = []
        for (letters, styles) in zip(rows, styles) where letters.count >= wanted.count {
            for start in 0...letters.count - wanted.count
            where letters[start..<start + wanted.count].elementsEqual(wanted) {
                found.formUnion(styles[start..<start + wanted.count])
            }
        }
        return found
    }

    var text: String {
        rows.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        rest += bytes
        while let first = rest.first {
            if first == 0x1B {
                guard takeSequence() else { return }
                continue
            }
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard rest.count >= length else { return }
            put(String(decoding: rest.prefix(length), as: UTF8.self))
            rest.removeFirst(length)
        }
    }

    private mutating func put(_ text: String) {
        guard let letter = text.first else { return }
        switch letter {
        case "\r": column = 0
        case "\n", "\r\n":
            row += 1
            column = 0
            if row >= rows.count {
                rows.removeFirst()
                rows.append(Array(repeating: " ", count: width))
                styles.append(styles.removeFirst())
                row = rows.count - 1
            }
        case "\u{7}": break
        default:
            if column < width, rows.indices.contains(row) {
                rows[row][column] = letter
                styles[row][column] = style
            }
            column += 1
        }
    }

    private mutating func takeSequence() -> Bool {
        guard rest.count > 1 else { return false }
        guard rest[1] == UInt8(ascii: "[") else {
            rest.removeFirst(2)
            return true
        }
        guard let end = rest.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return false
        }
        let words = String(decoding: rest[2..<end], as: UTF8.self)
        obey(words, rest[end])
        rest.removeFirst(end + 1)
        return true
    }

    private mutating func obey(_ words: String, _ end: UInt8) {
        switch end {
        case UInt8(ascii: "H"):
            let numbers = words.split(separator: ";").compactMap { Int($0) }
            row = (numbers.first ?? 1) - 1
            column = (numbers.count > 1 ? numbers[1] : 1) - 1
        case UInt8(ascii: "K"):
            guard rows.indices.contains(row), column < width else { return }
            for place in max(0, column)..<width { rows[row][place] = " " }
        case UInt8(ascii: "m"): style = words == "0" ? "" : words
        case UInt8(ascii: "J"):
            rows = rows.map { $0.map { _ in " " } }
        case UInt8(ascii: "h"): if words == "?1049" { isOtherScreen = true }
        case UInt8(ascii: "l"): if words == "?1049" { isOtherScreen = false }
        default: break
        }
    }
}
