import Foundation

/// Every constant of ride tracking, in metres, seconds and metres per second, with its reason.
///
/// "Measured" means: on recorded rides of city buses in Washington DC (positions every 24 to 30 s)
/// and Tampa (phones, 1 Hz), by the evaluation that belongs to these tests.
enum Rules {
    // The notice that a passenger may request, in milliseconds.
    static let shortestNotice: Int64 = 60_000
    static let longestNotice: Int64 = 1_800_000

    // Which fixes are believed.

    /// A fix older than this, in milliseconds, is no longer fresh: vehicles report every 30 seconds
    /// or more often (GTFS Realtime best practices).
    static let freshness: Int64 = 45_000
    /// A larger radius says only that the phone is on.
    static let worstAccuracy = 100.0
    /// How long all positions may be that coarse before that is signalled, in milliseconds:
    /// receivers take half a minute to find their place, and telephones begin with that of the
    /// network.
    static let coarseTime: Int64 = 60_000
    /// How long all positions may be too old before that is signalled, in milliseconds: what has
    /// waited on a telephone comes at once when the telephone has a network again.
    static let oldTime: Int64 = 60_000
    /// How long no position need come from a source that works, in milliseconds: far from the stop
    /// a page sends every four minutes.
    static let longestReport: Int64 = 300_000
    /// No bus or coach is faster; a faster step is a jump of the receiver. A vehicle may also be
    /// this much faster than the average between two calls of its line that are at least so many
    /// seconds apart: over a shorter time, whole minutes say too little.
    static let fastestVehicle = 45.0
    static let fasterThanScheduled = 1.5
    static let longTimed = 300.0
    /// A step faster than this, and half as fast again as the last one, waits for a second fix that
    /// confirms it: 72 km/h, faster than city buses move between two fixes.
    static let unquestionedSpeed = 20.0
    static let unquestionedIncrease = 1.5
    /// The distance by which two good fixes may differ without any motion.
    static let fixTolerance = 30.0
    /// A fix this much later than the last one (one hour) needs a second one: the clock may be
    /// broken.
    static let longestSilence = 3_600.0

    // Where on the line the vehicle is.

    /// A fix further away from the line than this is not on it. In Tampa 99 % of the fixes on a
    /// line were within 30 m; multi-lane roads and coarse shapes account for the rest.
    static let onLine = 100.0
    /// The maximum that a straight line between two stops is believed to hide, on each side.
    static let mostSlack = 300.0
    /// Two places on the line closer together than this count as one.
    static let branchSeparation = 60.0
    /// The minimum standard deviation of a fix across the line: half the phones reported 6 m, and a
    /// lane is 4 m from the middle of the road.
    static let leastDeviation = 10.0
    /// How far a fix may be behind the previous one without the vehicle going backwards.
    static let backwardTolerance = 20.0
    /// How far a fix may be ahead of the fastest vehicle.
    static let forwardTolerance = 60.0
    /// The scale of the difference between the distances along the line and as the crow flies, for
    /// the transition probability exp(-difference/scale) of Newson and Krumm, Hidden Markov Map
    /// Matching Through Noise and Sparseness, ACM SIGSPATIAL 2009.
    static let detourScale = 30.0
    /// The maximum weight of a single fix against a hypothesis (natural logarithm of the odds), so
    /// that one stray fix does not end the right one.
    static let mostSurprise = 12.0
    /// The odds at which a hypothesis is given up, and at which a new one starts alongside others.
    static let hopeless = 15.0
    static let newcomer = 8.0
    /// The odds against a line that doesn't run at the hour. They are beyond what is `plausible`,
    /// so such a line counts only if the vehicle is on no other.
    static let unlikely = 6.5
    static let mostHypotheses = 10
    /// The number of fixes after which the whole line is searched for a better place.
    static let searchInterval = 15
    /// The odds within which hypotheses count as equally likely: the earliest arrival is believed.
    static let tie = 1.0
    /// The odds from which the vehicle probably runs against the line's direction, so that it takes
    /// a further fix to raise an alarm.
    static let against = 3.0
    /// The odds within which a place is plausible. That the stop was passed, or that the vehicle
    /// runs against the line, is believed only if it beats each plausible place before the stop:
    /// such a verdict silences the alarm.
    static let plausible = 6.0
    /// Metres travelled against the direction before it is signalled: two to three stops. Buses run
    /// 400 m backwards on their way to their first stop (measured).
    static let wrongWay = 800.0
    static let wrongWayFixes = 4

    // When a place on the line is believed enough to raise an alarm.

    /// Metres of progress that prove it for a vehicle that was reported elsewhere.
    static let regainedProgress = 600.0
    /// Metres of progress, or seconds on the line, that prove that the vehicle follows it.
    static let shownProgress = 100.0
    static let shownTime = 45.0
    /// The maximum distance from the line for an alarm without progress.
    static let closeToLine = 35.0
    /// The share of the distance as the crow flies that must be progress: crossing is not
    /// following.
    static let followedShare = 0.7
    /// The same on a line that only joins its stops: along two streets at an angle of 45° to it.
    static let straightShare = 0.5
    /// The maximum speed that an alarm believes from one fix to the next. A faster vehicle's place
    /// is believed when the next fix confirms it.
    static let believedSpeed = 25.0

    // The remaining time.

    /// The speed of a city bus with its stops, where no timetable is known. With the cautious share
    /// below it gives 1,610 m for a notice of 180 s; a fixed distance of 1,600 m achieved 99 % of
    /// the notices (measured, Washington).
    static let priorSpeed = 4.3
    /// Without a timetable the speed of the last minutes is used if it is higher than that. These
    /// are the maximum and the minimum number of seconds over which it is measured, and how often
    /// it is recorded. An express on a motorway needs it; with a timetable it improved nothing
    /// (measured).
    static let recentTime = 300.0
    static let leastRecentTime = 60.0
    static let markInterval = 30.0
    /// A vehicle that was faster than its line in the last minutes is expected to stay so, but its
    /// time counts as these seconds longer, and it is never expected to take less than this share.
    static let doubtedHaste = 600.0
    static let mostHaste = 0.7
    /// The minimum time of a ride with a typical duration of T seconds, in all but one of 200
    /// rides: 0.8 T - 6.2 √T. Delays of the parts of a ride add up like a random walk, so the
    /// spread grows with the root; measured for T from 100 s to 2,500 s.
    static let cautiousShare = 0.8
    static let cautiousSpread = 6.2
    /// The same if the times were learned from many rides. In a week many may be of a few vehicles,
    /// so they aren't believed as far as a day's would allow.
    static let taughtShare = 0.85
    static let taughtSpread = 5.7
    /// The number of rides that count as much as the timetable.
    static let doubtedLessons = 3.0
    /// The maximum number of rides that those of all other times of day together count as.
    static let otherBands = 2.0
    /// The number of rides in a band of a pair of stops from which older ones count for less.
    static let mostLessons = 100.0
    /// The maximum number of seconds between two positions from which a time at a stop is derived.
    static let longestLessonGap = 150.0
    /// The maximum number of seconds between positions from which a wait is derived, and the speed
    /// up to which a vehicle counts as standing.
    static let longestDwellGap = 15.0
    static let standingSpeed = 1.5
    /// How long a vehicle stands at a stop, if the time to the next one was learned from positions
    /// too far apart to tell: from 10 to 18 s predict NOW about equally well (measured,
    /// Washington's C53 and Austin's even routes).
    static let usualDwell = 14.0
    /// The number of pairs of stops that may be learned from one ride.
    static let mostObservations = 500
    /// The maximum speed derived between two stops from a timetable that gives them less than this
    /// many seconds: its times are in whole minutes, and two stops may have the same one. None is
    /// put off by more than a minute for that.
    static let fastestSchedule = 30.0
    static let shortestTimed = 120.0
    /// The maximum speed that any timetable is believed: 360 km/h.
    static let fastestTrain = 100.0
    /// A scheduled wait of this many seconds is a layover.
    static let layover = 60.0
    /// How long before its departure time a driver may leave a layover (measured).
    static let earlyDeparture = 180.0
    /// A timetable that differs more than this from the observations isn't that of the ridden trip.
    static let believedDelay = 5_400.0
    /// How long a vehicle must stand at a timepoint to be waiting for its departure time.
    static let standing = 60.0
    /// How long a vehicle must stand before that is reported, and how late it may leave a stop at
    /// which it waits for its departure time.
    static let longRest = 300.0
    static let lateDeparture = 180.0
    /// A vehicle that moves less than this while it stands, and is this close to a stop, is at it.
    static let atStop = 60.0

    // An agency's predictions.

    /// How long a forecast is believed, and how far ahead of the ride's clock it may be, in
    /// milliseconds: agencies renew theirs every 30 seconds, and clocks differ.
    static let forecastLife: Int64 = 300_000
    static let forecastAhead: Int64 = 300_000
    /// How much later than the ride's own estimate a forecast makes the arrival at most, in
    /// seconds.
    static let mostForecastDelay = 30.0
    /// Positions are rare if there are at least this many seconds between them: between two of
    /// them, a vehicle that isn't yet within the notice may come close to the stop.
    static let rareInterval = 60.0
    /// GET READY waits for the next of these if that delays it by no more than this share of the
    /// typical time to the stop.
    static let readyPatience = 0.05
    /// How often a ride reports the same, such as that the agency leaves out the stop, if it was
    /// reversed each time.
    static let mostReports = 20

    // When NOW is due, and when the stop is passed.

    /// NOW is due this long before the typical time of arrival, chosen to signal the most rides of
    /// Washington's C53 from 20 to 120 s before (measured).
    static let nowLead = 65.0
    /// Far from the stop it is due no later than this after the cautious time, so that it is given
    /// before the stop even if no further fix comes.
    static let nowBlind = 10.0
    /// It waits longer than that for the next fix, but at most this many reporting intervals, and
    /// at most 0.95 T - 6 √T - 3 of a typical time T: one in a hundred of Austin's vehicles that
    /// were 120 to 260 s away arrived by then (measured, even routes). Waiting longer gives more
    /// rides their NOW from 20 to 120 s before the stop, but also more rides theirs after it.
    static let awaitedIntervals = 1.1
    static let patientShare = 0.95
    static let patientSpread = 6.0
    static let patientLead = 3.0
    /// This close to the stop NOW is given whatever the time.
    static let nowDistance = 150.0
    /// The stop was passed if two fixes are this far behind it.
    static let passedBy = 60.0
    /// The progress that a ride starting behind its stop must show before that is signalled.
    static let passedProgress = 400.0
    /// The minimum share of that progress by which it must be farther from the stop as the crow
    /// flies. A vehicle that comes nearer may be on its way there on a street that isn't known.
    static let recedingShare = 0.25

    // Without a line.

    /// The stop was passed if two fixes are this much farther away from it than the nearest one,
    /// unless the passenger walks, which means slower than this since then.
    static let crowPassed = 200.0
    static let ridingSpeed = 3.0

    // Off the line.

    /// The number of seconds and of fixes off the line after which that is signalled.
    static let offRouteTime = 90.0
    static let offRouteFixes = 3
    /// The same for a vehicle that was never on the line.
    static let neverOnRouteTime = 600.0
    /// A vehicle this much farther from the stop than the longest line is long, in metres, is on
    /// none of them: it may be in another city, and this is reported immediately.
    static let elsewhere = 20_000.0
    /// The maximum speed towards the stop that is expected of a vehicle off its line.
    static let strayFastSpeed = 12.0
    static let straySpeed = 6.0
    /// The minimum time of a stray vehicle's timer, so that further fixes can come: vehicles that
    /// seldom report do so every two minutes.
    static let strayPatience = 150.0
    /// The same for a place on the line that is not certain yet.
    static let unsurePatience = 60.0
    /// The same after a signal has said that the vehicle is another one or runs the other way: the
    /// passenger knows, and only a long silence may be a ride to the stop after all.
    static let doubtedPatience = 900.0
    /// All of these last at least this many of the vehicle's reporting intervals; an interval
    /// counts as five minutes at most.
    static let patientIntervals = 2.5
    static let longestInterval = 300.0
    /// This close to the stop as the crow flies, NOW is given off the line too.
    static let strayNowDistance = 150.0
    /// This close to the stop, GET READY is given to a vehicle that was never on a line to it.
    static let strangerDistance = 400.0
    /// How long before the notice by its timetable the timer of a ride without any fix expires.
    static let blindMargin = 120.0
}
