import Foundation

/// Asks web-service on this machine, like a browser that has found it by some name.
struct PageProbe {
    /// How long to wait for each part of an answer, in milliseconds.
    private static let patience: Int32 = 5000

    private let host: String
    private let port: UInt16

    /// Finds where web-service listens by its settings; nil if that isn't an IPv4 address and a
    /// port. What listens on all addresses is reached at this machine's own.
    init?(_ settings: [String: String]) {
        let text = settings["STEWARD_WEB_LISTEN"] ?? "127.0.0.1:8093"
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = String(text[..<colon])
        if ["0.0.0.0", "[::]", "localhost"].contains(host) { host = "127.0.0.1" }
        var digits = String(text[colon...].dropFirst())
        if let passed = settings["STEWARD_WEB_PORT"], !passed.isEmpty {
            (host, digits) = ("127.0.0.1", passed)
        }
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1, let port = UInt16(digits), port > 0 else {
            return nil
        }
        (self.host, self.port) = (host, port)
    }

    /// Where it is asked.
    var address: String { "\(host):\(port)" }

    /// Asks whether it is well.
    ///
    /// - Parameter origin: where a browser has found it, such as `https://steward.example.org`.
    /// - Returns: the status of the answer; nil if there is none.
    func status(for origin: String) -> Int? {
        guard let file = Self.connection(to: host, port) else { return nil }
        defer { close(file) }
        let name = origin.components(separatedBy: "://").last ?? origin
        let lines = ["GET /health HTTP/1.1", "Host: \(name)", "Connection: close", "", ""]
        let request = Array(lines.joined(separator: "\r\n").utf8)
        let sent = request.withUnsafeBytes {
            send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { return nil }
        let (beginning, digits) = ("HTTP/1.1 ", 3)
        var answer: [UInt8] = []
        while answer.count < beginning.utf8.count + digits {
            var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, Self.patience) > 0 else { return nil }
            var buffer = [UInt8](
                repeating: 0, count: beginning.utf8.count + digits - answer.count)
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            answer += buffer[..<count]
        }
        let text = String(decoding: answer, as: UTF8.self)
        return text.hasPrefix(beginning) ? Int(text.dropFirst(beginning.count)) : nil
    }

    /// Connects to a port of an IPv4 address.
    ///
    /// - Returns: the descriptor of the connection, which the caller closes; nil if there is none.
    static func connection(to host: String, _ port: UInt16) -> Int32? {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard file >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return file }
        close(file)
        return nil
    }
}
