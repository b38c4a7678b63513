import Bus

extension System {
    /// Lets a day pass for a service, as on a machine that is on, after which a leap of its clock
    /// counts for what is deleted: in steps of five hours, each of which it sees.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - time: what the clock shows, or is to show first, in milliseconds since 1970.
    ///   - setClock: sets the clock to a time.
    public func passDay(
        for service: ServiceName, from time: Int64, setClock: (Int64) throws -> Void
    ) throws {
        // What it has seen is kept every ten minutes, and a longer step at once.
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
