import Bus
import Messages
import TestSupport

/// Adds sites to an organisation, and one area after another to the last of them.
final class Administrator: Occupation {
    /// An organisation has at most a thousand sites, and a site at most 200 areas.
    private static let most = (sites: 300, areas: 150)

    let service = ServiceName.account
    private var sites = 1
    private var areas: [String] = []
    private var newest = ""
    private var isSite = false
    private var number = 0

    func next() -> (any ProtobufMessage)? {
        number += 1
        isSite = sites < Self.most.sites && (newest.isEmpty || number % 4 == 0)
        if isSite {
            newest = "Site \(number)"
            areas = []
            return CreateSite(name: newest, timeZone: "Europe/Oslo")
        }
        // Add one area and remove one; neither may happen twice.
        let removed = areas.count < Self.most.areas ? [] : [areas[0]]
        return ChangeSite(site: newest, addedAreas: ["area \(number)"], removedAreas: removed)
    }

    func take(_ answer: Envelope, to id: MessageID) throws {
        let organisation = try answer.message(Organisation.self)
        if isSite {
            sites += 1
        } else {
            if areas.count >= Self.most.areas { areas.removeFirst() }
            areas.append("area \(number)")
        }
        guard organisation.sites.map(\.name) == [newest],
            organisation.sites[0].areas == areas.sorted()
        else { throw Complaint("\(newest) with \(areas) is \(organisation.sites)") }
    }

    func inspect(_ system: System, _ client: Client) throws {
        // checklist-service learns the sites from the events of account-service.
        let told = try client.ask(
            ListOrganisations(), for: Organisations.self, deadline: .seconds(3000)
        ).organisations.flatMap(\.sites)
        guard told.count == sites, Set(told.map(\.name)).count == sites else {
            throw Complaint("\(sites) sites were made, and \(told.count) are there")
        }
        let wanted = Set(told.map { $0.packed().map { String($0, radix: 16) }.joined() })
        try eventually("checklist-service knows all sites", within: .seconds(300)) {
            Set(try system.query(.checklist, "SELECT site FROM site").map { $0[0] }) == wanted
        }
    }
}
