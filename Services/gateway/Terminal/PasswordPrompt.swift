import Foundation
import Speech

/// Asks for secrets, which never come from the command line or the environment, because others on
/// the machine can read those.
package enum PasswordPrompt {
    /// A password: typed at the terminal without echo, or the next line of standard input.
    package static func ask(_ question: String, _ printer: Printer) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line(question) }
        printer.question(question + ": ")
        defer { printer.question("\n") }
        return try withoutEcho { try line(question) }
    }

    /// A new password, typed twice at a terminal.
    package static func askNew(_ printer: Printer) throws -> String {
        let first = try ask("New password", printer)
        guard isatty(STDIN_FILENO) == 1 else { return first }
        guard try ask("Once more", printer) == first else {
            throw Failure(.refused, "the two are not the same", advice: "nothing was changed")
        }
        return first
    }

    /// A line that is shown while it is typed.
    package static func askOpenly(_ question: String, _ printer: Printer) throws -> String {
        if isatty(STDIN_FILENO) == 1 { printer.question(question + ": ") }
        return try line(question)
    }

    /// The next line, read byte by byte so that nothing of the following line is consumed.
    private static func line(_ question: String) throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            var item = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // Don't wait forever: a signal just before this call would not interrupt it.
            let count = poll(&item, 1, 200)
            guard !Interruption.isWanted else {
                throw Failure(.interrupted, "given up", advice: "nothing was changed")
            }
            guard count > 0 else { continue }
            let length = read(STDIN_FILENO, &byte, 1)
            if length == 1, byte != UInt8(ascii: "\n"), bytes.count < 4096 {
                bytes.append(byte)
                continue
            }
            if length <= 0, bytes.isEmpty { break }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard let text = String(validating: bytes, as: UTF8.self) else { break }
            return text
        }
        throw Failure(.usage, "nothing was typed for: \(question.lowercased())")
    }

    /// Runs `body` without echo, and restores the echo even if the person gives up.
    private static func withoutEcho<R>(_ body: () throws -> R) throws -> R {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try body() }
        // Ctrl-C ends the wait instead of the program, which would leave the echo off.
        Interruption.watch()
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            Interruption.unwatch()
        }
        return try body()
    }
}
