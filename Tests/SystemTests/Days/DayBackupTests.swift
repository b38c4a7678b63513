import Bus
import TestSupport
import TestThreads
import Testing

/// Days in a backup.
@Suite(.serialized, .waiting) struct DayBackupTests {
    private static let picture =
        Town.root + "/Tests/PicturesTests/Fixtures/secret.jpg"

    @Test func `a backup restores the current day, its pictures and the week`() throws {
        let home = try Household()
        let others = try ServiceName.allCases.filter { $0 != .routine && $0 != .notifier }
            .map { try home.launch($0.rawValue) }
        try home.run(
            "action add 'Feed Alfred' --minutes 7 --picture \(Self.picture) --licence 'my photo'")
        try home.run(
            "routine create Pets --tag morning --action 'Feed Alfred' --action 'Eat breakfast'")
        try home.run("day plan --tag morning --appointment '12:00-13:00 Doctor'")
        try home.run("day save-template School")
        try home.run("day rhythm mon-fri School")
        try home.run("day confirm")
        try home.setClock(to: "07:02")
        try home.run("day done")
        let lines = [
            "day show --json", "day rhythm --json", "day templates --json", "day settings --json",
            "routine list --json", "action list --area own --json", "action measured --json",
            "action picture 'Feed Alfred' --json",
        ]
        let before = try lines.map { try home.run($0) }
        try home.run("backup '\(home.system.path("backup"))'")

        // What happens after the backup is gone once it is restored.
        try home.run("day skip")
        try home.run("action add 'Feed Alfred' --no-picture --emoji 🐢")
        try home.run("day rhythm all none")
        home.killService()
        try home.run("restore '\(home.system.path("backup"))' --service routine-service")
        try home.startService()
        for (line, said) in zip(lines, before) {
            #expect(try home.run(line, device: "phone") == said, "\(line)")
        }
        #expect(
            home.states(try home.day("day done", device: "phone")).prefix(2).allSatisfy {
                $0.hasSuffix(" done")
            })
        withExtendedLifetime(others) {}
    }
}
