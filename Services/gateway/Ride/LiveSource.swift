import Bus
import RideFile
import RideSources
import RideTracking

/// One source of live positions. Nothing here waits: it is asked again and again.
protocol LiveSource: AnyObject {
    /// Where it is.
    var place: LivePlace { get }
    /// Why nothing can be read from it; nil while something can.
    var fault: String? { get }
    /// True once nothing more will come: the end of the standard input or of a file.
    var isOver: Bool { get }
    /// The newest position that has arrived since the last call; nil if none has.
    func newest() -> RideFix?
}

extension LivePlace {
    /// Makes the source that reads from there.
    ///
    /// - Parameter speed: how many times faster than real time the source is.
    func makeSource(speed: UInt32) -> any LiveSource {
        switch kind {
        case .gpsd(let host): StreamSource(self, .gpsd, host, path: "")
        case .nmea(let host): StreamSource(self, .nmea, host, path: "")
        case .line(let path): StreamSource(self, .nmea, nil, path: path)
        case .phone(let topic): PhoneSource(self, topic)
        case .vehicle(let vehicle): VehicleSource(self, vehicle, speed: speed)
        }
    }
}

/// A phone that publishes its position with OwnTracks.
final class PhoneSource: LiveSource {
    /// The maximum age of a position that the broker has retained, in milliseconds.
    private static let oldest: Int64 = 60_000

    let place: LivePlace
    private let subscription: MQTTSubscription
    private var isEncrypted = false

    init(_ place: LivePlace, _ topic: MQTTTopic) {
        self.place = place
        subscription = MQTTSubscription(topic, longest: OwnTracksReport.longest)
    }

    var isOver: Bool { false }
    var fault: String? {
        subscription.fault
            ?? (isEncrypted ? "its messages are encrypted; turn that off in OwnTracks" : nil)
    }

    func newest() -> RideFix? {
        var newest: RideFix?
        for message in subscription.newest() {
            switch OwnTracksReport.read(message.payload) {
            case .position(let fix):
                isEncrypted = false
                // A retained position says where the phone was, perhaps yesterday.
                let isOld = fix.time < WallClock.milliseconds() - Self.oldest
                if !message.isKept || !isOld { newest = fix }
            case .encrypted: isEncrypted = true
            case .other: break
            }
        }
        return newest
    }
}

/// A vehicle that its agency watches.
final class VehicleSource: LiveSource {
    let place: LivePlace
    private let watch: FeedWatch<VehicleSighting>
    private var last: VehicleSighting?

    init(_ place: LivePlace, _ vehicle: VehiclePlace, speed: UInt32) {
        self.place = place
        let interval = max(.milliseconds(100), FeedPause.usual / Int(speed))
        watch = FeedWatch(vehicle.feed, isFile: vehicle.isFile, interval: interval) {
            try VehicleReport.position(of: vehicle, in: $0)
        }
    }

    var isOver: Bool { false }
    var fault: String? { watch.fault }

    func newest() -> RideFix? {
        // A regenerated feed may have the same position.
        guard let seen = watch.newest(), seen.fix.time != last?.fix.time else { return nil }
        // Without a time of its own, it may repeat a position for long after the vehicle was lost,
        // which would put off the alarm as if the vehicle stood there.
        if !seen.isTimed, seen.fix.position == last?.fix.position { return nil }
        last = seen
        return seen.fix
    }
}
