import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests services that find each other by name, and a ride that is followed by name, while the
/// lookup of one name fails, as in a container network: there a stopped container has no name, and
/// the outer name server may not answer.
@Suite(.serialized, .waiting) struct NameTests {
    private let system: System
    private let port = Loopback.port()
    /// The address of the silent name server: an address of this machine that nothing else uses.
    private static let server = "127.53.53.1"

    init() throws { system = try System() }

    @Test(.enabled(if: Surroundings.isSuperuser, "a name server needs the superuser"))
    func `a host name that can't be resolved keeps nobody waiting`() throws {
        let nameServer = try SilentNameServer(address: Self.server)
        try write("nameserver \(Self.server)\n", to: "resolv.conf")
        try write("127.0.0.1 localhost notifier checklist-service\n", to: "hosts")
        let programs = try ["notifier", "checklist-service"].map(launch)
        for program in programs { try program.waitUntilReady() }

        try eventually("the name server was asked") { nameServer.wasAsked }
        let clients = try [ServiceName.notifier, .checklist].map {
            try system.client(of: $0, bus: address("127.0.0.1"))
        }
        // A lookup without an answer takes ten seconds and is then repeated.
        let longest = try shortestTime(under: .seconds(9)) {
            var slowest = Duration.zero
            let end = ContinuousClock.now + .seconds(15)
            try eventually("that time is over") {
                for client in clients {
                    slowest = try max(
                        slowest,
                        ContinuousClock().measure {
                            _ = try client.ask(
                                ReadStatus(), for: ServiceStatus.self, deadline: .seconds(60))
                        })
                }
                return ContinuousClock.now >= end
            }
            return slowest
        }
        #expect(longest < .seconds(9))
        // They find each other nevertheless.
        try eventually("the notifier follows the checklist-service") {
            let status = try clients[1].ask(ReadStatus(), for: ServiceStatus.self)
            return status.followers.contains { $0.name == "notifier" }
        }
    }

    @Test(.enabled(if: Surroundings.isSuperuser, "a file of hosts needs the superuser"))
    func `followers find a service that moves to another address`() throws {
        try write("", to: "resolv.conf")
        // No connection can be made to this address.
        try write(
            "255.255.255.255 checklist-service\n127.0.0.1 notifier account-service\n", to: "hosts")
        let programs = try ["notifier", "checklist-service", "account-service"].map(launch)
        for program in programs { try program.waitUntilReady() }
        let client = try system.client(of: .notifier, bus: address("127.0.0.1"))
        /// When the notifier heard from a service last; 0 if it never has.
        func heard(_ producer: ServiceName) throws -> Int64 {
            try client.ask(ReadStatus(), for: ServiceStatus.self).cursors
                .first { $0.producer == producer.rawValue }?.heard ?? 0
        }
        try eventually("the notifier hears the account-service") { try heard(.account) > 0 }
        #expect(try heard(.checklist) == 0)

        // This is what a container network does when a container is created anew.
        try write("127.0.0.1 checklist-service notifier account-service\n", to: "hosts")

        try eventually("the notifier hears the checklist-service") { try heard(.checklist) > 0 }
    }

    @Test(
        .enabled(if: Surroundings.isSuperuser, "a name server needs the superuser"),
        arguments: ["gpsd://NAME", "mqtt://NAME/a/b"])
    func `a source of positions whose name can't be resolved keeps no other waiting`(
        form: String
    ) throws {
        let nameServer = try SilentNameServer(address: Self.server)
        // A lookup lasts for two and a half minutes.
        try write("nameserver \(Self.server)\noptions timeout:30 attempts:5\n", to: "resolv.conf")
        try write("127.0.0.1 localhost\n", to: "hosts")
        let town = try Town()
        try town.load()
        let port = try Receiver(in: town.system, speed: 1).port
        let receiver = "nmea://127.0.0.1:\(port)"
        let sources = ["one.example", "two.example"].map { form.replacing("NAME", with: $0) }
        let line = (sources + [receiver]).map { " --from \($0)" }.joined()

        let ride = try town.system.spawn(
            mounting + ["\(System.executables)/steward"]
                + CommandLineUser.words("transit follow --to 4131" + line),
            environment: CommandLineUser(of: town.system, device: "phone").environment())
        defer { ride.kill() }

        try eventually("the receiver is used", within: .seconds(100)) {
            ride.err.contains("positions come from \(receiver)")
        }
        try eventually("the name server was asked") { nameServer.wasAsked }
    }

    private func write(_ text: String, to name: String) throws {
        let file = try FileHandle(forWritingTo: Self.made(system.path(name)))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// The file must keep its inode, because it is mounted over another.
    private static func made(_ path: String) throws -> URL {
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(filePath: path))
        }
        return URL(filePath: path)
    }

    private func address(_ host: String) -> String { "tcp-unencrypted://\(host):\(port)" }

    /// Starts a service for which these files replace those of the machine.
    private func launch(_ service: String) throws -> Program {
        try system.launch(service, bus: address("*"), through: mounting)
    }

    /// The words before a command for which these files replace those of the machine.
    private var mounting: [String] {
        let mounts = ["resolv.conf", "hosts"].map {
            "mount --bind \(system.path($0)) /etc/\($0)"
        }
        return [
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            "\(mounts.joined(separator: " && ")) && exec \"$@\"", "sh",
        ]
    }
}
