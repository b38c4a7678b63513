import ArgumentParser
import Foundation
import RideFile
import RideTracking

/// Where live positions come from, as it is typed: `gpsd`, `gpsd://host:2947`, `nmea://host:port`,
/// `nmea:/dev/ttyACM0`, or `nmea:-` for the standard input.
struct LivePlace: ExpressibleByArgument, Hashable {
    enum Kind: Hashable {
        case gpsd, nmea
    }

    /// What is read there.
    let kind: Kind
    /// The host and the port; nil for a file.
    let host: (name: String, port: UInt16)?
    /// The path of a file or a serial line; `-` for the standard input.
    let path: String
    /// As it was typed.
    let text: String

    init?(argument: String) {
        let form = #/gpsd(?:://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+)(?::([0-9]{1,5}))?)?/#
        let network = #/nmea://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+):([0-9]{1,5})/#
        text = argument
        if let match = argument.wholeMatch(of: form) {
            guard let port = UInt16(match.2 ?? "2947"), port > 0 else { return nil }
            (kind, path) = (.gpsd, "")
            host = (Self.bare(match.1 ?? "localhost"), port)
        } else if let match = argument.wholeMatch(of: network) {
            guard let port = UInt16(match.2), port > 0 else { return nil }
            (kind, path, host) = (.nmea, "", (Self.bare(match.1), port))
        } else if argument.hasPrefix("nmea:"), !argument.hasPrefix("nmea://"), argument.count > 5 {
            (kind, path, host) = (.nmea, String(argument.dropFirst(5)), nil)
        } else {
            return nil
        }
    }

    private static func bare(_ host: Substring) -> String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
    }

    static func == (one: LivePlace, other: LivePlace) -> Bool { one.text == other.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// One source of live positions. Nothing here waits: it is asked again and again.
final class LiveSource {
    /// How long to wait before another attempt to connect.
    private static let pause: Duration = .seconds(2)
    /// The most that is read at a time, in bytes.
    private static let mostRead = 64 << 10

    let place: LivePlace
    /// When its newest position arrived; nil before the first.
    private(set) var heard: ContinuousClock.Instant?
    /// Why nothing can be read from it; nil while something can.
    private(set) var fault: String?
    /// True once nothing more will come: the end of the standard input or of a file.
    private(set) var isOver = false
    private var file: Int32 = -1
    private var isConnecting = false
    private var next = ContinuousClock.now
    private var line: [UInt8] = []
    private var isTooLong = false
    private var nmea = NMEAReader()

    init(_ place: LivePlace) { self.place = place }

    deinit { if file > 2 { close(file) } }

    /// The newest position that has arrived since the last call; nil if none has.
    func newest() -> RideFix? {
        if file < 0 { begin() }
        if isConnecting { finishConnecting() }
        guard file >= 0, !isConnecting else { return nil }
        var buffer = [UInt8](repeating: 0, count: Self.mostRead)
        let count = read(file, &buffer, buffer.count)
        if count == 0 { return end(by: "it has closed the connection") }
        guard count > 0 else {
            return errno == EAGAIN || errno == EINTR
                ? nil : end(by: String(cString: strerror(errno)))
        }
        var newest: RideFix?
        for byte in buffer[..<count] {
            if let fix = take(byte) { newest = fix }
        }
        if newest != nil { heard = ContinuousClock.now }
        return newest
    }

    // MARK: Lines

    private func take(_ byte: UInt8) -> RideFix? {
        guard byte == 10 || byte == 13 else {
            isTooLong = isTooLong || line.count == GPSDReport.longestReport
            if !isTooLong { line.append(byte) }
            return nil
        }
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        guard !isTooLong, !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
            return nil
        }
        return place.kind == .gpsd ? GPSDReport.read(text) : nmea.read(text)
    }

    // MARK: Connections

    private func begin() {
        guard !isOver, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + Self.pause
        (line, isTooLong) = ([], false)
        guard let host = place.host else {
            file =
                place.path == "-"
                ? 0 : open(place.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if file == 0 { _ = fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK) }
            fault = file < 0 ? String(cString: strerror(errno)) : nil
            return
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host.name, "\(host.port)", &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard code == 0, let address = found?.pointee else {
            fault = String(cString: gai_strerror(code))
            return
        }
        file = socket(
            address.ai_family,
            Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return }
        let connected = connect(file, address.ai_addr, address.ai_addrlen)
        isConnecting = true
        if connected != 0, errno != EINPROGRESS { _ = end(by: String(cString: strerror(errno))) }
    }

    private func finishConnecting() {
        var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 0) > 0 else { return }
        var fault: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(file, SOL_SOCKET, SO_ERROR, &fault, &size)
        guard fault == 0 else { return _ = end(by: String(cString: strerror(fault))) }
        (isConnecting, self.fault) = (false, nil)
        guard place.kind == .gpsd else { return }
        let watch = Array(GPSDReport.watch.utf8)
        if send(file, watch, watch.count, Int32(MSG_NOSIGNAL)) != watch.count {
            _ = end(by: "it takes no request")
        }
    }

    private func end(by reason: String) -> RideFix? {
        if file > 2 { close(file) }
        (file, isConnecting, fault) = (-1, false, reason)
        isOver = place.path == "-"
        return nil
    }
}
