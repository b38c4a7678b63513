/// Trips that are repeated: `frequencies.txt`. Their times in `stop_times.txt` say only how long
/// they take.
extension FeedReader {
    /// When a trip leaves its first stop, in seconds: at the first time, then once every headway
    /// until, but not at, the last time.
    struct Frequency {
        let first: Int32
        let last: Int32
        let headway: Int32
    }

    /// The minimum time between two kept runs of a trip, in seconds. All runs take equally long, so
    /// to a passenger any run at about the right time is as good as another.
    private static let apart: Int32 = 3600
    /// The maximum number of kept runs of a trip: more than a service day has hours.
    private static let mostRuns = 48

    mutating func readFrequencies() throws(FeedError) {
        var csv = try open("frequencies.txt")
        let trip = try csv.required("trip_id")
        let start = try csv.required("start_time")
        let end = try csv.required("end_time")
        let headway = try csv.required("headway_secs")
        while try next(&csv) {
            let row = try csv.reference(trip, to: tripIds, of: "trips.txt")
            guard let first = try csv.time(start) else { throw csv.missing(start) }
            guard let last = try csv.time(end) else { throw csv.missing(end) }
            guard let seconds = try csv.integer(headway, in: 1...86_400) else {
                throw csv.missing(headway)
            }
            guard first < last else {
                throw csv.refusal(
                    end, "\(csv.quoted(end)) is not after start_time",
                    cure: "keep counting after midnight: 24:05:00 and so on")
            }
            frequencies[row, default: []].append(
                Frequency(first: first, last: last, headway: Int32(seconds)))
        }
    }

    /// When a trip leaves its first stop, in seconds; empty if it does so once, at its own time.
    func departures(of trip: Int) -> [Int32] {
        var departures: [Int32] = []
        for one in (frequencies[trip] ?? []).sorted(by: { $0.first < $1.first }) {
            let step = Int(one.headway) * max(1, Int(Self.apart / one.headway))
            for departure in stride(from: one.first, to: one.last, by: step) {
                guard departures.count < Self.mostRuns else { return departures }
                if let last = departures.last, departure - last < Self.apart { continue }
                departures.append(departure)
            }
        }
        return departures
    }
}
