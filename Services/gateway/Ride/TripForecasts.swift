import ArgumentParser
import Messages
import RideSources

/// Where an agency's trip updates are, as it is typed: a URL or the path of a file.
struct UpdatesPlace: ExpressibleByArgument, Hashable {
    let text: String
    var isFile: Bool { !text.hasPrefix("http") }

    init?(argument: String) {
        let form = #/(?:https?://|/|\.\.?/)\S{1,2000}/#
        guard argument.wholeMatch(of: form) != nil else { return nil }
        text = argument
    }
}

/// An agency's forecasts for the ridden trip, as they arrive.
final class TripForecasts {
    private let watch: FeedWatch<RecordForecast>
    private let place: UpdatesPlace
    private let say: (String) -> Void
    private var fault: String?
    private var last: RecordForecast?

    /// - Parameters:
    ///   - place: the address of the feed.
    ///   - trip: the trip's id.
    ///   - speed: how many times faster than real time the feed is.
    ///   - say: prints a message for the person.
    init(
        _ place: UpdatesPlace, trip: String, speed: UInt32, _ say: @escaping (String) -> Void
    ) {
        (self.place, self.say) = (place, say)
        let interval = max(.milliseconds(100), FeedPause.usual / Int(speed))
        watch = FeedWatch(place.text, isFile: place.isFile, interval: interval) {
            try TripReport.forecast(of: trip, in: $0)
        }
    }

    /// The newest forecast for a journey, once; nil if nothing has changed.
    func newest(for journey: String) -> RecordForecast? {
        if let now = watch.fault, now != fault, now != "not fetched yet" {
            say("there is no forecast from \(place.text) (\(now))")
            fault = now
        }
        guard var news = watch.newest(), news != last else { return nil }
        last = news
        fault = nil
        news.journeyId = journey
        return news
    }
}
