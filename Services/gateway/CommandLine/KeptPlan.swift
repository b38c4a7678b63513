import Bus
import Messages

/// A plan as commands keep it.
struct ChosenPlan: Codable, Hashable {
    /// Its id.
    let id: String
    /// Its name, when it was chosen.
    let name: String
    /// The name of the account that chose it; empty for the owner of the machine.
    let by: String
}

/// The plan that commands without `--plan` are about. Each account has its own.
struct KeptPlan {
    private let file: PersonalFile<[ChosenPlan]>
    private let logIn: KeptLogIn

    init(_ configuration: Bus.Configuration, _ connection: Connection, _ logIn: KeptLogIn) {
        file = PersonalFile(
            name: "plan", of: "your plan", cure: "remove it and choose again: steward plan use",
            configuration, connection)
        self.logIn = logIn
    }

    /// The plan that is in use; nil for none.
    func chosen() throws -> ChosenPlan? {
        let name = try account
        return try file.read()?.first { $0.by == name }
    }

    /// Makes a plan the one in use.
    func keep(_ plan: Messages.Plan) throws {
        let name = try account
        try file.locked { kept, _ in
            let others = (kept ?? []).filter { $0.by != name }
            kept = others + [ChosenPlan(id: plan.id, name: plan.name, by: name)]
        }
    }

    /// Forgets a plan that is gone.
    func forget(_ id: String) throws {
        guard try file.read()?.contains(where: { $0.id == id }) == true else { return }
        try file.locked { kept, _ in kept?.removeAll { $0.id == id } }
    }

    private var account: String { get throws { try logIn.entry()?.name ?? "" } }
}
