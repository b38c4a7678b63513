import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that a forbidden change is refused at once and never reported as done.
@Suite(.serialized, .waiting) struct DeniedDeviceTests {
    @Test func `what a display does is refused immediately, and nothing of it waits`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Sweep' --area kitchen")
        try restaurant.person("wall", .display)
        try restaurant.run("todo list", device: "wall")

        let said = try restaurant.say("todo done 1001", device: "wall")

        #expect(said.end == .exited(1))
        #expect(said.err.contains("this needs the role crew"))
        let status = try restaurant.answer("shift status", device: "wall")
        #expect(status["waiting"] as? Int == 0)
        let todos = try restaurant.rows("todo list")
        #expect(todos.count == 1 && todos[0]["state"] as? String == "open")
        // It succeeds once the role is granted.
        try restaurant.run("role grant wall 'shift-manager' --site Harbour")
        try restaurant.run("logout", device: "wall")
        try restaurant.feed("login wall", "correct horse battery\n", device: "wall")
        try restaurant.run("todo done 1001", device: "wall")
    }

    @Test func `waiting operations that are no longer allowed are reported, and the command fails`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Sweep' --area kitchen")
        try restaurant.person("ann", .shiftManager)
        try restaurant.person("bob", .display)
        try restaurant.run("role grant ann display --site Harbour")
        try restaurant.run("todo list", device: "ann")
        restaurant.killService()
        try restaurant.run("todo done 1001", device: "ann")
        try restaurant.run("role revoke ann shift-manager --site Harbour")
        try restaurant.startService()
        // Until then the service would accept the waiting change, because the token is still valid
        // to it.
        try eventually("the service knows what account-service has said") {
            try restaurant.hasHeardOfAccounts("checklist-service")
        }

        try eventually("the lost role is known") {
            let said = try restaurant.say("todo list", device: "ann")
            return said.end == .exited(1) && said.err.contains("1 waiting")
                && said.err.contains("this needs the role crew")
        }
        let more = try restaurant.say("todo add 'Mop' --area kitchen", device: "ann")
        #expect(more.end == .exited(1))
        #expect(more.err.contains("1 waiting"))
        // With the role back, the change is sent, once.
        try restaurant.run("role grant ann shift-manager --site Harbour")
        try eventually("it was sent") {
            _ = try restaurant.say("todo list", device: "ann")
            return try restaurant.rows("todo list").first?["state"] as? String == "done"
        }
        #expect(try restaurant.rows("todo list").count == 1)
    }

    @Test func `what the service refuses after a walk was left is reported, and the command fails`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.person("ann", .shiftManager)
        try restaurant.run("role grant ann crew --site Harbour")
        let walk = try restaurant.terminal("checklist walk 1", device: "ann", columns: 300)
        try walk.waitFor("0 of")
        // As a crew member she may send something, but no marks of this list.
        try restaurant.run("role revoke ann shift-manager --site Harbour")
        try eventually("the service knows what account-service has said") {
            try restaurant.hasHeardOfAccounts("checklist-service")
        }

        // The mark is sent after the screen is closed.
        try walk.type(" q")

        #expect(try walk.waitForEnd() == 1)
        #expect(walk.text.contains("not taken in: "), "\(walk.text)")
        #expect(walk.text.contains(" tasks looked at"))
        #expect(walk.text.contains("of what you did on this walk, 1 not taken in"))
        let refused = try restaurant.run("shift refused", device: "ann")
        #expect(refused.split(separator: "\n").count { $0.contains(": ok") } == 1, "\(refused)")
        #expect(try restaurant.rows("checklist show 1").allSatisfy { $0["by"] as? String == "" })
    }
}
