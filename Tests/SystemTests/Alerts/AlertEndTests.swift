import Bus
import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests how long alerts are repeated, collected and kept.
@Suite(.serialized, .waiting) struct AlertEndTests {
    private let office: AlertOffice

    init() throws { office = try AlertOffice() }

    @Test func `N3 a failing channel waits twice as long after each failure`() throws {
        try office.run("alerts channel add phone --webhook \(office.server.url("/broken"))")
        try office.run("alerts call raise everyone Fire --severity urgent --answer")
        try eventually("it is in the history") { try office.has("Fire", device: "desk") }
        let id = try #require(try office.alert("Fire")?["id"] as? String)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

        // The seconds after each attempt.
        var waits: [Int: Int] = [:]
        var seconds = 0
        try eventually("it has failed three times") {
            let deliveries = try office.answer("alerts show \(id)")["deliveries"]
            let failed = (deliveries as? [[String: Any]])?.first {
                $0["channel"] as? String == "phone" && $0["state"] as? String == "waiting"
            }
            let times = ["changed", "due"].compactMap { failed?[$0] as? String }
            guard let attempts = failed?["attempts"] as? Int, attempts > 0, times.count == 2 else {
                return false
            }
            let dates = try times.map { try Date($0, strategy: style) }
            waits[attempts] = Int(dates[1].timeIntervalSince(dates[0]).rounded())
            seconds += 30
            try office.setClock(seconds)
            return waits.count >= 3
        }

        #expect(waits.allSatisfy { $0.value == min(5 << ($0.key - 1), 600) }, "\(waits)")
    }

    @Test func `N4 a louder alert takes louder channels, until it is withdrawn or expires`()
        throws
    {
        try office.run(
            "alerts channel add siren --webhook \(office.server.url("/siren")) --from urgent")
        let raised = try office.run("alerts call raise everyone Fire --answer --repeat 30s")
        let call = try #require(raised.split(separator: " ").last).dropLast()
        for count in 1...6 {
            try office.setClock(31 * count)
            try eventually("it is repeated") {
                try office.alert("Fire")?["repeats"] as? Int ?? 0 >= count
            }
        }
        try eventually("the siren tells it") {
            try office.told(at: "/siren").map(\.alert.title).contains("Fire")
        }
        #expect(try office.told(at: "/siren").allSatisfy { $0.alert.severity == "urgent" })

        try office.run("alerts call withdraw \(call)")
        try eventually("it is over") {
            try office.alert("Fire")?["state"] as? String == "withdrawn"
        }
        let repeats = try #require(try office.alert("Fire")?["repeats"] as? Int)
        try office.run("alerts call raise everyone Smoke --answer --repeat 30s --for 5m")
        try eventually("the next one is open") {
            try office.alert("Smoke")?["state"] as? String == "open"
        }
        try office.setClock(31 * 6 + 600)

        try eventually("that one expires") {
            try office.alert("Smoke")?["state"] as? String == "expired"
        }
        #expect(try office.alert("Fire")?["repeats"] as? Int == repeats)
        #expect(try office.rows("alerts list").isEmpty)
    }

    @Test func `N5 alerts that aren't severe are told together in a digest`() throws {
        try office.run("alerts channel add phone --webhook \(office.server.url("/hook"))")
        // Tokyo never changes its clocks.
        let minute = (Int(WallClock.milliseconds() / 60_000) + 9 * 60 + 10) % 1_440
        let time = "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
        try office.run("alerts digest --at \(time) --zone Asia/Tokyo --up-to warning")

        for title in ["Kettle", "Toaster"] { try office.run("alerts call raise everyone \(title)") }
        try office.run("alerts call raise everyone Fire --severity urgent")
        try eventually("the urgent one is told") { try !office.told().isEmpty }
        #expect(try office.told().map(\.alert.title) == ["Fire"])
        try office.setClock(11 * 60)

        try eventually("the digest is told") { try office.told().count == 2 }
        let digest = try #require(try office.server.requests().last)
        #expect(digest.body.contains("Kettle") && digest.body.contains("Toaster"))
        #expect(!digest.body.contains("Fire"))
    }

    @Test func `N6 closed alerts are kept for 30 days, and open ones until they are closed`()
        throws
    {
        for title in ["Old", "Recent", "Open"] {
            try office.run("alerts call raise everyone \(title) --answer")
            try eventually("it is there") { try office.has(title, device: "desk") }
        }
        for title in ["Old", "Recent"] { try office.acknowledge(title) }
        let old = try #require(try office.alert("Old")?["id"] as? String)
        office.stopNotifier()
        try office.system.edit(
            .notifier,
            """
            UPDATE alert
            SET closed = closed - CASE id WHEN '\(old)' THEN 31 ELSE 29 END * 86400000
            WHERE state <> 1
            """)

        try office.restartNotifier()

        try eventually("the old one is deleted") { try !office.has("Old", device: "desk") }
        #expect(try office.has("Recent", device: "desk") && office.has("Open", device: "desk"))
    }
}
