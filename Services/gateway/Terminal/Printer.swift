import Foundation
import Speech
import Synchronization

/// Everything that is written to the terminal goes through here: results to standard output,
/// remarks to standard error. Both may have texts that others have typed, so a terminal gets only
/// lines and styles.
package final class Printer {
    /// Where results go.
    package let out: Terminal
    /// Where remarks go.
    package let err: Terminal
    private var liveLine = ""

    /// True for a command that does more than print: it continues when its result can't be written.
    /// That holds for all printers of the process, because a command may run other commands.
    package static var outlivesReaders: Bool {
        get { isOutliving.load(ordering: .relaxed) }
        set { isOutliving.store(newValue, ordering: .relaxed) }
    }

    /// True once a part of the result could not be written although somebody may want it: the disk
    /// is full, or there is no output.
    package static var hasLostResult: Bool { isLost.load(ordering: .relaxed) }

    private static let isOutliving = Atomic<Bool>(false)
    private static let isLost = Atomic<Bool>(false)

    /// A printer on the process's own outputs.
    package init(
        out: Terminal = Terminal(file: STDOUT_FILENO), err: Terminal = Terminal(file: STDERR_FILENO)
    ) {
        self.out = out
        self.err = err
        // The write reports a reader that has gone away, see `write`.
        signal(SIGPIPE, SIG_IGN)
    }

    /// A line of the result.
    package func result(_ line: String) {
        withoutLiveLine { write(Self.text(line + "\n", for: out), to: out) }
    }

    /// A line of the result with styles.
    package func result(_ line: StyledLine) { result(line.text(isColoured: out.hasColours)) }

    /// A result that isn't text, or that has its own line ends.
    package func result(bytes: [UInt8]) {
        // A report contains what people have written, perhaps with bytes that aren't text.
        let isShown = out.isTerminal
        withoutLiveLine {
            write(
                isShown ? Array(String(decoding: bytes, as: UTF8.self).withOnlyStyles.utf8) : bytes,
                to: out)
        }
    }

    /// A line about what is happening.
    package func remark(_ line: String) {
        withoutLiveLine { write(Self.text(line + "\n", for: err), to: err) }
    }

    /// A table, fitted to the window if the output is a terminal.
    package func table(_ table: TextTable) {
        for line in table.lines(width: out.width, isColoured: out.hasColours) { result(line) }
    }

    /// A table that is not the result, such as what to choose from.
    package func remark(_ table: TextTable) {
        for line in table.lines(width: err.width, isColoured: err.hasColours) { remark(line) }
    }

    /// A question, on the same line as its answer.
    package func question(_ text: String) {
        withoutLiveLine { write(Self.text(text, for: err), to: err) }
    }

    /// Shows a line that the next one replaces. Only a terminal gets it.
    package func live(_ line: String) {
        guard let width = err.width else { return }
        liveLine = Self.text(line, for: err).truncated(to: width - 1)
        write("\r\u{1B}[K" + liveLine, to: err)
    }

    /// Removes the live line.
    package func endLive() {
        guard !liveLine.isEmpty else { return }
        liveLine = ""
        write("\r\u{1B}[K", to: err)
    }

    /// Rings the terminal's bell, if there is a terminal.
    package func ring() {
        if out.isTerminal { write("\u{7}", to: out) }
    }

    /// Prints why the command failed and what to do next.
    package func failure(_ failure: Failure) {
        endLive()
        write("\(Style.red("steward:", if: err.hasColours)) \(failure.sentence)\n", to: err)
        if let advice = failure.advice { write("         \(advice)\n", to: err) }
    }

    /// A text as it may be written: a file gets it as it is.
    private static func text(_ text: String, for terminal: Terminal) -> String {
        terminal.isTerminal ? text.withOnlyStyles : text
    }

    private func withoutLiveLine(_ body: () -> Void) {
        let line = liveLine
        endLive()
        body()
        if !line.isEmpty { live(line) }
    }

    private func write(_ text: String, to terminal: Terminal) {
        write(Array(text.utf8), to: terminal)
    }

    private func write(_ bytes: [UInt8], to terminal: Terminal) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(terminal.file, rest, rest.count)
            let code = errno
            if count >= 0 {
                rest.removeFirst(count)
            } else if code == EAGAIN {
                // Another program made the terminal non-blocking: wait until it accepts more.
                var item = pollfd(fd: terminal.file, events: Int16(POLLOUT), revents: 0)
                poll(&item, 1, 1000)
            } else if code != EINTR {
                if terminal.file == out.file { lose(code) }
                return
            }
        }
    }

    /// Ends a command that only prints, because its result can't be written.
    private func lose(_ code: Int32) {
        // The reader of the result has seen enough: `steward … | head` is a success.
        let isEnough = code == EPIPE
        if !isEnough, !Self.isLost.exchange(true, ordering: .relaxed) {
            let reason = String(cString: strerror(code))
            failure(Failure(.broken, "the result can't be written: \(reason)"))
        }
        guard !Self.outlivesReaders else { return }
        exit((isEnough ? Ending.done : .broken).rawValue)
    }
}
