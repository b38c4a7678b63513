import Messages
import RideTracking

/// A vehicle, as a GTFS-Realtime feed reports it.
package struct VehicleSighting: Hashable, Sendable {
    /// Where it was, and when.
    package let fix: RideFix
    /// Whether the feed says when the place was measured. Otherwise the time is that at which the
    /// feed was made, and the place may be from long before.
    package let isTimed: Bool
}

/// Where a vehicle is, according to a GTFS-Realtime feed.
package enum VehicleReport {
    /// The largest feed that is read, in bytes: all vehicles of the largest agencies take 2 MiB.
    package static let largest = 16 << 20
    static let limits = UnpackLimits(maximumSize: largest, maximumMemory: 128 << 20)

    /// Why a feed gives no position: a clause for a person.
    package struct Lack: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// The newest position of a vehicle in a packed feed.
    ///
    /// - Throws: ``Lack`` when the feed can't be read or doesn't have the vehicle.
    package static func position(
        of place: VehiclePlace, in bytes: [UInt8]
    ) throws(Lack) -> VehicleSighting {
        let feed: VehicleFeed
        do throws(ProtobufError) {
            feed = try VehicleFeed(unpacking: bytes, limits: Self.limits)
        } catch {
            throw Lack(description: "this isn't a GTFS-Realtime feed that can be read: \(error)")
        }
        let vehicles = feed.entity.filter { !$0.isDeleted }.compactMap(\.vehicle)
        guard !vehicles.isEmpty else { throw Lack(description: "the feed has no vehicles now") }
        let chosen = Self.chosen(place, among: vehicles)
        guard !chosen.isEmpty else {
            let name = place.kind == .trip ? "no vehicle on trip" : "no vehicle"
            throw Lack(
                description: "the feed has \(name) \(place.id) now, of \(vehicles.count) vehicles")
        }
        let seen = chosen.compactMap { sighting($0, feed.header?.timestamp ?? 0) }
        guard let newest = seen.max(by: { $0.fix.time < $1.fix.time }) else {
            throw Lack(description: "the vehicle is in the feed without a place or a time")
        }
        guard place.kind == .vehicle || !seen.contains(where: { isAnother($0, than: newest) })
        else {
            throw Lack(
                description: "several vehicles are on trip \(place.id) now; say which with "
                    + "vehicle:ID instead")
        }
        return newest
    }

    /// How far apart the vehicles of one train may be, in metres, and how much older than the
    /// newest a place is if its vehicle no longer runs the trip: two minutes in milliseconds.
    private static let (longestTrain, forgotten): (Double, Int64) = (1_000, 120_000)

    /// Whether two places of a trip are those of different runs, as of a trip that leaves every few
    /// minutes. Between them the ride would seem to jump, perhaps to behind its stop.
    private static func isAnother(_ seen: VehicleSighting, than newest: VehicleSighting) -> Bool {
        newest.fix.time - seen.fix.time <= forgotten
            && newest.fix.position.metres(to: seen.fix.position) > longestTrain
    }

    private static func chosen(
        _ place: VehiclePlace, among vehicles: [VehiclePosition]
    ) -> [VehiclePosition] {
        guard place.kind == .vehicle else {
            return vehicles.filter { $0.trip?.tripId == place.id }
        }
        let byID = vehicles.filter { $0.vehicle?.id == place.id }
        return byID.isEmpty ? vehicles.filter { $0.vehicle?.label == place.id } : byID
    }

    private static func sighting(
        _ vehicle: VehiclePosition, _ feedTime: UInt64
    ) -> VehicleSighting? {
        let isTimed = vehicle.timestamp > 0
        let time = isTimed ? vehicle.timestamp : feedTime
        guard let place = vehicle.position, (1...253_402_300_799).contains(time) else { return nil }
        let (latitude, longitude) = (Double(place.latitude), Double(place.longitude))
        // A receiver without a fix reports the place 0, 0.
        guard (-90...90).contains(latitude), (-180...180).contains(longitude),
            latitude != 0 || longitude != 0
        else { return nil }
        let speed = Double(place.speed)
        let fix = RideFix(
            time: Int64(time) * 1_000, latitude: latitude, longitude: longitude,
            speed: (0.1...100).contains(speed) ? speed : nil)
        return VehicleSighting(fix: fix, isTimed: isTimed)
    }
}
