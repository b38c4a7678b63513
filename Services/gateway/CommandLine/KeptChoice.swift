import Bus
import Messages

/// A plan or a project as commands keep it.
struct ChosenThing: Codable, Hashable {
    /// Its id.
    let id: String
    /// Its name, when it was chosen.
    let name: String
    /// The name of the account that chose it; empty for the owner of the machine.
    let by: String
}

/// The plan or the project for commands that name none; each account has its own.
struct KeptChoice {
    private let file: PersonalFile<[ChosenThing]>
    private let logIn: KeptLogIn

    /// The kept choice for a noun such as `plan`, which is also the command that chooses it.
    init(
        _ noun: String, _ configuration: Bus.Configuration, _ connection: Connection,
        _ logIn: KeptLogIn
    ) {
        file = PersonalFile(
            name: noun, of: "your \(noun)",
            cure: "remove it and choose again: steward \(noun) use",
            configuration, connection)
        self.logIn = logIn
    }

    /// The plan or project in use; nil if there is none.
    func chosen() throws -> ChosenThing? {
        let name = try account
        return try file.read()?.first { $0.by == name }
    }

    /// Puts something into use.
    func keep(id: String, name: String) throws {
        let account = try account
        try file.locked { kept, _ in
            let others = (kept ?? []).filter { $0.by != account }
            kept = others + [ChosenThing(id: id, name: name, by: account)]
        }
    }

    /// Forgets a plan or project that no longer exists.
    func forget(_ id: String) throws {
        guard try file.read()?.contains(where: { $0.id == id }) == true else { return }
        try file.locked { kept, _ in kept?.removeAll { $0.id == id } }
    }

    private var account: String { get throws { try logIn.entry()?.name ?? "" } }
}
