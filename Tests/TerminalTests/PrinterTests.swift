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
