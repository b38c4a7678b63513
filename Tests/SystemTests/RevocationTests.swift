import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that a token that is no longer valid is refused by every service.
@Suite(.serialized, .waiting) struct RevocationTests {
    /// A message to each service that every role may send.
    private static let questions: [ServiceName: any ProtobufMessage & Sendable] = [
        .transitAlert: ListFeeds(), .notifier: OpenFeed(), .account: WhoAmI(),
        .checklist: ListTemplates(), .plan: ListPlans(), .routine: ListRoutines(),
        .project: ListProjects(), .web: ListJobs(),
    ]

    private let system: System
    private let bus = "tcp://127.0.0.1:\(Loopback.port())"
    private let programs: [ServiceName: Program]
    private let clients: [ServiceName: Client]

    /// Starts all services on TCP, where everyone needs a token, with a clock that a test can set;
    /// signs up people who manage shifts, and an administrator.
    init() throws {
        system = try System()
        let home = try system.start("account-service")
        let owner = try system.client(of: .account)
        let site = try owner.ask(
            CreateSite(name: "Harbour", timeZone: "Etc/UTC"), for: Organisation.self)
        let place = try #require(site.sites.first).id
        let people = [
            ("boss", Grant(role: .administrator)), ("ann", Grant(role: .shiftManager, site: place)),
            ("bob", Grant(role: .shiftManager, site: place)),
            ("eve", Grant(role: .shiftManager, site: place)),
        ]
        for (name, grant) in people { try owner.signUp(name, [grant]) }
        home.kill()
        var (programs, clients): ([ServiceName: Program], [ServiceName: Client]) = ([:], [:])
        for service in ServiceName.allCases {
            programs[service] = try system.launch(
                service.rawValue, bus: bus,
                adding: [
                    "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                    "SHIFTED_CLOCK": system.path("clock"),
                ])
            clients[service] = try system.client(of: service, bus: bus)
        }
        for program in programs.values { try program.waitUntilReady() }
        (self.programs, self.clients) = (programs, clients)
    }

    /// Returns a person's access tokens, once every service knows the key that signed them.
    private func tokens(_ name: String) throws -> [ServiceName: [UInt8]] {
        let accounts = try #require(clients[.account])
        accounts.token = []
        let granted = try accounts.logIn(name, for: ServiceName.allCases)
        var tokens: [ServiceName: [UInt8]] = [:]
        for service in ServiceName.allCases {
            let token = try #require(granted[service.rawValue])
            tokens[service] = token
            try eventually("\(service) knows the key") { try isAccepted(token, at: service) }
        }
        return tokens
    }

    /// Returns whether a service accepts a token.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - service: the service.
    ///   - ahead: how far the services' clock is ahead, in seconds.
    private func isAccepted(
        _ token: [UInt8], at service: ServiceName, ahead: Int = 0
    ) throws -> Bool {
        guard let client = clients[service], let question = Self.questions[service] else {
            throw Complaint("there is no query for \(service)")
        }
        client.token = token
        let id = try client.send(question, deadline: .seconds(ahead + 60))
        while true {
            for answer in try client.receive(within: .seconds(60)) where answer.id == id {
                let envelope = try answer.result.get()
                guard envelope.type == Refusal.protobufName else { return true }
                let refusal = try Refusal(unpacking: envelope.data)
                guard refusal.code == .badToken else {
                    throw Complaint("\(service) refused for another reason: \(refusal)")
                }
                return false
            }
        }
    }

    @Test func `a revoked token is refused by every service within a second`() throws {
        let boss = try #require(try tokens("boss")[.account])
        var quickest: [ServiceName: Duration] = [:]
        func isQuick() -> Bool {
            quickest.count == ServiceName.allCases.count
                && quickest.values.allSatisfy { $0 <= .seconds(1) }
        }
        // A busy machine may delay a service in some attempts.
        let people = ["ann", "bob", "eve"]
        for attempt in 0..<12 where !isQuick() {
            let name = people[attempt % people.count]
            let held = try tokens(name)
            let accounts = try #require(clients[.account])
            accounts.token = boss
            _ = try accounts.ask(
                SetAccountDisabled(account: name, isDisabled: true), for: Account.self)
            let begin = ContinuousClock.now
            var left = Set(ServiceName.allCases)
            try eventually("every service refuses the tokens of \(name): \(left)") {
                for service in left {
                    guard try !isAccepted(held[service] ?? [], at: service) else { continue }
                    left.remove(service)
                    let passed = ContinuousClock.now - begin
                    quickest[service] = min(quickest[service] ?? passed, passed)
                }
                return left.isEmpty
            }
            accounts.token = boss
            _ = try accounts.ask(
                SetAccountDisabled(account: name, isDisabled: false), for: Account.self)
        }
        #expect(isQuick(), "\(quickest)")
    }

    @Test func `without account-service tokens are accepted for ten minutes and no longer`() throws
    {
        let begun = ContinuousClock.now
        let held = try tokens("ann")
        programs[.account]?.kill()

        for (age, isGood) in [(0, true), (540, true), (601, false), (3_600, false)] {
            // Until all services know the key, some of the ten minutes may have passed.
            let passed = Int((ContinuousClock.now - begun) / .seconds(1))
            let seconds = isGood ? max(0, age - passed) : age
            try Data("\(seconds)".utf8).write(
                to: URL(filePath: system.path("clock")), options: .atomic)
            for service in ServiceName.allCases where service != .account {
                let token = try #require(held[service])
                #expect(
                    try isAccepted(token, at: service, ahead: seconds) == isGood,
                    "\(service) after \(seconds) s")
            }
        }
    }
}
