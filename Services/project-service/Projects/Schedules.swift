import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import ServiceRuntime

/// Schedules for the open issues of a project. They are only proposed here; an edit applies one.
/// The search runs outside the loop.
enum Schedules {
    static var handlers: [MessageHandler] {
        [
            .slow(
                isSecret: true, prepare: prepare, work: { try $0.proposal() },
                finish: { _, answer, _ in answer }, .member)
        ]
    }

    /// What to schedule, and how.
    private struct Task: Sendable {
        let project: Project
        let record: ProjectRecord
        let query: ProposeSchedule
        let from: CivilDate

        /// The approximate maximum number of placements of an issue with a person for a proposal: a
        /// few seconds of work.
        static let mostPlaces = 2_000_000
        static let usualTries = 2_000

        func proposal() throws -> ScheduleProposed {
            let plan = try SchedulePlan(record, from: from, keepingPeople: !query.anyPerson)
            let wanted = query.tries == 0 ? Self.usualTries : Int(query.tries)
            let places = max(plan.issues.count, 1) * (1 + record.members.count / 10)
            let proposal = try plan.proposal(
                budget: min(wanted, max(Self.mostPlaces / places, 10)), seed: query.seed)
            return ScheduleProposed(
                project: project,
                places: proposal.places.sorted { $0.key < $1.key }.map { PlacedIssue($0, $1) },
                end: proposal.end?.iso ?? "", soonestEnd: proposal.soonestEnd?.iso ?? "",
                provedShortest: proposal.isProvedShortest,
                chain: proposal.chain.map { UInt32(clamping: $0) },
                late: proposal.late.map { UInt32(clamping: $0) },
                assumed: plan.assumed.map { UInt32(clamping: $0) })
        }
    }

    private static func prepare(
        _ query: ProposeSchedule, in transaction: Transaction
    ) throws -> Task {
        let row = try transaction.project(query.project)
        guard let from = try CivilDate.read(query.from, "the first day") else {
            throw Refusal.invalid("say from which day work may be planned")
        }
        return Task(
            project: row.project.listed, record: try row.record(transaction), query: query,
            from: from)
    }
}
