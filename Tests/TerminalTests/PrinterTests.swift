import Foundation
import TestThreads
import Testing

@testable import Terminal

/// One after another: whether a command outlives its readers is a state of the whole process.
@Suite(.serialized, .waiting) struct PrinterTests {
    @Test func `a command that does more than print goes on with a full disk, and says so once`()
        throws
    {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let pipe = Pipe()
        Printer.outlivesReaders = true
        defer { Printer.outlivesReaders = false }
        let printer = Printer(
            out: Terminal(file: full),
            err: Terminal(file: pipe.fileHandleForWriting.fileDescriptor))

        printer.result("one")
        printer.result("two")

        #expect(Printer.hasLostResult)
        try pipe.fileHandleForWriting.close()
        let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect(
            String(decoding: said, as: UTF8.self)
                == "steward: the result can't be written: No space left on device\n")
    }

    @Test func `a text that was typed gives a terminal no orders, and stays as it is in a file`()
        throws
    {
        var (outer, inner): (Int32, Int32) = (-1, -1)
        #expect(openpty(&outer, &inner, nil, nil, nil) == 0)
        defer {
            close(outer)
            close(inner)
        }
        let pipe = Pipe()
        let file = Printer(out: Terminal(file: pipe.fileHandleForWriting.fileDescriptor))
        let screen = Printer(out: Terminal(file: inner), err: Terminal(file: inner))
        let name = "Kari\u{1B}]0;owner\u{7}\u{1B}[2J\u{9B}2J"

        file.result(name)
        screen.remark(name)
        screen.result(name)
        // Not all of it is text.
        screen.result(bytes: [0xFF] + Array((name + ".").utf8))

        var (shown, bytes) = ("", [UInt8](repeating: 0, count: 4096))
        while !shown.contains(".") {
            let count = read(outer, &bytes, bytes.count)
            try #require(count > 0)
            shown += String(decoding: bytes[..<count], as: UTF8.self)
        }
        #expect(shown.components(separatedBy: "Kari ]0;owner  [2J 2J").count == 4)
        #expect(!shown.contains("\u{1B}") && !shown.contains("\u{9B}"))
        try pipe.fileHandleForWriting.close()
        let kept = try pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: kept, as: UTF8.self) == name + "\n")
    }

    @Test func `a command that does more than print goes on when nobody reads its result`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        Printer.outlivesReaders = true
        defer { Printer.outlivesReaders = false }
        let remarks = Pipe()
        let printer = Printer(
            out: Terminal(file: pipe.fileHandleForWriting.fileDescriptor),
            err: Terminal(file: remarks.fileHandleForWriting.fileDescriptor))

        printer.result("one")
        printer.remark("two")

        try remarks.fileHandleForWriting.close()
        let said = try remarks.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: said, as: UTF8.self) == "two\n")
    }
}
