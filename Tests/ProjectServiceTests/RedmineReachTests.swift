import Bus
import RedmineClient
import RedmineMirror
import Testing

@testable import ProjectService

/// Tests where Redmine servers may be.
@Suite struct RedmineReachTests {
    private func reach(
        of address: String, allowing hosts: String?, isShared: Bool = true
    ) throws -> RedmineServer.Reach {
        Redmines.reach(
            of: try RedmineAddress(address), isShared: isShared,
            hosts.map { [Redmines.hosts: $0] } ?? [:])
    }

    @Test func `only the operator opens a private network to people who share a service`() throws {
        let here = "http://127.0.0.1:3000"
        #expect(try reach(of: here, allowing: nil, isShared: false) == .everywhere)
        #expect(try reach(of: here, allowing: nil) == .outside)
        let hosts = "Redmine.lan, 192.168.1.20,fd00::1"
        #expect(try reach(of: "https://redmine.lan/path", allowing: hosts) == .everywhere)
        #expect(try reach(of: "http://192.168.1.20", allowing: hosts) == .everywhere)
        #expect(try reach(of: "http://[fd00::1]:3000", allowing: hosts) == .everywhere)
        #expect(try reach(of: "http://192.168.1.21", allowing: hosts) == .outside)
        #expect(try reach(of: "http://redmine.lan.example.org", allowing: hosts) == .outside)
    }

    @Test(arguments: ["http://127.0.0.1:1", "http://localhost:1", "http://10.0.0.1:1"])
    func `a server out of reach is not asked`(address: String) throws {
        let server = RedmineServer(try RedmineAddress(address), .key("key"), .outside)

        #expect(
            throws: RedmineProblem.unreachable(
                "its address is a private one, which the operator has not allowed")
        ) {
            try server.user()
        }
    }

    @Test func `a setting that names no host keeps the service from starting`() throws {
        try ProjectService.validate([Redmines.hosts: "redmine.lan,192.168.1.20"])
        for text in ["", "http://redmine.lan"] {
            #expect(throws: ConfigurationError.self) {
                try ProjectService.validate([Redmines.hosts: text])
            }
        }
    }
}
