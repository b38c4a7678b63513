import ServiceRuntime

/// The timer for the next time at which a shift of a site may have to begin.
enum ScheduleTimer {
    /// Its kind; the subject is the site's id.
    static let kind = "schedule"

    /// Wakes for the scheduled shifts of a site after this message has been handled, in the name of
    /// the service, not of the sender.
    static func wake(_ site: String, in transaction: Transaction) throws {
        try transaction.setTimer(kind, subject: site, due: transaction.now)
    }
}
