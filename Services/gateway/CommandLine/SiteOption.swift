import ArgumentParser
import Foundation
import Messages

/// The site that a command is about: the one named by the option, else the kept one, else the only
/// one there is.
struct SiteOption: ParsableArguments {
    @Option(
        name: .customLong("site"),
        help: """
            The site: its name or id. Default: the one that you logged in to or chose with \
            steward site use.
            """, completion: Offered.sites)
    var named: String?

    /// The site that is meant. Asks account-service only if it isn't the kept one.
    ///
    /// - Throws: ``Failure`` naming the sites, if there is none, or there are several and none is
    ///   chosen.
    func site(_ session: Session) throws -> ChosenSite {
        try Self.site(named: named, session)
    }

    /// The same for a site that another option or argument names; nil for none.
    static func site(named: String?, _ session: Session) throws -> ChosenSite {
        let kept = try session.keptSite.chosen()
        guard let named else { return try kept ?? YourSites(session).only() }
        if let kept, kept.isCalled(named) { return kept }
        return try YourSites(session).named(named)
    }
}
