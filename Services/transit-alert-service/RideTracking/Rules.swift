import Foundation

/// Every constant of ride tracking, in metres, seconds and metres per second, with its reason.
///
/// "Measured" means: on recorded rides of city buses in Washington DC (positions every 24 to 30 s)
/// and Tampa (phones, 1 Hz), by the evaluation that belongs to these tests.
enum Rules {
    // The notice a passenger may ask for, in milliseconds.
    static let shortestNotice: Int64 = 60_000
    static let longestNotice: Int64 = 1_800_000

    // Which fixes are believed.

    /// A fix older than this, in milliseconds, is no longer fresh: vehicles report every 30 seconds
    /// or more often (GTFS Realtime best practices).
    static let freshness: Int64 = 45_000
    /// A wider circle than this says only that the phone is on.
    static let worstAccuracy = 100.0
    /// No bus or coach is faster; a faster step is a jump of the receiver.
    static let fastestVehicle = 45.0
    /// A step faster than this, and half as fast again as the last one, waits for a second fix
    /// that agrees: 72 km/h, above what city buses do between two fixes.
    static let unquestionedSpeed = 20.0
    static let unquestionedIncrease = 1.5
    /// What two good fixes may differ by without any motion.
    static let fixTolerance = 30.0
    /// A fix this much later than the last one (one hour) needs a second one: a broken clock.
    static let longestSilence = 3_600.0

    // Where on the line the vehicle is.

    /// A fix further away from the way than this is not on it. In Tampa 99 % of the fixes on a
    /// line lay within 30 m; multi-lane roads and coarse shapes add the rest.
    static let onLine = 100.0
    /// Two places on the way closer together than this count as one.
    static let branchSeparation = 60.0
    /// Standard deviation of a fix across the way, at least: half the phones reported 6 m,
    /// and a lane is 4 m beside the middle of the road.
    static let leastDeviation = 10.0
    /// How far a fix may fall behind the one before without the vehicle going backwards.
    static let backwardTolerance = 20.0
    /// How far a fix may run ahead of the fastest vehicle.
    static let forwardTolerance = 60.0
    /// Scale of the difference between the distance along the way and as the crow flies, for
    /// the transition probability exp(-difference/scale) of Newson and Krumm, Hidden Markov Map
    /// Matching Through Noise and Sparseness, ACM SIGSPATIAL 2009.
    static let detourScale = 30.0
    /// No single fix says more than this against a hypothesis (natural logarithm of the odds),
    /// so that one stray fix does not end the right one.
    static let mostSurprise = 12.0
    /// Odds at which a hypothesis is given up, and at which a new one starts beside others.
    static let hopeless = 15.0
    static let newcomer = 8.0
    static let mostHypotheses = 10
    /// Every so many fixes the whole line is searched for a better place.
    static let searchInterval = 15
    /// Odds within which hypotheses count as equally likely: the earliest arrival is believed.
    static let tie = 1.0
    /// Odds from which the vehicle is taken to run against the line's direction.
    static let against = 3.0
    /// Metres run against the direction before the passenger is told: two to three stops. Buses
    /// run 400 m backwards on their way to their first stop (measured).
    static let wrongWay = 800.0

    // When a place on the line is believed enough to raise an alarm.

    /// Metres of progress that show it for a vehicle that was told to run elsewhere.
    static let regainedProgress = 600.0
    /// Metres of progress, or seconds on the line, that show that the vehicle follows it.
    static let shownProgress = 100.0
    static let shownTime = 45.0
    /// Off the way by no more than this for an alarm without progress.
    static let closeToLine = 35.0
    /// Share of the distance as the crow flies that must be progress: crossing is not following.
    static let followedShare = 0.7
    /// An alarm believes no more than this speed from one fix to the next.
    static let believedSpeed = 25.0

    // How long it still takes.

    /// Speed of a city bus with its stops, where no timetable is known. With the cautious share
    /// below it gives 1,610 m for a notice of 180 s; a fixed distance of 1,600 m reached 99 % of
    /// the notices (measured, Washington).
    static let priorSpeed = 4.3
    /// Without a timetable the speed of the last minutes counts where it is higher than that: over
    /// how many seconds, at least how many, and how far apart it is noted. An express on a
    /// motorway needs it; with a timetable it made nothing better (measured).
    static let recentTime = 300.0
    static let leastRecentTime = 60.0
    static let markInterval = 30.0
    /// The least time that a ride of typical duration T seconds takes, but for one in 200:
    /// 0.8 T - 6.2 √T. Delays of the parts of a ride add up like a random walk, so the spread
    /// grows with the root; measured for T from 100 s to 2,500 s.
    static let cautiousShare = 0.8
    static let cautiousSpread = 6.2
    /// A timetable that leaves a stop out of its times, or puts two at one minute, is read no
    /// faster than this between two stops.
    static let fastestSchedule = 30.0
    /// A scheduled wait of this many seconds is a layover.
    static let layover = 60.0
    /// A driver may leave a layover this much before its departure time (measured).
    static let earlyDeparture = 180.0
    /// A timetable further off than this from what is seen is not the ridden trip's.
    static let believedDelay = 5_400.0
    /// Standing this long at a timepoint is waiting for its departure time.
    static let standing = 60.0
    /// A vehicle that moves less than this while it stands, and is this near to a stop, is at it.
    static let atStop = 60.0

    // When NOW is due, and when the stop is passed.

    /// NOW is due when this share of the typical time, less these seconds, is over. The share
    /// and the lead were chosen for the most rides told from 20 to 120 s before (measured).
    static let nowShare = 0.85
    static let nowLead = 60.0
    /// Far from the stop it is due no later than this after the cautious time, so that it is
    /// given before the stop also when no fix comes any more.
    static let nowBlind = 10.0
    /// This near to the stop NOW is given whatever the time.
    static let nowDistance = 150.0
    /// This far behind the stop, twice, it is passed.
    static let passedBy = 60.0
    /// A ride that starts behind its stop shows this much progress before it is told so.
    static let passedProgress = 400.0

    // Without a line.

    /// Seconds off the line until the passenger is told, and fixes.
    static let offRouteTime = 90.0
    static let offRouteFixes = 3
    /// The same for a vehicle that was never on the line.
    static let neverOnRouteTime = 600.0
    /// Speed towards the stop that a vehicle off its line is expected to have at most.
    static let strayFastSpeed = 12.0
    static let straySpeed = 6.0
    /// A stray vehicle's timer runs at least this long, so that further fixes can come.
    static let strayPatience = 120.0
    /// The same for a place on the line that is not sure yet.
    static let unsurePatience = 60.0
    /// This near to the stop as the crow flies, NOW is given off the line too.
    static let strayNowDistance = 150.0
    /// The timer of a ride without any fix runs this long before the notice on its timetable.
    static let blindMargin = 120.0
}
