import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// `steward site`
struct SiteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "site", abstract: "The places of an organisation, and which one you work at.",
        subcommands: [
            List.self, Show.self, Add.self, Change.self, Use.self, SiteSettingsCommand.self,
            Report.self,
        ])

    /// `steward site list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the sites of the organisations that you may see.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let organisations = try session.organisations()
            if output.json {
                return try session.printer.json(.sites, organisations.flatMap(\.sites))
            }
            guard organisations.contains(where: { !$0.sites.isEmpty }) else {
                return session.printer.remark("there are none; add one: steward site add NAME")
            }
            let kept = try session.keptSite.chosen()
            var table = TextTable([
                .text("NAME"), .text("ZONE"), .text("AREAS"), .text("ORGANISATION"), .id("ID"),
                .text(""),
            ])
            for one in organisations {
                for site in one.sites {
                    table.add([
                        .init(site.name.printable), .init(site.timeZone),
                        .init(site.areas.joined(separator: ", ").printable),
                        .init(one.name.printable), .init(site.id),
                        .init(site.id == kept?.id ? "in use" : "", .dim),
                    ])
                }
            }
            session.printer.table(table)
        }
    }

    /// `steward site show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a site: its time, its areas and who works there.")

        @Argument(help: "Its name or id. Default: the one in use.")
        var name: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let chosen = try SiteOption.site(named: name, session)
            guard let site = try session.sites().first(where: { $0.id == chosen.id }) else {
                throw Failure(
                    .refused, "“\(chosen.name.printable)” is no longer a site",
                    advice: "see the sites: steward site list")
            }
            if output.json { return try session.printer.json(.sites, [site]) }
            let printer = session.printer
            printer.result("name     \(site.name.printable)")
            printer.result("id       \(site.id)")
            let now = Wording.time(WallClock.milliseconds(), in: site.timeZone)
            printer.result("zone     \(site.timeZone), now \(now)")
            let areas = site.areas.joined(separator: ", ").printable
            printer.result("areas    \(areas.isEmpty ? "none" : areas)")
            let query = ListAccounts(site: site.id, organisation: chosen.organisation)
            for account in try session.accounts(query) {
                let roles = account.grants.filter { $0.site == site.id }.map { grant in
                    RoleArgument.word(grant.role)
                        + (grant.area.isEmpty ? "" : " in \(grant.area.printable)")
                }
                printer.result(
                    "user     \(account.name.printable): \(roles.joined(separator: "; "))")
            }
        }
    }

    /// `steward site add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a site.")

        @Argument(help: "Its name.")
        var name: String
        @Option(help: "Its time zone, e.g. Europe/Berlin. Default: the one of this machine.")
        var zone: String?
        @Option(name: .customLong("area"), help: "One of its areas; may be given several times.")
        var areas: [String] = []
        @Option(help: "Another organisation: its name or id.")
        var organisation: String?
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let zone = zone ?? TimeZone.current.identifier
            let reply = try session.ask(
                .account,
                CreateSite(
                    organisation: organisation ?? "", name: name, timeZone: zone, areas: areas),
                for: Organisation.self, repeating: repeating)
            let added = reply.sites.first {
                ChosenSite(id: $0.id, name: $0.name, organisation: "").isCalled(name)
            }
            guard let site = added ?? reply.sites.last else { return }
            if output.json { return try session.printer.json(.sites, [site]) }
            session.printer.result("\(site.name.printable) is a site, in the zone \(site.timeZone)")
        }
    }

    /// `steward site change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Changes a site's name, time zone or areas.")

        @Argument(help: "Its name or id.", completion: Offered.sites)
        var name: String
        @Option(help: "Its new name.")
        var rename: String?
        @Option(help: "Its new time zone.")
        var zone: String?
        @Option(help: "An area to add; may be given several times.")
        var addArea: [String] = []
        @Option(help: "An area to remove; may be given several times.", completion: Offered.areas)
        var removeArea: [String] = []
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if rename == nil, zone == nil, addArea.isEmpty, removeArea.isEmpty {
                throw ValidationError("say what to change; see steward site change --help")
            }
        }

        func run() throws {
            let session = try Session()
            let chosen = try SiteOption.site(named: name, session)
            let reply = try session.ask(
                .account,
                ChangeSite(
                    organisation: chosen.organisation, site: chosen.id, name: rename ?? "",
                    timeZone: zone ?? "", addedAreas: addArea, removedAreas: removeArea),
                for: Organisation.self, repeating: repeating)
            guard let site = reply.sites.first(where: { $0.id == chosen.id }) else { return }
            if try session.keptSite.chosen()?.id == site.id {
                try session.keptSite.keep(
                    ChosenSite(id: site.id, name: site.name, organisation: reply.id))
            }
            if output.json { return try session.printer.json(.sites, [site]) }
            let areas = site.areas.joined(separator: ", ").printable
            session.printer.result(
                "\(site.name.printable): \(site.timeZone), areas: \(areas.isEmpty ? "none" : areas)"
            )
        }
    }

    /// `steward site use`
    struct Use: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Chooses the site for commands that name none.")

        @Argument(help: "Its name or id.", completion: Offered.sites)
        var name: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let site = try YourSites(session).named(name)
            try session.keptSite.keep(site)
            if output.json { return try session.printer.json(.sites, [site]) }
            session.printer.result("you work at \(site.name.printable) now")
        }
    }
}
