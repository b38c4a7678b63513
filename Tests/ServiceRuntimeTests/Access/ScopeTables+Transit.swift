import Foundation
import Messages
import TestSupport

/// Journeys, which belong to a person, and timetables and landmarks, which belong to the
/// installation.
extension ScopeTables {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private static let landmark = Landmark(
        type: "museum", name: "Mill", place: Coordinate(latitudeE7: 1, longitudeE7: 1))

    static let transit = ScopeTables(
        prepare: { stage in
            if stage.ids["journey"] == nil {
                _ = try stage.ask(
                    ImportFeed(feed: "town", path: root + "/deploy/demo/harbour-line"),
                    for: JobAccepted.self, as: .owner)
                try eventually("the timetable is there") {
                    try !stage.ask(ListFeeds(), for: Messages.Feeds.self).feeds.isEmpty
                }
            }
            _ = try stage.ask(
                PutLandmarks(set: "town", landmarks: [landmark], last: true),
                for: LandmarkSet.self, as: .owner)
            stage.ids["journey"] =
                try stage.ask(
                    StartJourney(feed: "town", stopId: "4131", policy: 2), for: Journey.self
                ).id
        },
        state: { stage in
            let id = stage.ids["journey"] ?? ""
            return [try stage.ask(ReadJourney(journeyId: id), for: Journey.self).packed()]
        },
        makeRows: {
            let id = { (stage: ScopeStage) in stage.ids["journey"] ?? "" }
            let fix = Fix(time: 1_000, place: Coordinate(latitudeE7: 1, longitudeE7: 1))
            return [
                .about([.owner]) { _ in
                    ImportFeed(feed: "x", path: root + "/deploy/demo/harbour-line")
                },
                // The feed is in use, which only those who may remove it are told.
                .about([.owner]) { _ in RemoveFeed(feed: "town") },
                .own { _ in ListFeeds() }, .own { _ in FindStops(text: "gen") },
                .own { _ in StartJourney(feed: "town", stopId: "4131", policy: 2) },
                .about([]) { RecordPositions(journeyId: id($0), fixes: [fix]) },
                .about([]) { ReportOldPositions(journeyId: id($0)) },
                .about([]) { RecordForecast(journeyId: id($0), tripId: "T", made: 1_000) },
                .about([]) { ContinueJourney(journeyId: id($0)) },
                .about([]) { FinishJourney(journeyId: id($0)) },
                .about([]) { ReadJourney(journeyId: id($0)) },
                .own { _ in ListJourneys() },
                .own { _ in ReadTraveller() }, .own { _ in AcceptPolicy(version: 2) },
                .own { _ in ChangeTraveller(notice: 240_000) },
                .own { _ in ListDestinations() },
                .own { _ in MarkFavourite(feed: "town", stopId: "4131", favourite: true) },
                .own { _ in ClearDestinations() },
                .about([]) { GiveFeedback(journeyId: id($0), useful: true) },
                .about([]) { ReadKeptPositions(journeyId: id($0)) },
                .own { _ in ListRideComments() }, .own { _ in ReadRideStatistics() },
                .own { _ in EraseTravel() },
                .about([.owner]) { _ in
                    PutLandmarks(set: "town", landmarks: [landmark], importId: "first")
                },
                .about([.owner]) { _ in RemoveLandmarks(set: "town") },
                .own { _ in ListLandmarks() },
            ]
        })
}
