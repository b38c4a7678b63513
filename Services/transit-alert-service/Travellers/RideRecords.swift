import Dates
import Messages
import ServiceRuntime

/// How well journeys were alerted: passengers' feedback, and counts.
enum RideRecords {
    static var handlers: [MessageHandler] {
        [
            .command(rate, .person), .query(comments, .person),
            .query(statistics, .role(minimum: .administrator, at: .organisation)),
        ]
    }

    static func rate(_ command: GiveFeedback, in transaction: Transaction) throws -> Journey {
        var watch = try JourneyWatch.required(
            command.journeyId, owner: transaction.principal.account, transaction.db)
        guard !watch.isActive else {
            throw Refusal.conflict("the journey is under way; give feedback when it has ended")
        }
        var count = try RideCount.of(watch, transaction.db)
        count.rate(watch.journey.feedback, by: -1)
        watch.journey.feedback = Feedback(
            useful: command.useful, comment: command.comment, time: transaction.now)
        count.rate(watch.journey.feedback, by: 1)
        try count.save(watch.organisation, transaction.db)
        try watch.save(transaction.db)
        try RideComment(watch.journey).save(of: watch, transaction.db)
        return watch.journey
    }

    /// Counts a journey that has ended.
    static func count(_ watch: JourneyWatch, in transaction: Transaction) throws {
        var count = try RideCount.of(watch, transaction.db)
        count.journeys += 1
        if watch.arrived != nil {
            count.arrived += 1
            switch watch.journey.lead {
            case let lead? where lead >= watch.journey.notice:
                count.inTime += 1
                count.leadSum += lead
            case let lead? where lead >= 0:
                count.late += 1
                count.leadSum += lead
            default: count.missed += 1
            }
        }
        try count.save(watch.organisation, transaction.db)
    }

    static func statistics(
        _ query: ReadRideStatistics, in transaction: Transaction
    ) throws -> RideStatistics {
        for day in [query.firstDay, query.lastDay] where !day.isEmpty {
            guard CivilDate(iso: day) != nil else {
                throw Refusal.invalid("“\(day)” isn't a day; write it as 2027-03-01")
            }
        }
        let last = query.lastDay.isEmpty ? "9999-12-31" : query.lastDay
        let organisation = transaction.principal.organisation
        let page = try RideCount.page(
            of: organisation, from: query.firstDay, to: last, after: query.after, transaction.db)
        let comments =
            try query.after == nil
            ? RideComment.newest(of: organisation, from: query.firstDay, to: last, transaction.db)
            : []
        return RideStatistics(counts: page.counts, comments: comments, more: page.isMore)
    }

    static func comments(
        _ query: ListRideComments, in transaction: Transaction
    ) throws -> RideComments {
        try RideComment.all(
            of: transaction.principal.account, before: query.before, transaction.db)
    }
}

extension RideCount {
    /// Counts a passenger's feedback, or uncounts it.
    fileprivate mutating func rate(_ feedback: Feedback?, by step: Int) {
        guard let feedback else { return }
        func moved(_ count: UInt64) -> UInt64 {
            UInt64(clamping: Int64(clamping: count) + Int64(step))
        }
        if feedback.useful { useful = moved(useful) } else { useless = moved(useless) }
    }
}

extension RideComment {
    /// A passenger's feedback about a journey.
    fileprivate init(_ journey: Journey) {
        self.init(
            day: journey.endDay, route: journey.route, useful: journey.feedback?.useful ?? false,
            comment: journey.feedback?.comment ?? "")
    }
}

extension Journey {
    /// The day on which it ended, in UTC, ISO 8601.
    var endDay: String {
        CivilDate(daysSince1970: Int(MessageTime.clamped(ended) / 86_400_000)).iso
    }
}
