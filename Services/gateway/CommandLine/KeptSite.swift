import Bus

/// The site that commands without `--site` are about. It belongs to the log-in; without one it has
/// a file of its own, because the owner of the machine works without.
struct KeptSite {
    private let file: PersonalFile<ChosenSite>
    private let logIn: KeptLogIn

    init(_ configuration: Bus.Configuration, _ connection: Connection, _ logIn: KeptLogIn) {
        file = PersonalFile(
            name: "site", of: "your site", cure: "remove it and choose again: steward site use",
            configuration, connection)
        self.logIn = logIn
    }

    /// The site that is kept; nil for none.
    func chosen() throws -> ChosenSite? {
        if let entry = try logIn.entry() { return entry.site }
        return try file.read()
    }

    /// Keeps a site from now on, or none.
    func keep(_ site: ChosenSite?) throws {
        if try logIn.keep(site: site) { return }
        try file.locked { kept, _ in kept = site }
    }
}
