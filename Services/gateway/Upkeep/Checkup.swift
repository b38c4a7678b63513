import Bus
import Messages
import Speech

/// The facts about an installation, and its problems. It does no input or output itself:
/// `DoctorCommand` does that.
struct Checkup {
    /// Something that a person should know.
    struct Finding: Encodable, Hashable {
        /// True if something doesn't work; false if it soon may not.
        let isWrong: Bool
        /// The problem.
        let sentence: String
        /// The remedy.
        let cure: String
    }

    /// A service as `DoctorCommand` found it.
    struct Patient {
        /// Its name.
        let service: ServiceName
        /// Its answer; nil if there was none.
        var status: ServiceStatus?
        /// Its state, or why it did not answer.
        var state = StatusCommand.State.running
        /// How far its clock is ahead of ours, milliseconds.
        var clock: Int64 = 0
        /// True if something accepts connections at its address; nil if that is unknown.
        var hasListener: Bool?
    }

    /// The pages of web-service, as far as its settings and `DoctorCommand` say.
    struct Pages {
        /// Where browsers find them, such as `https://steward.example.org`.
        var origins: [String] = []
        /// True if the settings name a proxy that is trusted to say where browsers are.
        var hasProxy = false
        /// The address on this machine at which web-service was asked; nil if it wasn't.
        var address: String?
        /// The statuses of its answers, by origin; without an entry if there was none.
        var answers: [String: Int] = [:]
    }

    /// When this was found, milliseconds since 1970.
    var now: Int64 = 0
    /// The version of this program.
    var version = stewardVersion
    /// The address of the bus, for people.
    var bus = ""
    /// The services.
    var patients: [Patient] = []
    /// The pages.
    var pages = Pages()
    /// The key ring; nil if the bus is not encrypted.
    var keys: [KeyRing.Entry]?
    /// Why the key ring can't be used; nil if it can.
    var keyFailure: String?
    /// True if this program has its secret key.
    var hasOwnSecret = true

    /// The free space below which something is wrong, bytes.
    static let tooLittleSpace: UInt64 = 64 << 20
    /// The free space below which there is a warning, bytes.
    static let littleSpace: UInt64 = 512 << 20
    /// How far clocks may differ, milliseconds. Services tolerate a minute, but the times that
    /// people see come from these clocks, and a clock that is wrong soon gets worse.
    static let clockTolerance: Int64 = 2000
    /// The number of events that a follower may be behind.
    static let lagTolerance: UInt64 = 1000

    /// How long a follower may be silent before it is reported, milliseconds.
    static let longestSilence: Int64 = 24 * 3600 * 1000
    /// How long a service has to find the others after its start, milliseconds.
    static let settling: Int64 = 10_000

    /// Everything that was found, with what is wrong first.
    var findings: [Finding] {
        let all = keyFindings + patients.flatMap { findings(of: $0) } + pageFindings
        return all.filter(\.isWrong) + all.filter { !$0.isWrong }
    }

    private var keyFindings: [Finding] {
        if let keyFailure {
            return [wrong(keyFailure, "fix that; steward keys list shows the key directory")]
        }
        guard let keys else { return [] }
        var findings: [Finding] = []
        if !hasOwnSecret {
            findings.append(
                wrong(
                    "the secret key of steward is not on this host",
                    "make one: steward keys add steward --role gateway"))
        }
        for name in ServiceName.allCases.map(\.rawValue) {
            let entry = keys.first { $0.name == name }
            if entry == nil {
                findings.append(
                    wrong(
                        "the key directory has no key for \(name)",
                        "make one where it runs: steward keys add \(name) --role service"))
            } else if entry?.isRevoked == true {
                findings.append(
                    wrong(
                        "the key of \(name) was revoked",
                        "make a new one: steward keys add \(name) --role service"))
            } else if entry?.role != .service {
                findings.append(
                    wrong(
                        "the key of \(name) has a role other than service",
                        "revoke it with steward keys revoke \(name), then steward keys add"))
            }
        }
        return findings
    }

    private var pageFindings: [Finding] {
        var findings = pages.origins.filter { !Self.isTrusted($0) }.map { origin in
            wrong(
                "at \(origin) browsers allow neither checklists without a network nor positions, "
                    + "and don't keep the screen awake",
                "put a proxy with HTTPS before web-service (deploy/caddy, deploy/nginx), and set "
                    + "STEWARD_WEB_ORIGIN to its https:// address")
        }
        guard let address = pages.address else { return findings }
        if !pages.hasProxy, let origin = pages.origins.first(where: { $0.hasPrefix("https://") }) {
            findings.append(
                careful(
                    "no proxy is named for \(origin), so all browsers count as one, and each "
                        + "slows the others down",
                    "set STEWARD_WEB_PROXY to the proxy's address, for web-service and here"))
        }
        guard !pages.answers.isEmpty else {
            return findings + [
                careful(
                    "web-service runs, but doesn't answer at \(address)",
                    "give steward the settings STEWARD_WEB_… of web-service")
            ]
        }
        for origin in pages.origins where pages.answers[origin] == 421 {
            findings.append(
                careful(
                    "web-service shows no pages to browsers that find it at \(origin)",
                    "give web-service and steward the same STEWARD_WEB_ORIGIN, and let the proxy "
                        + "pass the name of the host on"))
        }
        return findings
    }

    /// True if browsers allow all features at an origin: with HTTPS, and on their own machine.
    private static func isTrusted(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        guard origin.hasPrefix("http://") else { return origin.hasPrefix("https://") }
        let host = origin.dropFirst("http://".count)
        guard host.hasPrefix("[") else {
            return BusAddress.isLoopback(String(host.prefix { $0 != ":" }))
        }
        return BusAddress.isLoopback(String(host.dropFirst().prefix { $0 != "]" }))
    }

    private func findings(of patient: Patient) -> [Finding] {
        guard let status = patient.status else { return [absence(of: patient)] }
        return versionFindings(status) + spaceFindings(status) + clockFindings(patient)
            + eventFindings(status)
    }

    private func absence(of patient: Patient) -> Finding {
        let name = patient.service.rawValue
        switch (patient.state, patient.hasListener) {
        case (.notAdmitted, _):
            return wrong(
                "\(name) does not admit this program",
                "its host must know this program's key: steward keys add")
        case (.withoutKey, _):
            return wrong(
                "\(name) can't be asked, because its key can't be used",
                "look at it with steward keys list")
        case (.unreadable, _):
            return wrong(
                "\(name) answers, but its answer can't be read",
                "see whether it has the same version as steward, and look at the end of its log")
        case (.noAnswer, _), (_, true):
            return wrong(
                "something is at the address of \(name), but does not answer like it",
                "if it is \(name), stop it, so that it is restarted; if it is another program, "
                    + "move that one or choose another STEWARD_BUS (now \(bus))")
        default:
            return wrong(
                "\(name) is not running", "start it: steward up, or look at the end of its log")
        }
    }

    private func versionFindings(_ status: ServiceStatus) -> [Finding] {
        guard status.version != version else { return [] }
        return [
            careful(
                "\(status.service) has version \(status.version), steward has \(version)",
                "install the same version of all programs, and restart the service")
        ]
    }

    private func spaceFindings(_ status: ServiceStatus) -> [Finding] {
        // An older service doesn't report its size.
        guard status.storeBytes > 0 else { return [] }
        // A backup needs as much space as the store itself.
        let wanted = max(Self.littleSpace, status.storeBytes)
        guard status.freeBytes < wanted else { return [] }
        let sentence =
            "the disk of \(status.service) has \(status.freeBytes >> 20) MiB left, and its store "
            + "has \(status.storeBytes >> 20) MiB"
        let cure = "free some space; a backup needs as much as the store has"
        return [
            status.freeBytes < Self.tooLittleSpace
                ? wrong(sentence, cure) : careful(sentence, cure)
        ]
    }

    private func clockFindings(_ patient: Patient) -> [Finding] {
        guard patient.clock.magnitude > Self.clockTolerance else { return [] }
        return [
            wrong(
                Self.clockSentence(patient.service.rawValue, patient.clock),
                "synchronize both hosts with a time server (systemd-timesyncd, chrony)")
        ]
    }

    /// A sentence on how a service's clock differs from ours.
    ///
    /// - Parameter difference: its time minus ours, milliseconds.
    static func clockSentence(_ service: String, _ difference: Int64) -> String {
        let side = difference > 0 ? "ahead of" : "behind"
        return "the clock of \(service) is \(difference.magnitude / 1000) s \(side) the one here"
    }

    /// The counters of what a service has set aside since it started.
    private static let putAside = [
        (counter: "jobs.setAside", what: "job", cure: "see why: steward jobs list; then retry it"),
        (counter: "errands.setAside", what: "errand", cure: "its log says which and why"),
        (
            counter: "commands.setAside", what: "command",
            cure: "its log says which; please report it"
        ),
    ]

    private func eventFindings(_ status: ServiceStatus) -> [Finding] {
        var findings: [Finding] = []
        if status.deadLetters > 0 {
            findings.append(
                wrong(
                    "\(status.service) put aside "
                        + Wording.count(status.deadLetters, "thing"),
                    "see why: steward dead-letters list; then retry or drop them"))
        }
        for (counter, what, cure) in Self.putAside {
            guard let count = status.counters[counter], count > 0 else { continue }
            findings.append(
                careful(
                    "\(status.service) gave up \(Wording.count(count, what)) that made it fail",
                    cure))
        }
        for cursor in status.cursors
        where cursor.head - min(cursor.head, cursor.sequence) > Self.lagTolerance {
            findings.append(
                careful(
                    "\(status.service) is \(cursor.head - cursor.sequence) events behind "
                        + cursor.producer,
                    "wait and look again; if it does not catch up, its log says why"))
        }
        for follower in status.followers {
            let silence = StatusCommand.elapsed(since: follower.reported, now)
            guard silence > Self.longestSilence else { continue }
            findings.append(
                careful(
                    "\(status.service) keeps events for \(follower.name), which has not asked for "
                        + "them for \(Wording.duration(silence))",
                    "start it; if it is gone for good: steward followers forget \(follower.name) "
                        + "--service \(status.service)"))
        }
        for cursor in status.cursors where cursor.heard == 0 {
            // A service that has just started hasn't heard from others yet.
            let isRunning = patients.contains {
                $0.service.rawValue == cursor.producer && $0.status != nil
            }
            guard isRunning,
                StatusCommand.elapsed(since: status.started, now) > Self.settling
            else { continue }
            findings.append(
                wrong(
                    "\(status.service) has not heard from \(cursor.producer), which runs",
                    "the two must reach each other: the same STEWARD_BUS, names and keys on both "
                        + "hosts"))
        }
        return findings
    }

    private func wrong(_ sentence: String, _ cure: String) -> Finding {
        Finding(isWrong: true, sentence: sentence, cure: cure)
    }

    private func careful(_ sentence: String, _ cure: String) -> Finding {
        Finding(isWrong: false, sentence: sentence, cure: cure)
    }
}
