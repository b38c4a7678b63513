import Foundation
import Messages
import TestThreads
import Testing

@testable import Gateway

/// What a person is told of the positions of a ride.
@Suite(.waiting) struct LiveRideTests {
    /// Monday, 2026-03-16, 12:00:00 UTC.
    private static let noon: Int64 = 1_773_662_400_000

    /// A receiver on a line that is written to as long as it exists.
    private final class Receiver {
        let path: String
        let place: LivePlace
        private let folder: URL
        private let line: Int32

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "ride-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = folder.appending(path: "line").path
            try #require(mkfifo(path, 0o600) == 0)
            let line = open(path, O_RDWR)
            try #require(line >= 0)
            place = try #require(LivePlace(argument: "nmea:\(path)"))
            (self.folder, self.path, self.line) = (folder, path, line)
        }

        deinit {
            close(line)
            do { try FileManager.default.removeItem(at: folder) } catch { print(error) }
        }

        /// Sends a position of a time of day, such as `120001`, with a dilution of precision: each
        /// is 5 m.
        func receive(_ clock: String, dilution: Int = 1) {
            let quality = sentence(
                "GPGGA,\(clock).00,5418.00,N,01006.00,E,1,05,\(dilution).0,,M,,M,,")
            let fix = sentence("GPRMC,\(clock).00,A,5418.00,N,01006.00,E,0.0,,160326,,,A")
            let bytes = Array((quality + fix).utf8)
            #expect(write(line, bytes, bytes.count) == bytes.count)
        }

        /// A sentence with its checksum.
        private func sentence(_ body: String) -> String {
            let sum = body.utf8.reduce(0, ^)
            return "$\(body)*" + String(format: "%02X", Int(sum)) + "\r\n"
        }
    }

    @Test func `a source whose positions are too coarse gives way to the next, and is told once`()
        throws
    {
        let (coarse, other) = (try Receiver(), try Receiver())
        var said: [String] = []
        let ride = LiveRide([coarse.place, other.place], origin: Self.noon, speed: 1) {
            said.append($0)
        }

        var sent: [Fix] = []
        for second in 1...30 {
            let clock = "1200" + String(format: "%02d", second)
            coarse.receive(clock, dilution: 21)
            other.receive(clock, dilution: 20)
            sent += ride.take(after: .seconds(second))
        }

        #expect(!sent.isEmpty && sent.allSatisfy { $0.accuracy == 1_000 })
        #expect(
            said == [
                "positions come from nmea:\(other.path)",
                "nmea:\(coarse.path) doesn't count: its positions are too coarse",
            ])
    }

    @Test func `a ride with only coarse positions says that it has no alarm, and reports them`()
        throws
    {
        let coarse = try Receiver()
        var said: [String] = []
        let ride = LiveRide([coarse.place], origin: Self.noon, speed: 1) { said.append($0) }
        ride.note(Journey(stage: .riding))

        var sent: [Fix] = []
        for second in 1...30 {
            coarse.receive("1200" + String(format: "%02d", second), dilution: 99)
            sent += ride.take(after: .seconds(second))
        }

        // The service alerts whoever doesn't look at the terminal.
        #expect(sent.map(\.time) == [1, 14, 27].map { Self.noon + $0 * 1_000 })
        #expect(sent.allSatisfy { $0.accuracy == 4_950 })
        #expect(ride.kind == "nmea")
        #expect(
            said == [
                "there are no positions (nmea:\(coarse.path): its positions are too coarse); "
                    + "there is no alarm until a position comes"
            ])
    }

    @Test func `a better source that comes back with old positions gives way to the next one`()
        throws
    {
        let (better, other) = (try Receiver(), try Receiver())
        let ride = LiveRide([better.place, other.place], origin: Self.noon, speed: 1) { _ in }
        func clock(_ second: Int) -> String {
            let time = 12 * 3_600 + second
            return String(format: "%02d%02d%02d", time / 3_600, time / 60 % 60, time % 60)
        }

        var sent: [Fix] = []
        for second in 1...50 {
            // Its clock is 40 seconds behind.
            if second > 5 { better.receive(clock(second - 40)) }
            other.receive(clock(second))
            sent += ride.take(after: .seconds(second))
        }

        let times = sent.map { ($0.time - Self.noon) / 1_000 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 15 })
        #expect(try #require(times.last) > 37)
    }

    @Test func `reading the standard input neither waits nor changes it for other programs`() throws
    {
        let place = try #require(LivePlace(argument: "nmea:-"))
        let before = fcntl(STDIN_FILENO, F_GETFL)
        let source = place.makeSource(speed: 1)

        for _ in 1...3 { #expect(source.newest() == nil) }

        #expect(fcntl(STDIN_FILENO, F_GETFL) == before)
    }

    @Test func `a source whose clock has gone back doesn't count, and the person is told once`()
        throws
    {
        let receiver = try Receiver()
        let path = receiver.path
        var said: [String] = []
        let ride = LiveRide([receiver.place], origin: Self.noon, speed: 1) { said.append($0) }
        let receive = { (clock: String) in receiver.receive(clock) }

        receive("120001")
        #expect(ride.take(after: .seconds(1)).map(\.time) == [Self.noon + 1_000])
        #expect(said == ["positions come from nmea:\(path)"])
        receive("115940")
        #expect(ride.take(after: .seconds(5)).isEmpty)
        #expect(ride.take(after: .seconds(14)).isEmpty)
        #expect(said.count == 1)
        for second in 15...20 { #expect(ride.take(after: .seconds(second)).isEmpty) }
        #expect(
            said.dropFirst() == [
                "nmea:\(path) doesn't count: its positions are no newer than the last one, perhaps "
                    + "because its clock is wrong; the alarm goes on by estimate"
            ])
    }

    // MARK: Connections

    /// A port of this machine at which something listens, by IPv4 only.
    private final class Listener {
        let port: Int
        private let file: Int32

        init() throws {
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            var size = length
            let isListening = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(file, $0, length) == 0 && listen(file, 4) == 0
                        && getsockname(file, $0, &size) == 0
                }
            }
            (self.file, port) = (file, Int(UInt16(bigEndian: address.sin_port)))
            try #require(isListening)
        }

        deinit { close(file) }
    }

    /// Whether something becomes true within three minutes, for the machine may be busy.
    private func becomesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + .seconds(180)
        while ContinuousClock.now < end {
            if try condition() { return true }
            poll(nil, 0, 10)
        }
        return false
    }

    @Test func `a connection to a receiver is probed while nothing arrives`() throws {
        let listener = try Listener()
        let place = try #require(LivePlace(argument: "nmea://127.0.0.1:\(listener.port)"))
        let source = place.makeSource(speed: 1)
        let port = String(format: ":%04X", listener.port)

        // The kernel's table has the other side of a connection, its state and its timer; 02 is the
        // timer of the probes.
        let isProbed = try becomesTrue {
            _ = source.newest()
            // Of such a file, String reads only the first page.
            let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/net/tcp"))
            let text = String(decoding: try table.readToEnd() ?? Data(), as: UTF8.self)
            return text.split(separator: "\n").contains { line in
                let fields = line.split(separator: " ")
                return fields.count > 5 && fields[2].hasSuffix(port) && fields[3] == "01"
                    && fields[5].hasPrefix("02:")
            }
        }

        #expect(isProbed)
        #expect(source.fault == nil)
        withExtendedLifetime(listener) {}
    }

    /// Whether the name `localhost` also has an address of IPv6, at which a program that listens by
    /// IPv4 isn't found.
    private static let hasSeveralAddresses: Bool = {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo("localhost", nil, &hints, &list) == 0 else { return false }
        defer { freeaddrinfo(list) }
        return list?.pointee.ai_next != nil
    }()

    @Test(.enabled(if: hasSeveralAddresses, "localhost has one address"))
    func `a receiver is found at any address of its host`() throws {
        let listener = try Listener()
        let place = try #require(LivePlace(argument: "nmea://localhost:\(listener.port)"))
        let source = place.makeSource(speed: 1)

        let isConnected = becomesTrue {
            _ = source.newest()
            return source.fault == nil
        }

        #expect(isConnected)
        withExtendedLifetime(listener) {}
    }

    // MARK: Vehicles

    @Test(arguments: [(false, [1, 2]), (true, [1, 1, 2])] as [(Bool, [Double])])
    func `a place that an agency repeats without its time isn't a new position`(
        isTimed: Bool, degrees: [Double]
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ride-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { print(error) }
        }
        let feed = folder.appending(path: "vehicles.pb")
        func publish(at latitude: Float, _ time: UInt64) throws {
            let vehicle = VehiclePosition(
                position: VehiclePlacement(latitude: latitude, longitude: 1),
                timestamp: isTimed ? time : 0, vehicle: VehicleName(id: "a"))
            let whole = VehicleFeed(
                header: FeedHeader(timestamp: time), entity: [FeedEntity(vehicle: vehicle)])
            try Data(whole.packed()).write(to: feed, options: .atomic)
        }
        let place = try #require(LivePlace(argument: "vehicle:a@\(feed.path)"))
        try publish(at: 1, 1_763_715_600)
        let source = place.makeSource(speed: 1_000)
        var found: [Double] = []
        func finds(_ count: Int, within limit: Duration = .seconds(30)) -> Bool {
            let end = ContinuousClock.now + limit
            while found.count < count, ContinuousClock.now < end {
                if let fix = source.newest() { found.append(fix.position.latitude) }
                poll(nil, 0, 10)
            }
            return found.count >= count
        }
        #expect(finds(1))

        try publish(at: 1, 1_763_715_630)
        // The feed is read every tenth of a second.
        #expect(finds(2, within: .seconds(isTimed ? 30 : 1)) == isTimed)
        try publish(at: 2, 1_763_715_660)

        #expect(finds(degrees.count))
        #expect(found == degrees)
    }
}
