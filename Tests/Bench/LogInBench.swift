import Bus
import Foundation
import Messages

/// Whether the time of a refused log-in reveals if the name exists. Both cases alternate, so that
/// other work on the machine affects both alike.
enum LogInBench {
    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let service = try Child("account-service", scratch)
        let client = try Client(scratch.connection(), to: .account, isPatient: true)
        let invitation = try client.ask(Invite(), for: Invitation.self)
        _ = try client.ask(
            SignUp(
                name: "known", password: "correct horse battery", invitation: invitation.code),
            for: Account.self)

        var times: [String: Samples] = ["known": Samples(), "unknown": Samples()]
        let store = "\(scratch.directory)/\(ServiceName.account.rawValue).sqlite"
        for round in 0..<60 {
            // Failed attempts must not cause waits here.
            BareSQLite.run(store, "DELETE FROM failure")
            for name in round % 2 == 0 ? ["known", "unknown"] : ["unknown", "known"] {
                let taken = try ContinuousClock().measure { try refused(client, name) }
                times[name]?.add(taken)
            }
        }
        service.stop()
        let known = times["known"]?.percentile(0.5) ?? .nan
        let unknown = times["unknown"]?.percentile(0.5) ?? .nan
        figures.add(
            "log-in refused, the slower of two reasons", max(known, unknown) / 1000, "ms",
            goal: .atMostTimes(1.1),
            reference: ("ms, the other (known/unknown name)", min(known, unknown) / 1000))
    }

    private static func refused(_ client: Client, _ name: String) throws {
        do {
            _ = try client.ask(LogIn(name: name, password: "a wrong one"), for: LoggedIn.self)
        } catch ClientError.refused(let refusal) where refusal.code == .forbidden {
            return
        }
        throw ConfigurationError("\(name) was let in with a wrong password")
    }
}
