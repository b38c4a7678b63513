import ArgumentParser
import RideSources

/// Where live positions come from, as it is typed: `gpsd`, `gpsd://host:2947`, `nmea://host:port`,
/// `nmea:/dev/ttyACM0`, `nmea:-` for the standard input, `mqtt://host/topic`, `vehicle:ID@URL`, or
/// `trip:ID@URL`.
struct LivePlace: ExpressibleByArgument, Hashable {
    /// A host and a port of it.
    struct Host: Hashable {
        let name: String
        let port: UInt16
    }

    enum Kind: Hashable {
        case gpsd(Host)
        /// A receiver on the network.
        case nmea(Host)
        /// The path of a file or a serial line; `-` for the standard input.
        case line(String)
        case phone(MQTTTopic)
        case vehicle(VehiclePlace)
    }

    /// The kind of source.
    let kind: Kind
    /// As it was typed.
    let text: String

    init?(argument: String) {
        let form = #/gpsd(?:://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+)(?::([0-9]{1,5}))?)?/#
        let network = #/nmea://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+):([0-9]{1,5})/#
        text = argument
        if let match = argument.wholeMatch(of: form) {
            guard let port = UInt16(match.2 ?? "2947"), port > 0 else { return nil }
            kind = .gpsd(Host(name: Self.bare(match.1 ?? "localhost"), port: port))
        } else if let match = argument.wholeMatch(of: network) {
            guard let port = UInt16(match.2), port > 0 else { return nil }
            kind = .nmea(Host(name: Self.bare(match.1), port: port))
        } else if argument.hasPrefix("nmea:"), !argument.hasPrefix("nmea://"), argument.count > 5 {
            kind = .line(String(argument.dropFirst(5)))
        } else if let topic = MQTTTopic(argument) {
            kind = .phone(topic)
        } else if let vehicle = VehiclePlace(argument) {
            kind = .vehicle(vehicle)
        } else {
            return nil
        }
    }

    /// The same place with a log-in, if it is an MQTT broker.
    func loggedIn(as user: String, _ password: String) -> LivePlace {
        guard case .phone(var topic) = kind else { return self }
        (topic.user, topic.password) = (user, password)
        return LivePlace(kind: .phone(topic), text: text)
    }

    private init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }

    /// How long it may be silent before the next source takes over. Receivers write every second,
    /// phones save their battery, and agencies publish every half minute.
    var silence: Duration {
        switch kind {
        case .gpsd, .nmea, .line: .seconds(10)
        case .phone: .seconds(90)
        case .vehicle: .seconds(120)
        }
    }

    /// Whether its positions may arrive long after they were measured, so that their own time
    /// counts.
    var isDelayed: Bool {
        switch kind {
        case .gpsd, .nmea, .line: false
        case .phone, .vehicle: true
        }
    }

    /// The kind of source, as statistics name it.
    var source: String {
        switch kind {
        case .gpsd: "gpsd"
        case .nmea, .line: "nmea"
        case .phone: "owntracks"
        case .vehicle: "vehicle"
        }
    }

    private static func bare(_ host: Substring) -> String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
