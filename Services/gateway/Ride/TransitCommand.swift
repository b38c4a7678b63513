import ArgumentParser

/// `steward transit`
struct TransitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transit", abstract: "Timetables, stops, and rides to a stop.",
        discussion: """
            Import a timetable, find the stop where you want to get off, and ride there: an alert \
            comes in time to get ready, and another to get off.
            """,
        subcommands: [
            FeedCommand.Import.self, FeedCommand.List.self, FeedCommand.Remove.self,
            StopsCommand.self, RideCommand.self, FollowCommand.self, JourneyCommand.List.self,
            JourneyCommand.Finish.self, JourneyCommand.Continue.self, FeedbackCommand.Give.self,
            FeedbackCommand.Statistics.self,
            TravellerCommand.Destinations.self, TravellerCommand.Favourite.self,
            TravellerCommand.Settings.self, TravellerCommand.Privacy.self, TravelExport.self,
            TravellerCommand.Erase.self, LandmarkCommand.self,
        ])
}
