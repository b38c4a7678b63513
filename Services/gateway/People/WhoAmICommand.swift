import ArgumentParser
import Bus
import Messages
import Speech

/// `steward whoami`
struct WhoAmICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Shows who you are and what you may do.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let account = try session.ask(.account, WhoAmI(), for: Account.self)
        let site = try session.keptSite.chosen()
        guard !output.json else {
            return try session.printer.json(.accounts, [Report(account: account, site: site)])
        }
        session.printer.result("\(account.name.printable) (\(account.displayName.printable))")
        if !account.email.isEmpty { session.printer.result("  \(account.email.printable)") }
        let names = try SiteNames(session)
        for grant in account.grants { session.printer.result("  \(names.line(grant))") }
        let isNamed = !account.caresFor.isEmpty || !account.proposedCarers.isEmpty
        let known = isNamed ? try UserCommand.names(session) : [:]
        for other in account.caresFor {
            session.printer.result("  cares for \(known[other] ?? other)")
        }
        for other in account.proposedCarers {
            session.printer.result("  \(known[other] ?? other) is proposed as your carer")
        }
        if let site {
            session.printer.result("  works at \(site.name.printable) now")
        }
        if try session.keptLogIn.entry() == nil {
            session.printer.remark("without a log-in you are the owner of this machine")
        }
    }

    /// The fields of the account, and the site where the person works now.
    private struct Report: Encodable {
        let account: Account
        let site: ChosenSite?

        private enum CodingKeys: CodingKey { case site }

        func encode(to encoder: any Encoder) throws {
            try account.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(site, forKey: .site)
        }
    }
}
