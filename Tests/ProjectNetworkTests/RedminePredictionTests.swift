import Dates
import Foundation
import ProjectNetwork
import TestSupport
import TestThreads
import Testing
import WorkCalendar

/// What the mode “as Redmine does” predicts, compared with what a real Redmine does.
///
/// `GRAPHS` sets the number of random graphs, 40 by default.
@Suite(.waiting, .enabled(if: RealRedmine.isAvailable, "\(RealRedmine.missing)"))
struct RedminePredictionTests {
    private static let graphs = getenv("GRAPHS").flatMap { Int(String(cString: $0)) } ?? 40

    /// A request to the server: an issue, a relation or other dates. Issues and relations have the
    /// test's own numbers.
    struct Step: Codable {
        var make: Int?
        var move: Int?
        var parent: Int?
        var start: String?
        var due: String?
        var relate: Int?
        var from: Int?
        var to: Int?
        var type: String?
        var delay: Int?
        var unrelate: Int?

        /// The relation in our form.
        var relation: IssueRelation? {
            guard let relate, let from, let to, let type else { return nil }
            return IssueRelation(id: relate, named: type, from: from, to: to, delay: delay ?? 0)
        }
    }

    /// The requests to the server, in order, and the weekdays on which nobody works there, 1 for
    /// Monday.
    struct Graph: Encodable {
        let seed: UInt64
        let idle: [Int]
        var steps: [Step] = []
    }

    /// The server's response, and the dates of all issues after it.
    struct Answer: Decodable {
        let code: Int
        let spans: [String: [String?]]

        func span(of issue: Int) -> Span {
            let days = (spans["\(issue)"] ?? []).map { $0.flatMap { CivilDate(iso: $0) } }
            return days.count == 2 ? Span(start: days[0], due: days[1]) : Span()
        }
    }

    @Test func `P11: in Redmine's mode every date is the one that a real server arrives at`()
        throws
    {
        var graphs: [Graph] = []
        for seed in Seed.some(Self.graphs) { graphs.append(try GraphMaker(seed).made()) }
        let system = try System()
        let path = system.path("graphs.json")
        try JSONEncoder().encode(graphs).write(to: URL(filePath: path))
        let server = try system.spawn(
            [RealRedmine.folder + "/redmine", "replay", path],
            environment: RealRedmine.environment)
        // The first server on a machine makes its database, which takes a minute.
        let end = try server.waitForEnd(within: .seconds(900 + 20 * graphs.count))
        #expect(end == .exited(0), "\(server.lastWords)")
        let lines = server.out.split(separator: "\n")
        try #require(lines.count == graphs.count, "\(server.lastWords)")
        var compared = 0
        for (graph, line) in zip(graphs, lines) {
            let answers = try JSONDecoder().decode([Answer].self, from: Data(line.utf8))
            compared += try compare(graph, answers)
        }
        #expect(compared >= graphs.count)
    }

    /// Predicts each step from the dates that the server had before it.
    ///
    /// - Returns: the number of steps that moved something.
    private func compare(_ graph: Graph, _ answers: [Answer]) throws -> Int {
        let days = Set(0..<7).subtracting(graph.idle.map { $0 - 1 })
        let calendar = try WorkCalendar(week: WorkCalendar.Week([480..<960], on: days))
        var parents: [Int: Int] = [:]
        var relations: [IssueRelation] = []
        var moved = 0
        for (index, step) in graph.steps.enumerated() {
            let place: Comment = "SEED=\(graph.seed), step \(index): \(step)"
            let answer = answers[index]
            if let number = step.make {
                try #require(answer.code == 201, place)
                parents[number] = step.parent
                continue
            }
            guard let change = change(step, relations) else { continue }
            let before = answers[index - 1]
            let network = try ProjectNetwork(
                issues: before.spans.keys.compactMap { Int($0) }.sorted().map {
                    PlannedIssue(id: $0, parent: parents[$0], span: before.span(of: $0))
                }, relations: relations, calendar: calendar)
            let foretold: Cascade?
            do { foretold = try network.preview(change, mode: .redmine) } catch { foretold = nil }
            #expect((foretold != nil) == (200..<300).contains(answer.code), place)
            guard let foretold else { continue }
            for issue in foretold.network.issues {
                #expect(issue.span == answer.span(of: issue.id), "\(place) #\(issue.id)")
            }
            relations = foretold.network.relations
            moved += foretold.moves.isEmpty ? 0 : 1
        }
        return moved
    }

    private func change(_ step: Step, _ relations: [IssueRelation]) -> PlanChange? {
        if let relation = step.relation { return .relation(relation) }
        if let number = step.unrelate {
            return relations.contains { $0.id == number } ? .noRelation(number) : nil
        }
        let days = [step.start, step.due].map { $0.flatMap { CivilDate(iso: $0) } }
        return step.move.map { .dates(issue: $0, Span(start: days[0], due: days[1])) }
    }
}

/// Makes a random graph of 2 to 12 issues, with parts, relations and changes of dates.
private struct GraphMaker {
    private typealias Step = RedminePredictionTests.Step

    private var seed: Seed
    private let count: Int
    private var parents: [Int: Int] = [:]
    private var graph: RedminePredictionTests.Graph
    /// The issues and relations without dates.
    private var shape: ProjectNetwork
    private var relations = 0

    init(_ seed: Seed) throws {
        self.seed = seed
        let weeks = [[], [5], [7], [1, 3], [2, 6, 7], [1, 2, 3, 5, 6, 7]]
        let idle = self.seed.oneIn(3) ? self.seed.pick(weeks) : [6, 7]
        graph = RedminePredictionTests.Graph(seed: seed.start, idle: idle)
        count = 2 + self.seed.below(11)
        for number in 2...count where self.seed.oneIn(3) {
            parents[number] = 1 + self.seed.below(number - 1)
        }
        let parents = parents
        shape = try ProjectNetwork(
            issues: (1...count).map { PlannedIssue(id: $0, parent: parents[$0]) }, relations: [],
            calendar: WorkCalendar())
    }

    func made() -> RedminePredictionTests.Graph {
        var maker = self
        maker.make()
        return maker.graph
    }

    private mutating func make() {
        for number in 1...count {
            let (start, due) = dates()
            graph.steps.append(
                Step(make: number, parent: parents[number], start: start, due: due))
        }
        for _ in 0..<(count + seed.below(count + 1)) { relate(backwards: seed.oneIn(8)) }
        let wholes = Set(parents.values)
        let leaves = (1...count).filter { !wholes.contains($0) }
        for _ in 0..<8 {
            switch seed.below(8) {
            case 0: graph.steps.append(Step(unrelate: 1 + seed.below(relations + 1)))
            case 1: relate(backwards: seed.oneIn(2))
            default:
                let (start, due) = dates()
                graph.steps.append(Step(move: seed.pick(leaves), start: start, due: due))
            }
        }
    }

    /// Dates around two month ends; one or both may be open.
    private mutating func dates() -> (start: String?, due: String?) {
        let first = 20_520 + seed.below(25)
        let last = first + seed.below(8)
        let (start, due) = (
            CivilDate(daysSince1970: first).iso, CivilDate(daysSince1970: last).iso
        )
        return switch seed.below(8) {
        case 0: (nil, due)
        case 1: (start, nil)
        case 2: seed.oneIn(2) ? (nil, nil) : (start, start)
        default: (start, due)
        }
    }

    /// Adds a relation. It leaves out those that we refuse but Redmine may accept: a second one
    /// between two issues, and a circle through parts and wholes.
    private mutating func relate(backwards: Bool) {
        let (first, second) = (1 + seed.below(count), 1 + seed.below(count))
        let kinds = ["follows", "blocks", "relates", "duplicates"]
        var step = Step()
        step.relate = relations + 1
        step.from = backwards ? first : min(first, second)
        step.to = backwards ? second : max(first, second)
        step.type = seed.oneIn(2) ? "precedes" : seed.pick(kinds)
        step.delay = seed.oneIn(2) ? 0 : seed.below(7) - 2
        guard let relation = step.relation,
            !shape.relations.contains(where: {
                [$0.from, $0.to].sorted() == [first, second].sorted()
            })
        else { return }
        do { shape = try shape.adding(relation) } catch { return }
        relations += 1
        graph.steps.append(step)
    }
}
