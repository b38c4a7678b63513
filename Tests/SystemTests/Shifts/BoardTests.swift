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

    @Test func `N10 a board rings and flashes until somebody has walked the travel path`() throws {
        // What was due before the shift is overdue a quarter of an hour after its start.
        let restaurant = try Restaurant(at: "10:10")
        try restaurant.run("shift start day")
        let board = try restaurant.terminal("board", columns: 120, rows: 40)
        try board.waitFor("until the travel path at 10:15")
        #expect(board.bells == 0)

        try restaurant.setClock(to: "10:15")
        try board.waitFor("WALK THE TRAVEL PATH NOW")
        var styles: Set<Set<String>> = []
        try eventually("it rings and flashes") {
            styles.insert(board.styles(of: " Harbour "))
            return board.bells > 0 && styles.count >= 2
        }
        try restaurant.run("tp log")
        try board.waitFor("until the travel path at 10:45")

        let before = board.bells
        try restaurant.setClock(to: "10:17")
        try board.waitFor("10:17")
        #expect(board.bells == before)
    }

    @Test func `N10 a silent board flashes without ringing`() throws {
        let restaurant = try Restaurant(at: "10:10")
        try restaurant.run("shift start day")
        let board = try restaurant.terminal("board --silent", columns: 120, rows: 40)
        try board.waitFor("until the travel path at 10:15")

        try restaurant.setClock(to: "10:15")
        try board.waitFor("WALK THE TRAVEL PATH NOW")

        var styles: Set<Set<String>> = []
        try eventually("it flashes") {
            styles.insert(board.styles(of: " Harbour "))
            return styles.count >= 2
        }
        #expect(board.bells == 0)
    }

    @Test func `a board stays on with a new token whenever its token is revoked`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.person("wall", .display)
        let board = try restaurant.terminal("board", device: "wall", columns: 120, rows: 40)
        try board.waitFor("No to-do is open.")

        for what in ["Salt", "Ice"] {
            try restaurant.revokeTokens(
                of: "wall", by: "crew --site Harbour", at: "checklist-service")
            try restaurant.run("todo add '\(what) on the stairs' --area service")
            try board.waitFor("\(what) on the stairs")
        }

        #expect(board.isRunning)
    }
}
