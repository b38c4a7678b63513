import Bus
import Messages
import Speech

/// What an installation shows of itself, and what is wrong with it. It neither asks nor looks
/// anywhere: `DoctorCommand` does.
struct Checkup {
    /// Something that a person should know.
    struct Finding: Encodable, Hashable {
        /// True when something does not work; false when it soon may not.
        let isWrong: Bool
        /// What it is.
        let sentence: String
        /// What to do about it.
        let cure: String
    }

    /// A service as it was found.
    struct Patient {
        /// Its name.
        let service: ServiceName
        /// What it answered; nil when it did not.
        var status: ServiceStatus?
        /// Why it did not answer, as `steward status` says it.
        var state = "running"
        /// Its clock minus ours, milliseconds.
        var clock: Int64 = 0
        /// True when something accepts connections where it should be; nil when that isn't known.
        var hasListener: Bool?
    }

    /// The time of the look, milliseconds since 1970.
    var now: Int64 = 0
    /// The version of this program.
    var version = stewardVersion
    /// The address of the bus, for people.
    var bus = ""
    /// The services.
    var patients: [Patient] = []
    /// The key ring: nil when the bus is not encrypted.
    var keys: [KeyRing.Entry]?
    /// Why the key ring can't be used; nil when it can.
    var keyFailure: String?
    /// True when the secret key of this program is here.
    var hasOwnSecret = true

    /// Less free space than this is wrong: bytes.
    static let tooLittleSpace: UInt64 = 64 << 20
    /// Less than this is told: bytes.
    static let littleSpace: UInt64 = 512 << 20
    /// Clocks may differ by so much: milliseconds. Services bear a minute, but the times that
    /// people see come from them, and a clock that is off soon is off by more.
    static let clockTolerance: Int64 = 2000
    /// A follower may be behind by so many events.
    static let lagTolerance: UInt64 = 1000

    /// A follower that has said nothing for longer is told of: a day in milliseconds.
    static let longestSilence: Int64 = 24 * 3600 * 1000
    /// A service has so long to find the others: milliseconds.
    static let settling: Int64 = 10_000

    /// Everything that was found, what is wrong first.
    var findings: [Finding] {
        let all = keyFindings + patients.flatMap { findings(of: $0) }
        return all.filter(\.isWrong) + all.filter { !$0.isWrong }
    }

    private var keyFindings: [Finding] {
        if let keyFailure {
            return [wrong(keyFailure, "put that right; steward keys list shows the key ring")]
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
                        "the key ring has no key of \(name)",
                        "make one where it runs: steward keys add \(name) --role service"))
            } else if entry?.isRevoked == true {
                findings.append(
                    wrong(
                        "the key of \(name) was revoked",
                        "make it a new one: steward keys add \(name) --role service"))
            } else if entry?.role != .service {
                findings.append(
                    wrong(
                        "the key of \(name) has another role than service",
                        "end it with steward keys revoke \(name), then steward keys add"))
            }
        }
        return findings
    }

    private func findings(of patient: Patient) -> [Finding] {
        guard let status = patient.status else { return [absence(of: patient)] }
        return versionFindings(status) + spaceFindings(status) + clockFindings(patient)
            + eventFindings(status)
    }

    private func absence(of patient: Patient) -> Finding {
        let name = patient.service.rawValue
        switch (patient.state, patient.hasListener) {
        case ("not let in", _):
            return wrong(
                "\(name) does not let this program in",
                "its host must know this program's key: steward keys add")
        case ("no answer", _), (_, true):
            return wrong(
                "something is at the address of \(name), but does not answer as it",
                "if it is \(name), end it, so that it is started again; if it is another program, "
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
                "install one version of all programs, and start the service again")
        ]
    }

    private func spaceFindings(_ status: ServiceStatus) -> [Finding] {
        // A service of before does not tell it.
        guard status.storeBytes > 0 else { return [] }
        // A backup needs as much again as the store has.
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
                "let both hosts take their time from a time server (systemd-timesyncd, chrony)")
        ]
    }

    /// How a service's clock differs from ours.
    ///
    /// - Parameter difference: its time minus ours, milliseconds.
    static func clockSentence(_ service: String, _ difference: Int64) -> String {
        let side = difference > 0 ? "ahead of" : "behind"
        return "the clock of \(service) is \(difference.magnitude / 1000) s \(side) the one here"
    }

    private func eventFindings(_ status: ServiceStatus) -> [Finding] {
        var findings: [Finding] = []
        if status.deadLetters > 0 {
            findings.append(
                wrong(
                    "\(status.service) could not apply "
                        + Wording.count(status.deadLetters, "event"),
                    "see why: steward dead-letters list; then retry or drop them"))
        }
        for cursor in status.cursors where cursor.head > cursor.sequence + Self.lagTolerance {
            findings.append(
                careful(
                    "\(status.service) is \(cursor.head - cursor.sequence) events behind "
                        + cursor.producer,
                    "wait and look again; if it does not catch up, its log tells why"))
        }
        for follower in status.followers where now - follower.reported > Self.longestSilence {
            findings.append(
                careful(
                    "\(status.service) keeps events for \(follower.name), which has not asked for "
                        + "them for \(Wording.duration(now - follower.reported))",
                    "start it; if it is gone for good: steward followers forget \(follower.name) "
                        + "--service \(status.service)"))
        }
        for cursor in status.cursors where cursor.heard == 0 {
            // Who has begun just now has heard no one yet.
            let isRunning = patients.contains {
                $0.service.rawValue == cursor.producer && $0.status != nil
            }
            guard isRunning, now - status.started > Self.settling else { continue }
            findings.append(
                wrong(
                    "\(status.service) has not heard \(cursor.producer), which runs",
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
