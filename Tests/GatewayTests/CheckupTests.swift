import Bus
import Messages
import Speech
import Testing

@testable import Gateway

/// Every problem is found, and nothing else is reported.
struct CheckupTests {
    private static let now: Int64 = 1_800_000_000_000

    /// An installation without problems.
    private static func well() throws -> Checkup {
        var checkup = Checkup(now: now, version: "1.2.3", bus: "tcp://*:5000")
        checkup.patients = ServiceName.allCases.map { service in
            Checkup.Patient(
                service: service,
                status: ServiceStatus(
                    service: service.rawValue, version: "1.2.3", started: now - 60_000, head: 7,
                    cursors: [
                        ServiceStatus.Cursor(
                            producer: "account-service", sequence: 7, head: 7, heard: now)
                    ], storeBytes: 1 << 20, freeBytes: 1 << 40))
        }
        checkup.keys = ServiceName.allCases.map {
            KeyRing.Entry(
                name: $0.rawValue, publicKey: "", role: .service, isRevoked: false)
        }
        return checkup
    }

    /// The findings after a change that causes a problem.
    private func found(_ change: (inout Checkup) -> Void) throws -> [String] {
        var checkup = try Self.well()
        change(&checkup)
        return checkup.findings.map { ($0.isWrong ? "wrong: " : "soon: ") + $0.sentence }
    }

    @Test func `nothing is found if all is well`() throws {
        #expect(try found { _ in } == [])
    }

    @Test func `a missing service is found`() throws {
        let silent = { (state: StatusCommand.State, listener: Bool?) in
            try found { checkup in
                checkup.patients[1].status = nil
                checkup.patients[1].state = state
                checkup.patients[1].hasListener = listener
            }
        }
        let stranger = "wrong: something is at the address of notifier, but does not answer like it"

        #expect(try silent(.notRunning, false) == ["wrong: notifier is not running"])
        #expect(try silent(.notRunning, true) == [stranger])
        #expect(try silent(.noAnswer, nil) == [stranger])
        #expect(
            try silent(.unreadable, true)
                == ["wrong: notifier answers, but its answer can't be read"])
        #expect(
            try silent(.withoutKey, true)
                == ["wrong: notifier can't be asked, because its key can't be used"])
        #expect(
            try silent(.notAdmitted, nil) == ["wrong: notifier does not admit this program"])
    }

    @Test func `an answer that can't be read is the state of that service alone`() throws {
        let status = ServiceStatus(service: "notifier", head: 3)
        let good = Envelope(type: ServiceStatus.protobufName, data: status.packed())
        let bad = [
            Envelope(type: "bus.Other", data: []),
            Envelope(type: ServiceStatus.protobufName, data: [0xff]),
            Envelope(
                type: Refusal.protobufName, data: Refusal(code: .internal, message: "no").packed()),
        ]

        let reports = ([good] + bad).map {
            StatusCommand.report(.notifier, .success($0), isLate: false)
        }

        #expect(reports.map(\.status) == [status, nil, nil, nil])
        #expect(reports.map(\.state) == [.running, .unreadable, .unreadable, .unreadable])
        #expect(StatusCommand.failure([reports[0]]) == nil)
        #expect(
            StatusCommand.failure(reports)?.sentence
                == "the answer of notifier, notifier and notifier can't be read")
        #expect(StatusCommand.failure(reports)?.status == .notRunning)
    }

    @Test func `a position ahead of everything doesn't stop the checkup`() throws {
        #expect(
            try found { $0.patients[0].status?.cursors[0].sequence = .max } == [])
    }

    @Test func `a service of another version is found`() throws {
        #expect(
            try found { $0.patients[0].status?.version = "1.2.2" }
                == ["soon: transit-alert-service has version 1.2.2, steward has 1.2.3"])
    }

    @Test func `a disk that is filling up is found before it is full`() throws {
        let left = { (free: UInt64, store: UInt64) in
            try found { checkup in
                checkup.patients[1].status?.freeBytes = free << 20
                checkup.patients[1].status?.storeBytes = store << 20
            }
        }

        #expect(try left(600, 1) == [])
        #expect(
            try left(600, 700)
                == ["soon: the disk of notifier has 600 MiB left, and its store has 700 MiB"])
        #expect(
            try left(63, 1)
                == ["wrong: the disk of notifier has 63 MiB left, and its store has 1 MiB"])
    }

    @Test func `a clock that is fast or slow is found`() throws {
        #expect(
            try found { $0.patients[1].clock = 7000 }
                == ["wrong: the clock of notifier is 7 s ahead of the one here"])
        #expect(
            try found { $0.patients[1].clock = -90_000 }
                == ["wrong: the clock of notifier is 90 s behind the one here"])
    }

    @Test func `a service may name any time and any number of events`() throws {
        let findings = try found { checkup in
            checkup.patients[1].status?.started = .min
            checkup.patients[1].status?.cursors[0].head = .max
            checkup.patients[1].status?.cursors[0].sequence = .max
            checkup.patients[1].status?.followers = [.init(name: "shed", reported: .min)]
        }

        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("soon: notifier keeps events for shed,") == true)
        #expect(StatusCommand.elapsed(since: .max, -2) == 0)
        #expect(StatusCommand.elapsed(since: .min, 1) == .max)
        #expect(StatusCommand.elapsed(since: 3, 5) == 2)
    }

    @Test func `events that were put aside are found`() throws {
        #expect(
            try found { $0.patients[1].status?.deadLetters = 2 }
                == ["wrong: notifier put aside 2 things"])
    }

    @Test func `a follower that falls behind is found`() throws {
        #expect(
            try found { $0.patients[1].status?.cursors[0].head = 2000 }
                == ["soon: notifier is 1993 events behind account-service"])
    }

    @Test func `a follower that is gone is found after a day`() throws {
        let silent = { (time: Int64) in
            try found { checkup in
                checkup.patients[1].status?.followers = [
                    ServiceStatus.Follower(name: "plan-service", reported: Self.now - time)
                ]
            }
        }

        #expect(try silent(86_400_000) == [])
        #expect(
            try silent(2 * 86_400_000) == [
                "soon: notifier keeps events for plan-service, which has not asked for them for "
                    + Wording.duration(2 * 86_400_000)
            ])
    }

    @Test func `a follower that receives nothing is found, unless it has just started`() throws {
        let deaf = { (age: Int64) in
            try found { checkup in
                checkup.patients[1].status?.cursors[0].heard = 0
                checkup.patients[1].status?.started = Self.now - age
            }
        }

        #expect(try deaf(5000) == [])
        #expect(
            try deaf(60_000) == ["wrong: notifier has not heard from account-service, which runs"])
    }

    @Test func `missing and revoked keys, and keys with the wrong role, are found`() throws {
        let entry = { (role: KeyRing.Role, isRevoked: Bool) in
            KeyRing.Entry(name: "notifier", publicKey: "", role: role, isRevoked: isRevoked)
        }

        #expect(
            try found { $0.keys?.remove(at: 1) }
                == ["wrong: the key directory has no key for notifier"])
        #expect(
            try found { $0.keys?[1] = entry(.service, true) }
                == ["wrong: the key of notifier was revoked"])
        #expect(
            try found { $0.keys?[1] = entry(.display, false) }
                == ["wrong: the key of notifier has a role other than service"])
        #expect(
            try found { $0.hasOwnSecret = false }
                == ["wrong: the secret key of steward is not on this host"])
        #expect(
            try found { $0.keyFailure = "the directory is open" }
                == ["wrong: the directory is open"])
    }

    @Test func `pages that browsers don't find, or find without HTTPS, are found`() throws {
        let pages = { (origins: [String], status: Int?, hasProxy: Bool) in
            try found { checkup in
                checkup.pages = Checkup.Pages(
                    origins: origins, hasProxy: hasProxy, address: "127.0.0.1:8093")
                for origin in origins { checkup.pages.answers[origin] = status }
            }
        }
        let (secure, plain) = ("https://steward.example.org", "http://kitchen:8093")

        #expect(try pages([secure], 200, true) == [])
        for own in ["http://localhost:8093", "http://127.0.0.1:8093", "http://[::1]:8093"] {
            #expect(try pages([own], 200, false) == [])
        }
        #expect(
            try pages([plain], 200, false) == [
                "wrong: at http://kitchen:8093 browsers allow neither checklists without a network "
                    + "nor positions, and don't keep the screen awake"
            ])
        #expect(
            try pages([secure], 200, false) == [
                "soon: no proxy is named for https://steward.example.org, so all browsers count as "
                    + "one, and each slows the others down"
            ])
        #expect(
            try pages([secure], nil, true)
                == ["soon: web-service runs, but doesn't answer at 127.0.0.1:8093"])
        #expect(
            try pages([secure], 421, true) == [
                "soon: web-service shows no pages to browsers that find it at "
                    + "https://steward.example.org"
            ])
    }

    @Test(
        arguments: [
            (["STEWARD_WEB_LISTEN": "0.0.0.0:9000"], "127.0.0.1:9000"),
            (["STEWARD_WEB_LISTEN": "[::]:9000"], "127.0.0.1:9000"),
            (["STEWARD_WEB_LISTEN": "0.0.0.0:8093", "STEWARD_WEB_PORT": "9001"], "127.0.0.1:9001"),
            (["STEWARD_WEB_LISTEN": "10.0.0.5:9000"], "10.0.0.5:9000"), ([:], "127.0.0.1:8093"),
        ] as [([String: String], String)])
    func `pages that listen on all addresses are asked at this machine's own`(
        settings: [String: String], address: String
    ) {
        #expect(PageProbe(settings)?.address == address)
    }

    @Test func `faults come before warnings, and each has its remedy`() throws {
        var checkup = try Self.well()
        checkup.patients[0].status?.version = "1"
        checkup.patients[2].status = nil

        #expect(checkup.findings.map(\.isWrong) == [true, false])
        #expect(checkup.findings.allSatisfy { !$0.cure.isEmpty })
    }
}
