import Bus
import Foundation
import RideFile
import RideTracking

/// A source that writes lines: gpsd, or a receiver.
final class StreamSource: LiveSource {
    enum Language { case gpsd, nmea }

    /// How long to wait before another attempt to connect.
    private static let pause: Duration = .seconds(2)
    /// How long to wait for an address to answer before another attempt.
    private static let patience: Duration = .seconds(10)
    /// The maximum number of bytes that are read at a time.
    private static let mostRead = 64 << 10

    let place: LivePlace
    private(set) var fault: String?
    private(set) var isOver = false
    private let language: Language
    private let host: LivePlace.Host?
    private let path: String
    private var file: Int32 = -1
    private var isConnecting = false
    private var next = ContinuousClock.now
    /// When the attempt to connect began.
    private var begun = ContinuousClock.now
    /// The number of attempts that have failed: each is made to another address of the host.
    private var failures = 0
    private var line: [UInt8] = []
    private var isTooLong = false
    private var nmea = NMEAReader()

    /// - Parameters:
    ///   - place: what was typed.
    ///   - language: the format that it writes.
    ///   - host: where it is on the network; nil for a file.
    ///   - path: the path of a file or a serial line; `-` for the standard input.
    init(_ place: LivePlace, _ language: Language, _ host: LivePlace.Host?, path: String) {
        (self.place, self.language, self.host, self.path) = (place, language, host, path)
    }

    deinit { if file > 2 { close(file) } }

    func newest() -> RideFix? {
        if file < 0 { begin() }
        if isConnecting { finishConnecting() }
        guard file >= 0, !isConnecting, file != STDIN_FILENO || isInputReady else { return nil }
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
        return newest
    }

    /// Whether a read of the standard input would not block. It isn't set to `O_NONBLOCK`, because
    /// that would outlast this program, also for the shell and others on the same terminal.
    private var isInputReady: Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, 0) > 0
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
        return language == .gpsd ? GPSDReport.read(text) : nmea.read(text)
    }

    // MARK: Connections

    private func begin() {
        guard !isOver, ContinuousClock.now >= next else { return }
        guard let host else {
            next = ContinuousClock.now + Self.pause
            return start(path)
        }
        // Look it up without waiting, so that the other sources are read meanwhile.
        Resolver.anyFamily.lookUp(host.name)
        switch Resolver.anyFamily.finding(of: host.name) {
        case .pending: fault = "its address is being looked up"
        case .unknown:
            next = ContinuousClock.now + Self.pause
            fault = "its address can't be found"
        case .found(let addresses):
            next = ContinuousClock.now + Self.pause
            reach(addresses[failures % addresses.count], host.port)
        }
    }

    private func start(_ path: String) {
        (line, isTooLong) = ([], false)
        file =
            path == "-"
            ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        fault = file < 0 ? String(cString: strerror(errno)) : nil
    }

    /// Begins to connect to a numeric address, for which nothing has to be looked up.
    private func reach(_ address: String, _ port: UInt16) {
        (line, isTooLong) = ([], false)
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address, "\(port)", &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard code == 0, let place = found?.pointee else {
            fault = String(cString: gai_strerror(code))
            return
        }
        file = socket(
            place.ai_family,
            Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else {
            (fault, failures) = (String(cString: strerror(errno)), failures + 1)
            return
        }
        Self.probe(file)
        begun = ContinuousClock.now
        let connected = connect(file, place.ai_addr, place.ai_addrlen)
        isConnecting = true
        if connected != 0, errno != EINPROGRESS { _ = end(by: String(cString: strerror(errno))) }
    }

    /// Has a connection probed while nothing arrives: if the host has lost its power or its
    /// network, the connection ends within half a minute, so that another one is made.
    private static func probe(_ file: Int32) {
        let tcp = Int32(IPPROTO_TCP)
        for (level, option, value) in [
            (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, TCP_KEEPIDLE, 10), (tcp, TCP_KEEPINTVL, 5),
            (tcp, TCP_KEEPCNT, 3),
        ] as [(Int32, Int32, Int32)] {
            var value = value
            setsockopt(file, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    private func finishConnecting() {
        var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 0) > 0 else {
            if ContinuousClock.now - begun > Self.patience { _ = end(by: "it doesn't answer") }
            return
        }
        var fault: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(file, SOL_SOCKET, SO_ERROR, &fault, &size)
        guard fault == 0 else { return _ = end(by: String(cString: strerror(fault))) }
        (isConnecting, self.fault) = (false, nil)
        guard language == .gpsd else { return }
        let watch = Array(GPSDReport.watch.utf8)
        if send(file, watch, watch.count, Int32(MSG_NOSIGNAL)) != watch.count {
            _ = end(by: "it doesn't accept the request")
        }
    }

    private func end(by reason: String) -> RideFix? {
        if file > 2 { close(file) }
        if isConnecting { failures += 1 }
        (file, isConnecting, fault) = (-1, false, reason)
        isOver = path == "-"
        return nil
    }
}
