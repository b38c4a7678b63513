import Bus
import Foundation

/// A relay to a server on this machine that is as slow as a radio network: it delays each byte in
/// each direction, and the first bytes of a connection by another round trip, for the handshake.
final class FarAway: Sendable {
    /// The port that the relay listens on.
    let port: Int

    private struct Parcel {
        let due: ContinuousClock.Instant
        let bytes: [UInt8]
    }

    /// One direction of a connection.
    private struct Lane {
        let source: Int32
        let target: Int32
        var parcels: [Parcel] = []
        var hasEnded = false
        /// True once the target knows that the source has ended.
        var isTold = false
    }

    init(to server: Int, delay: Duration) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var own = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 256) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard listener >= 0, isListening else { throw ConfigurationError("no port is free") }
        port = Int(in_port_t(bigEndian: own.sin_port))
        Thread.detachNewThread { Self.run(listener, server, delay) }
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }

    private static func run(_ listener: Int32, _ server: Int, _ delay: Duration) {
        var lanes: [Lane] = []
        while true {
            var states = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            // Ignore directions that have ended.
            states += lanes.map {
                pollfd(fd: $0.hasEnded ? -1 : $0.source, events: Int16(POLLIN), revents: 0)
            }
            let due = lanes.compactMap(\.parcels.first?.due).min()
            let wait = due.map { max(0, ($0 - .now) / .milliseconds(1)) } ?? 1000
            poll(&states, nfds_t(states.count), Int32(wait.rounded(.up)))
            if states[0].revents != 0 { accept(listener, server, delay, &lanes) }
            for index in lanes.indices where index + 1 < states.count {
                if states[index + 1].revents != 0 { take(&lanes[index], delay) }
            }
            for index in lanes.indices { give(&lanes[index]) }
            end(&lanes)
        }
    }

    private static func accept(
        _ listener: Int32, _ server: Int, _ delay: Duration, _ lanes: inout [Lane]
    ) {
        let near = Glibc.accept(listener, nil, nil)
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var there = address(server)
        let code = withUnsafePointer(to: &there) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard near >= 0, code == 0 else { return }
        for file in [near, far] {
            var isOn: Int32 = 1
            setsockopt(
                file, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
        // An empty parcel delays what follows it, by a round trip more than any other bytes.
        let handshake = Parcel(due: ContinuousClock.now + delay * 3, bytes: [])
        lanes.append(Lane(source: near, target: far, parcels: [handshake]))
        lanes.append(Lane(source: far, target: near))
    }

    /// Passes on the end of each direction, and closes connections that have ended in both.
    private static func end(_ lanes: inout [Lane]) {
        let over = Set(lanes.filter { $0.hasEnded && $0.parcels.isEmpty }.map(\.source))
        for file in over where lanes.contains(where: { $0.source == file && !$0.isTold }) {
            for index in lanes.indices where lanes[index].source == file {
                shutdown(lanes[index].target, Int32(SHUT_WR))
                lanes[index].isTold = true
            }
        }
        lanes.removeAll { lane in
            let isOver = over.contains(lane.source) && over.contains(lane.target)
            if isOver { close(lane.source) }
            return isOver
        }
    }

    private static func take(_ lane: inout Lane, _ delay: Duration) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let got = recv(lane.source, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard got > 0 else {
            lane.hasEnded = true
            return
        }
        let due = max(ContinuousClock.now + delay, lane.parcels.last?.due ?? .now)
        lane.parcels.append(Parcel(due: due, bytes: Array(buffer[..<got])))
    }

    private static func give(_ lane: inout Lane) {
        while let parcel = lane.parcels.first, parcel.due <= .now {
            _ = parcel.bytes.withUnsafeBytes {
                send(lane.target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            lane.parcels.removeFirst()
        }
    }
}
