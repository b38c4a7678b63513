import Messages
import Phrases
import RideTracking
import ServiceRuntime

/// Announces landmarks to a passenger.
enum LandmarkTour {
    /// How long an announcement is of use: two minutes in milliseconds.
    private static let life: Int64 = 120_000

    /// Announces the landmark that is near after the newest positions, if any.
    static func announce(
        _ watch: inout JourneyWatch, after fix: Fix, on lines: [Line],
        in transaction: Transaction
    ) throws {
        guard let ride = watch.ride, !watch.tour.types.isEmpty,
            let line = lines.first(where: { $0.id == ride.line })
        else { return }
        let entries = try LandmarkShelf.shared.entries(
            along: line, of: watch.file, transaction.db)
        let wanted = entries.filter { watch.wants($0.type) }.map(\.place)
        let before = watch.tour.guide.told.last
        guard let place = watch.tour.guide.next(on: ride, at: fix.time, along: line, among: wanted)
        else { return }
        if let before { try transaction.withdraw(watch.key(landmark: before)) }
        guard let landmark = try NumberedLandmark.numbered(place.number, transaction.db) else {
            return
        }
        try transaction.raise(watch.alert(for: landmark, place, at: transaction.now))
    }

    /// Ends any standing announcement, because the passenger should get ready.
    static func fallSilent(_ watch: JourneyWatch, in transaction: Transaction) throws {
        guard let last = watch.tour.guide.told.last else { return }
        try transaction.withdraw(watch.key(landmark: last))
    }

    fileprivate static func expiry(at now: Int64) -> Int64 { now + life }
}

extension JourneyWatch {
    fileprivate func wants(_ type: String) -> Bool {
        tour.types == [LandmarkTypes.all] || tour.types.contains(type)
    }

    fileprivate func key(landmark number: Int64) -> String {
        "journey/\(journey.id)/landmark/\(number)"
    }

    fileprivate func alert(
        for landmark: Landmark, _ place: LandmarkOnLine, at now: Int64
    ) -> AlertRaised {
        var alert = AlertRaised(
            key: key(landmark: place.number), kind: "transit.landmark", severity: .info,
            subject: journey.id, recipient: journey.owner,
            expiresAt: LandmarkTour.expiry(at: now), organisation: organisation,
            channels: journey.channels)
        if !landmark.link.isEmpty {
            alert.actions = [Action(name: "link", Said(.seeLandmark), target: landmark.link)]
        }
        var lines = [PhraseLine([Said<AlertPhrase>(place.isLeft ? .onTheLeft : .onTheRight)])]
        if !landmark.text.isEmpty {
            lines.append(PhraseLine([Said<AlertPhrase>(.plain, ["text": .text(landmark.text)])]))
        }
        alert.say(Said(.landmark, ["name": .text(landmark.name)]), lines)
        return alert
    }
}
