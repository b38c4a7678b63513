import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import TestThreads
import Testing

/// An installation over TCP with keys of its own, in which everyone logs in and everything is
/// logged at the most detailed level.
private final class TalkativeTown {
    static let passwords = [
        "owner": "an owner has horses", "first": "correct horse battery",
        "new": "battery staple horse", "wrong": "nobody's wrong horse",
    ]

    let system: System
    private let bus = "tcp://127.0.0.1:\(Loopback.port())"
    private var services: [Program] = []
    /// What anyone could read about a process while it ran: command lines and environments.
    private(set) var faces: Set<String> = []
    /// What programs wrote to standard error, and to standard output unless that was a secret
    /// answer.
    private(set) var said: [String] = []
    /// The secrets that must not appear there, and what each of them is.
    private(set) var secrets: [(what: String, bytes: [UInt8])] = []

    init() throws {
        system = try System()
        keep("password", Self.passwords.values.map { Array($0.utf8) })
    }

    private func keep(_ what: String, _ values: [[UInt8]]) {
        secrets += values.map { (what, $0) }
    }

    private var environment: [String: String] {
        system.environment(bus: bus, adding: ["STEWARD_KEYS": system.path("data/keys")])
            .merging(["STEWARD_LOG": "trace"]) { $1 }
    }

    /// Sets the owner's password while only this machine can reach the service; then starts all
    /// services on TCP.
    func prepare() throws {
        let local = try system.launch("account-service", adding: ["STEWARD_LOG": "trace"])
        try local.waitUntilReady()
        services.append(local)
        let owner = try steward("whoami --json", isLocal: true)
        try steward("passwd", typing: ["", Self.passwords["owner"] ?? ""], isLocal: true)
        local.kill()
        try steward("keys init", isLocal: true)
        for file in try FileManager.default.contentsOfDirectory(atPath: system.path("data/keys"))
        where file.hasSuffix(".secret") {
            let key = try String(contentsOfFile: system.path("data/keys/" + file), encoding: .utf8)
            keep("secret key", [Array(key.trimmingCharacters(in: .newlines).utf8)])
        }
        for service in ServiceName.allCases.map(\.rawValue) {
            let program = try system.launch(
                service, bus: bus,
                adding: ["STEWARD_LOG": "trace", "STEWARD_KEYS": system.path("data/keys")])
            try program.waitUntilReady()
            services.append(program)
        }
        ownerName = try #require(owner.firstMatch(of: /"name" : "([^"]+)"/).map { String($0.1) })
    }

    private(set) var ownerName = ""

    /// Runs `steward` as a person, watches its process while it runs, and records the tokens that
    /// it stores.
    @discardableResult
    func steward(
        _ arguments: String, typing lines: [String] = [], isLocal: Bool = false,
        isSecret: Bool = false, expecting status: Int32 = 0
    ) throws -> String {
        let input = system.path("typed")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: input))
        let own = ["STEWARD_LOG": "trace"]
        let program = try system.spawn(
            [
                "/bin/sh", "-c", "exec '\(System.executables)/steward' \(arguments) < '\(input)'",
            ], environment: isLocal ? system.environment(adding: own) : environment)
        try eventually("steward \(arguments) has ended") {
            look(at: program)
            return !program.isRunning
        }
        let end = try program.waitForEnd()
        guard end == .exited(status) else {
            throw Complaint("steward \(arguments): \(end)\n\(program.err)")
        }
        said.append(program.err)
        if !isSecret { said.append(program.out) }
        try noteTokens()
        return program.out
    }

    /// Runs a command that prints a code for a person, records the code as a secret and returns it.
    func code(_ arguments: String) throws -> String {
        let code = try steward(arguments, isSecret: true).trimmingCharacters(in: .newlines)
        keep("code", [Array(code.utf8), Array(code.replacing("-", with: "").utf8)])
        return code
    }

    private func look(at program: Program) {
        for name in ["cmdline", "environ"] {
            let bytes = FileManager.default.contents(atPath: "/proc/\(program.pid)/\(name)")
            faces.insert(String(decoding: bytes ?? Data(), as: UTF8.self))
        }
    }

    private func noteTokens() throws {
        let path = system.path(".config/steward/session")
        guard let bytes = FileManager.default.contents(atPath: path) else { return }
        let all = try JSONSerialization.jsonObject(with: bytes) as? [String: [String: Any]]
        for entry in (all ?? [:]).values {
            let tokens = (entry["tokens"] as? [String: String]).map { Array($0.values) } ?? []
            for text in tokens + [entry["refreshToken"] as? String].compactMap(\.self) {
                guard let token = Data(base64Encoded: text) else { continue }
                keep("token", [[UInt8](token)])
            }
        }
    }

    /// Records the secrets that only the store of account-service contains.
    func noteStore() throws {
        keep(
            "signing key",
            try system.reading(.account) { db in
                try Data.fetchAll(db, sql: "SELECT seed FROM signingKey").map { [UInt8]($0) }
            })
        keep(
            "password's hash",
            try system.query(.account, "SELECT password FROM account WHERE password <> ''")
                .flatMap { $0 }.map { Array($0.utf8) })
    }

    /// Returns everything that others may read: logs, errors, command lines and environments.
    func everything() throws -> String {
        for service in services {
            look(at: service)
            said += [service.err, service.out]
        }
        return (said + faces).joined(separator: "\n")
    }
}

/// Tests that secrets don't appear where others can see them.
@Suite(.serialized, .waiting) struct SecretsTests {
    /// Returns the forms in which bytes may be written somewhere.
    static func forms(_ bytes: [UInt8]) -> [String] {
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        let base64 = Data(bytes).base64EncodedString()
        let unpadded = base64.replacing("=", with: "")
        let text = String(validating: bytes, as: UTF8.self)
        return [
            hex, hex.uppercased(), unpadded,
            unpadded.replacing("+", with: "-").replacing("/", with: "_"),
            unpadded.replacing("/", with: "\\/"), bytes.description, "\(bytes)",
        ] + [text].compactMap(\.self)
    }

    /// Returns the forms of the positions of the demo's ride, in degrees and in units of 1e-7
    /// degrees.
    static func positions() throws -> Set<String> {
        let path = Town.root + "/deploy/demo/ride.csv"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return Set(
            text.split(separator: "\n").dropFirst().flatMap { line -> [String] in
                let cells = line.split(separator: ",").map(String.init)
                return [cells[1], cells[2]].flatMap { degrees in
                    let plain = degrees.replacing("-", with: "")
                    let number = Double(plain) ?? 0
                    return [plain, "\(number)", "\(Int((number * 1e7).rounded()))"]
                }
            }.filter { $0.count >= 7 })
    }

    @Test func `no log, error, command line or environment holds a secret or a position`() throws {
        let town = try TalkativeTown()
        try town.prepare()
        let password = TalkativeTown.passwords

        try town.steward("login \(town.ownerName)", typing: [password["owner"] ?? ""])
        try town.steward("site add Harbour --zone Europe/Berlin")
        try town.steward("transit import '\(Town.feed)'")
        let invitation = try town.code("user invite --role crew --site harbour")
        try town.steward("user sign-up ann", typing: [invitation, password["first"] ?? ""])
        try town.steward(
            "user sign-up eve", typing: [invitation, password["first"] ?? ""], expecting: 1)
        let reset = try town.code("user reset ann")
        try town.steward("login ann", typing: [password["wrong"] ?? ""], expecting: 1)
        try town.steward("login ann", typing: [reset])
        try town.steward("passwd", typing: [reset, password["wrong"] ?? "", ""], expecting: 0)
        try town.steward("passwd", typing: [password["wrong"] ?? "", password["new"] ?? ""])
        try town.steward("login ann", typing: [password["new"] ?? ""])
        try town.steward("transit privacy --accept")
        try town.steward(
            "transit ride '\(Town.root)/deploy/demo/ride.csv' --to 4131 --feed harbour-line "
                + "--speed 400 --get-off --no-finish")
        try town.steward("alerts list")
        try town.steward("transit finish nothing", expecting: 1)
        try town.steward("status")
        try town.steward("sessions")
        try town.noteStore()
        try town.steward("logout")

        let text = try town.everything()
        let needles = Dictionary(
            town.secrets.flatMap { secret in Self.forms(secret.bytes).map { ($0, secret.what) } }
        ) { first, _ in first }
        #expect(
            Set(town.secrets.map(\.what)) == [
                "password", "secret key", "code", "token", "signing key", "password's hash",
            ])
        #expect(Set(needles.filter { text.contains($0.key) }.map(\.value)) == [])
        let numbers = Set(text.matches(of: /[0-9]+(?:\.[0-9]+)?/).map { String($0.0) })
        #expect(try Self.positions().intersection(numbers) == [])
        // The programs did log.
        #expect(text.contains("message=transit.RecordPositions"))
        #expect(text.contains("message=account.LogIn"))
    }
}
