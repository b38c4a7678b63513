import Foundation
import Speech

/// The whole window of a terminal: keys come one by one, and each drawing replaces the last.
/// However the command ends, the terminal is restored.
///
/// Only changed lines are written, so nothing flickers and a slow connection is enough.
package final class Screen {
    private let input: Int32
    private let output: Int32
    /// True if the input is a terminal, so that keys may come.
    private let hasKeys: Bool
    /// True while this object controls the window.
    private var isTaken = false
    private var before = termios()
    private var isRaw = false
    private var shown: [String] = []
    private var shownSize: WindowSize?
    private var keys = KeyReader()
    /// Whether it can draw colours, and characters beyond ASCII.
    package let look: Look
    /// True if the terminal is gone.
    package private(set) var isLost = false

    /// Takes control of the window.
    ///
    /// - Parameters:
    ///   - readsKeys: false for a screen that needs no keys; its input may be anything.
    ///   - input: where keys come from.
    ///   - output: the terminal.
    /// - Throws: ``Failure`` if there is no terminal.
    package init(
        readsKeys: Bool = true, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO
    ) throws {
        (self.input, self.output) = (input, output)
        hasKeys = isatty(input) == 1
        let terminal = Terminal(file: output)
        look = Look(hasColours: terminal.hasColours, isUnicode: Terminal.isUnicode)
        guard terminal.isTerminal, !readsKeys || hasKeys else {
            throw Failure(
                .usage, "this needs a terminal", advice: "use the other commands in scripts")
        }
        if hasKeys, tcgetattr(input, &before) == 0 {
            var raw = before
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
            // Ctrl-C still ends the program; stopping it with Ctrl-Z would leave the terminal in
            // this state.
            Self.disable(&raw, VSUSP)
            Self.disable(&raw, VQUIT)
            Self.set(&raw, VMIN, 0)
            Self.set(&raw, VTIME, 0)
            tcsetattr(input, TCSAFLUSH, &raw)
            isRaw = true
        }
        Interruption.watch()
        isTaken = true
        // Alternate screen, no cursor, no line wrap.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
    }

    deinit { leave() }

    /// Restores the window, once; text written afterwards stays.
    package func leave() {
        guard isTaken else { return }
        isTaken = false
        write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        if isRaw { tcsetattr(input, TCSAFLUSH, &before) }
        isRaw = false
    }

    /// The size of the window now.
    package var size: WindowSize {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return WindowSize(columns: 80, rows: 24)
        }
        return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Shows lines from the top of the window, without those that don't fit.
    package func show(_ lines: [StyledLine]) {
        let size = size
        if size != shownSize {
            write("\u{1B}[2J")
            (shown, shownSize) = ([], size)
        }
        var text = ""
        for row in 0..<size.rows {
            let line = row < lines.count ? lines[row].text(width: size.columns, look) : ""
            guard row >= shown.count || shown[row] != line else { continue }
            text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[0m\u{1B}[K"
            if row < shown.count { shown[row] = line } else { shown.append(line) }
        }
        if !text.isEmpty { write(text) }
    }

    /// Rings the bell of the terminal.
    package func ring() { write("\u{07}") }

    /// Waits for keys.
    ///
    /// - Parameter milliseconds: how long to wait at most.
    package func readKeys(within milliseconds: Int32) -> [Key] {
        guard hasKeys else {
            // The input's end says nothing about the window; a signal ends the wait early.
            poll(nil, 0, milliseconds)
            return []
        }
        var item = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        let count = poll(&item, 1, milliseconds)
        guard count > 0 else { return keys.flush() }
        var bytes = [UInt8](repeating: 0, count: 256)
        let length = read(input, &bytes, bytes.count)
        if length == 0 || length < 0 && errno != EINTR && errno != EAGAIN { isLost = true }
        return length > 0 ? keys.take(bytes[..<length]) : []
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var item = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&item, 1, 1000)
            } else if errno != EINTR {
                isLost = true
                return
            }
        }
    }

    private static func disable(_ raw: inout termios, _ index: Int32) { set(&raw, index, 0) }

    private static func set(_ raw: inout termios, _ index: Int32, _ value: cc_t) {
        withUnsafeMutableBytes(of: &raw.c_cc) { $0[Int(index)] = value }
    }
}
