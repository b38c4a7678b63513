import Bus

/// The site that commands without `--site` are about. It belongs to the log-in. The owner of the
/// machine works without a log-in, so there is a separate file for that.
struct KeptSite {
    private let file: PersonalFile<ChosenSite>
    private let logIn: KeptLogIn

    init(_ configuration: Bus.Configuration, _ connection: Connection, _ logIn: KeptLogIn) {
        file = PersonalFile(
            name: "site", of: "your site", cure: "remove it and choose again: steward site use",
            configuration, connection)
        self.logIn = logIn
    }

    /// The kept site; nil for none.
    func chosen() throws -> ChosenSite? {
        if let entry = try logIn.entry() { return entry.site }
        return try file.read()
    }

    /// Keeps a site, or none, from now on.
    func keep(_ site: ChosenSite?) throws {
        if try logIn.keep(site: site) { return }
        try file.locked { kept, _ in kept = site }
    }
}
