import Bus
import Foundation
import Messages
import ServiceRuntime

/// Where Steward's own pages are, by the settings of web-service. They accept no alerts, so a
/// channel that leads there could never deliver one.
struct StewardPages {
    /// A port of a host, whose name is in lower case and without brackets.
    private struct Place: Hashable {
        let host: String
        let port: Int
    }

    /// The port of the pages if no setting says another one.
    private static let usualPort = 8093

    private let origins: Set<Place>
    /// The ports at which this machine has them.
    private let ports: Set<Int>
    /// The hosts that the operator lets channels reach. A proxy there may have other programs under
    /// other paths.
    private let allowed: AllowedHosts

    /// Reads the settings. One that can't be read is web-service's to report.
    init(_ settings: [String: String]) {
        allowed = AllowedHosts(settings, AllowedHosts.ofChannels)
        var origins: Set<Place> = Set(
            (settings["STEWARD_WEB_ORIGIN"] ?? "").split(separator: " ").compactMap { text in
                guard let parts = URLComponents(string: String(text)), let host = parts.host else {
                    return nil
                }
                return Place(
                    host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
                        .lowercased(),
                    port: parts.port ?? Self.port(isEncrypted: parts.scheme == "https"))
            })
        let listen = settings["STEWARD_WEB_LISTEN"]?.split(separator: ":").last
        let port = listen.flatMap { Int($0) } ?? Self.usualPort
        // In a container network each service is on a host of its own name.
        origins.insert(Place(host: ServiceName.web.rawValue, port: port))
        self.origins = origins
        ports = Set([port] + [settings["STEWARD_WEB_PORT"].flatMap { Int($0) }].compactMap(\.self))
    }

    /// True if an address leads to them.
    func contains(_ address: ChannelAddress) -> Bool {
        let port = address.port ?? Self.port(isEncrypted: address.isEncrypted)
        if Self.isHere(address.host), ports.contains(port) { return true }
        return origins.contains(Place(host: address.host, port: port))
            && !allowed.contains(address.host)
    }

    /// True for an address of this machine. A connection to the address that stands for all of a
    /// machine's leads to the machine itself.
    fileprivate static func isHere(_ host: String) -> Bool {
        BusAddress.isLoopback(host) || host == "0.0.0.0" || host == "::"
    }

    private static func port(isEncrypted: Bool) -> Int { isEncrypted ? 443 : 80 }
}

extension AlertChannel {
    /// Refuses a channel that leads to Steward itself.
    func validate(apartFrom pages: StewardPages) throws(Refusal) {
        let address = try ChannelAddress(address)
        guard !address.isBroker, pages.contains(address) else { return }
        // On this machine, a port belongs to one program.
        let way =
            StewardPages.isHere(address.host)
            ? ""
            : "; if another program gets them there, the operator can allow its host: "
                + "\(AllowedHosts.ofChannels)=\(address.host)"
        throw .invalid(
            "“\(address.text.prefix(100))” leads to Steward's own pages, which accept no alerts; "
                + "write the address of the server that is to get them" + way)
    }
}
