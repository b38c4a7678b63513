import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that a board on the wall stays on.
@Suite(.serialized, .waiting) struct BoardTests {
    @Test func `a board whose standard input isn't a terminal stays on until it is told to end`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let board = try TerminalProgram(
            ["/bin/sh", "-c", "exec '\(System.executables)/steward' board < /dev/null"],
            environment: restaurant.environment().merging(["TERM": "xterm"]) { $1 },
            columns: 120, rows: 40)
        try board.waitFor("No to-do is open.")

        try restaurant.run("todo add 'Salt on the stairs' --area service")

        try board.waitFor("Salt on the stairs")
        board.signal(SIGTERM)
        #expect(try board.waitForEnd() == 0)
        #expect(board.isSane)
    }
}
