import Foundation
import TestSupport
import TestThreads
import Testing

/// What a person takes along.
@Suite(.serialized, .waiting) struct AccountExportTests {
    private func content(_ folder: String, _ file: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `one command writes what each service keeps about a person, and nothing of others`()
        throws
    {
        let system = try System()
        for service in [
            "account-service", "notifier", "routine-service", "transit-alert-service",
        ] { try system.start(service) }
        let user = CommandLineUser(of: system, device: "desk")
        for name in ["ann", "bob"] {
            try user.signUp(name, .crew)
            for line in [
                "alerts channel add \(name)-phone --webhook https://example.org/\(name)",
                "action add \(name)-sits --minutes 60",
                "routine create Rest --from 0:00 --until 24:00 --action \(name)-sits",
                "day settings --zone Etc/UTC --wake 0:00 --sleep 24:00",
                "day plan --routine Rest --date tomorrow",
            ] { try user.run(line, device: name) }
        }
        // No day shows this picture.
        let picture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../PicturesTests/Fixtures/alpha.png").standardized.path
        try user.run("routine change Rest --picture '\(picture)' --licence mine", device: "ann")

        let folder = system.path("mine")
        let files = try user.rows("account export '\(folder)'", device: "ann")

        let names = files.compactMap { ($0["path"] as? String)?.split(separator: "/").last }
        let texts = names.filter { $0.hasSuffix(".json") }
        #expect(texts.sorted() == ["account.json", "alerts.json", "days.json", "travel.json"])
        #expect(names.count { $0.hasPrefix("picture-") } == 1 && names.count == 5)
        let account = try content(folder, "account.json")
        #expect((account["account"] as? [String: Any])?["name"] as? String == "ann")
        #expect((account["sessions"] as? [Any])?.count == 1)
        let alerts = try content(folder, "alerts.json")
        #expect((alerts["channels"] as? [Any])?.count == 1)
        let days = try content(folder, "days.json")
        for list in ["actions", "routines", "days"] {
            #expect((days[list] as? [Any])?.count == 1, "\(list)")
        }
        for name in texts {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            #expect(!text.contains("bob"), "\(name)")
        }
        let again = try user.say("account export '\(folder)'", device: "ann")
        #expect(again.err.contains("is not empty"))
    }

    @Test func `nothing is exported if a service doesn't answer`() throws {
        let system = try System()
        try system.start("account-service")
        let user = CommandLineUser(of: system, device: "desk")
        let folder = system.path("mine")

        let said = try user.say("account export '\(folder)'")

        #expect(said.end == .exited(69))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
