import Bus

extension System {
    /// Lets a day pass for a service whose machine is on: in steps of five hours, each of which the
    /// service sees. After that, an earlier leap of its clock counts for deleting old data.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - time: the time that the clock shows now or first, in milliseconds since 1970.
    ///   - setClock: sets the clock to a time.
    public func passDay(
        for service: ServiceName, from time: Int64, setClock: (Int64) throws -> Void
    ) throws {
        // The service stores the time that it has seen every ten minutes, and at once after a
        // longer step.
        let tolerance: Int64 = 11 * 60_000
        for step in 0...5 {
            let next = time + Int64(step) * 5 * 3_600_000
            try setClock(next)
            try eventually("\(service.rawValue) has seen the clock") {
                try query(service, "SELECT time > \(next - tolerance) FROM clockSeen") == [["1"]]
            }
        }
    }
}

/// Waits for the next day of UTC if it is about to begin, so that the test takes place on one day.
/// This is for tests of services whose clock is that of the machine.
public func stayWithinOneDay() throws {
    let day: Int64 = 86_400_000
    try eventually("a day has begun that lasts for two more minutes") {
        WallClock.milliseconds() % day < day - 120_000
    }
}

/// Returns a zone where it is ten in the morning now, so that the day there is neither over nor yet
/// to begin.
public func zoneInTheMorning() -> String {
    let hour = Int(WallClock.milliseconds() / 3_600_000 % 24)
    let away = (10 - hour + 36) % 24 - 12
    return "Etc/GMT" + (away > 0 ? "-\(away)" : "+\(-away)")
}
