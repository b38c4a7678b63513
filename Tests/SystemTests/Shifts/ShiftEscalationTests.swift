import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that superiors learn what isn't done, at the command line against the running services.
@Suite(.serialized, .waiting) struct ShiftEscalationTests {
    private static let rush = """
        checklist: Rush
        kind: before
        sections:
          - section: Fryers
            area: kitchen
            tasks:
              - task: Taste the oil
                id: taste-oil
                at: "12:05"
                time-critical: true
        """

    @Test func `N4 a shift manager's acknowledgement hides no undone task from the supervisor`()
        throws
    {
        let restaurant = try Restaurant(at: "12:00")
        let path = restaurant.system.path("rush.yaml")
        try Self.rush.write(toFile: path, atomically: true, encoding: .utf8)
        try restaurant.run("template import '\(path)'")
        try restaurant.person("mia", .shiftManager)
        try restaurant.person("sue", .supervisor)
        try restaurant.run("shift start day", device: "mia")
        /// The alerts about the oil in somebody's list.
        func alerts(_ name: String) throws -> [[String: Any]] {
            try restaurant.rows("alerts list --all --words 'taste oil'", device: name)
        }
        func alert(_ name: String) throws -> [String: Any]? { try alerts(name).first }
        try restaurant.setClock(to: "12:16")
        try eventually("the shift manager is alerted") { try !alerts("mia").isEmpty }
        let id = try #require(try alert("mia")?["id"] as? String)

        try restaurant.run("alerts ack \(id)", device: "mia")
        try eventually("the service knows") {
            try restaurant.system.query(
                .checklist, "SELECT 1 FROM standingAlert WHERE acknowledged > 0") == [["1"]]
        }
        #expect(try alerts("sue").isEmpty)
        restaurant.killService()
        try restaurant.startService()
        try restaurant.setClock(to: "12:26")

        try eventually("the supervisor is alerted") { try !alerts("sue").isEmpty }
        let told = try #require(try alert("sue"))
        let raised = try #require(told["raised"] as? [String: Any])
        #expect(told["state"] as? String == "open" && raised["severity"] as? String == "urgent")
        let body = try #require(raised["body"] as? String)
        #expect(body.contains("it was acknowledged and isn't done"), "\(body)")
        #expect(try alert("mia")?["state"] as? String == "acknowledged")

        try restaurant.run("checklist tick taste-oil", device: "mia")
        try eventually("the supervisor's alert is withdrawn") {
            try alert("sue")?["state"] as? String == "withdrawn"
        }
    }
}
