import Foundation
import Speech
import TestThreads
import Testing

@testable import Terminal

/// One after another: signals belong to the whole process.
@Suite(.serialized, .waiting) struct ScreenTests {
    @Test func `output that isn't a terminal gets no escape codes`() throws {
        let pipe = Pipe()

        #expect(throws: Failure.self) {
            try Screen(output: pipe.fileHandleForWriting.fileDescriptor)
        }

        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func `a window is restored only once, so text written afterwards stays`() throws {
        var (outer, inner): (Int32, Int32) = (-1, -1)
        #expect(openpty(&outer, &inner, nil, nil, nil) == 0)
        defer {
            close(outer)
            close(inner)
        }
        var screen: Screen? = try Screen(input: inner, output: inner)
        defer { Interruption.unwatch() }

        screen?.leave()
        screen?.leave()
        screen = nil

        // A terminal passes on what is written in pieces of any size, so mark the end with a dot.
        #expect(write(inner, ".", 1) == 1)
        var (text, bytes) = ("", [UInt8](repeating: 0, count: 4096))
        while !text.hasSuffix(".") {
            let count = read(outer, &bytes, bytes.count)
            try #require(count > 0)
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        #expect(text.components(separatedBy: "\u{1B}[?1049h").count == 2)
        #expect(text.components(separatedBy: "\u{1B}[?1049l").count == 2)
    }

    @Test func `a screen without keys is lost with its window, not at the end of its input`()
        throws
    {
        var (outer, inner): (Int32, Int32) = (-1, -1)
        #expect(openpty(&outer, &inner, nil, nil, nil) == 0)
        let input = open("/dev/null", O_RDONLY)
        defer {
            close(inner)
            close(input)
        }
        let screen = try Screen(readsKeys: false, input: input, output: inner)
        defer { Interruption.unwatch() }

        #expect(screen.readKeys(within: 1).isEmpty)
        #expect(!screen.isLost)

        close(outer)
        // A program that another test is just starting has a copy of it until it begins.
        for _ in 0..<2_000 where !screen.isLost {
            screen.ring()
            poll(nil, 0, 10)
        }
        #expect(screen.isLost)
        screen.leave()
    }

    @Test func `a request to end that came before the next step of a command still counts`() {
        // The tests may be run with the signal ignored.
        let before = signal(SIGHUP, SIG_DFL)
        defer { signal(SIGHUP, before) }
        Interruption.watch()
        defer { Interruption.unwatch() }
        #expect(!Interruption.isWanted)

        hangUp()
        Interruption.watch()

        #expect(Interruption.count == 1)
        Interruption.unwatch()
        Interruption.watch()
        #expect(!Interruption.isWanted)
    }

    @Test func `a hangup that is ignored, as with nohup, stays so`() {
        let before = signal(SIGHUP, SIG_IGN)
        defer { signal(SIGHUP, before) }

        Interruption.watch()
        hangUp()
        #expect(!Interruption.isWanted)
        Interruption.unwatch()

        // Otherwise this would end the tests.
        hangUp()
    }

    /// Raises a hangup on this thread: threads that run tests may block signals, and one that is
    /// blocked would come later, or never.
    private func hangUp() {
        var (only, blocked) = (sigset_t(), sigset_t())
        sigaddset(&only, SIGHUP)
        pthread_sigmask(SIG_UNBLOCK, &only, &blocked)
        raise(SIGHUP)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
    }
}
