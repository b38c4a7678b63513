import Foundation
import TestSupport
import TestThreads
import Testing

/// The documents are correct: their commands and examples work.
@Suite(.serialized, .waiting) struct DocumentTests {
    @Test(arguments: [
        ("docs/checklists.md", 12), ("docs/plans.md", 10), ("docs/routines.md", 5),
        ("docs/projects.md", 13), ("docs/rides.md", 6),
    ])
    func `every command of a guide does something`(_ guide: String, _ count: Int) throws {
        let blocks = try Document(guide).blocks("sh")
        let terminal = Terminal(system: try System())
        let path = "export PATH=\"$PWD/.build/debug:$PATH\"\n"
        let services = try terminal.start(path + "steward up")
        try eventually("the services are ready") {
            services.out.contains("all services are ready")
        }

        for block in blocks { try terminal.run(path + block) }

        #expect(blocks.count == count)
    }

    @Test func `the commands of the README do what it says`() throws {
        let readme = try Document("README.md")
        let blocks = readme.blocks("sh")
        let stops = try #require(readme.blocks("").first { $0.hasPrefix("ID ") })
        let terminal = Terminal(system: try System())

        let services = try terminal.start(blocks[0])
        try eventually("the services are ready") {
            services.out.contains("all services are ready")
        }
        let output = try terminal.run(blocks[1])

        #expect(output.contains("harbour-line: 70 stops"))
        #expect(output.contains(stops))
        let alerts = output.split(separator: "\n").filter { $0.contains("transit-alert-service") }
        #expect(alerts.contains { $0.contains("Get off at the next stop: General Hospital") })
    }

    @Test func `N7 the example of the alert topic receives alerts`() throws {
        let page = try Document("docs/alert-topic.md")
        let readme = try Document("README.md")
        let system = try System()
        let terminal = Terminal(system: system)
        let example = system.path("example.py")
        try page.blocks("python")[0].write(toFile: example, atomically: true, encoding: .utf8)
        try terminal.run(page.blocks("sh")[0].replacing("_out=.", with: "_out=\(system.directory)"))

        let services = try terminal.start(readme.blocks("sh")[0])
        let listener = try terminal.start(
            "/usr/bin/python3 \(example) \"ipc://$HOME/.local/share/steward/run\"")
        try eventually("the services are ready") {
            services.out.contains("all services are ready")
        }
        try terminal.run(
            """
            export PATH="$PWD/.build/debug:$PATH"
            steward transit import deploy/demo/harbour-line
            steward transit privacy --accept
            steward transit ride deploy/demo/ride.csv --to 4131 --speed 200
            """)

        for line in [
            "ALERT_STATE_OPEN Get ready: General Hospital",
            "ALERT_STATE_WITHDRAWN Get ready: General Hospital",
            "ALERT_STATE_OPEN Get off at the next stop: General Hospital",
        ] {
            try eventually("the example says \(line)\n\(listener.err)") {
                listener.out.contains(line)
            }
        }
        withExtendedLifetime(services) {}
    }

    @Test func `the example of the alert topic has at most 35 lines`() throws {
        let lines = try Document("docs/alert-topic.md").blocks("python")[0].split(separator: "\n")

        #expect(lines.count <= 35)
        #expect(lines.allSatisfy { $0.count <= 100 })
    }
}
