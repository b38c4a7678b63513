import Bus
import FloorPlan
import Foundation
import Messages
import Papers
import PlanDrawing
import ServiceRuntime
import Synchronization

/// Draws plans on a thread of its own, because drawing a large plan would keep all other pages
/// waiting.
final class DrawingTable {
    /// An order for a drawing.
    struct Order: Hashable, Sendable {
        /// The plan's id.
        let plan: String
        let revision: UInt64
        /// When it was last changed, because after a restore the same revision may be another plan.
        let changed: Int64
        var dimensions = true
        var labels = true
        var corners = true
        /// Whether it shows where the chair can go.
        var reach = false
        /// ISO 639-1.
        var language = "en"
        /// The date of the last change, as it is printed; empty for none.
        var date = ""
    }

    /// The most drawings that are kept for the next request, because a page also loads its picture.
    private static let mostKept = 8
    /// The maximum processor time of one drawing, in seconds.
    static let mostSeconds = 10 * WorkLimit.debugFactor
    /// The most marks in all of them, with the corners of their paths: some tens of megabytes.
    private static let mostMarks = 400_000

    private static let inbox = Inbox<DrawingTable>()
    private static let waiting = Mutex(LogInCount.drawings)

    private var kept: BoundedCache<Order, PlanPicture>

    /// A table without drawings.
    ///
    /// - Parameter most: the most marks in the drawings that are kept.
    init(keeping most: Int = mostMarks) {
        kept = BoundedCache(mostEntries: Self.mostKept, mostWeight: most)
    }

    /// Leaves an order.
    ///
    /// - Parameters:
    ///   - logIn: the log-in that gets the drawing.
    ///   - account: the id of its account.
    ///   - work: draws it.
    /// - Returns: false if too many are waiting; then nothing is done.
    static func leave(
        for logIn: [UInt8], of account: String,
        _ work: @escaping @Sendable (DrawingTable) -> Void
    ) -> Bool {
        guard let number = waiting.withLock({ $0.begin(logIn, of: account) }) else {
            return false
        }
        inbox.put { table in
            work(table)
            waiting.withLock { $0.end(number) }
        }
        return true
    }

    /// Runs until the process ends.
    static func run(log: Log) -> Never {
        do {
            let bell = try Bell()
            inbox.connect(bell)
            var poller = Poller([], bell: bell)
            let table = DrawingTable()
            while true {
                try poller.wait(milliseconds: 60_000)
                for work in inbox.take() { work(table) }
            }
        } catch {
            log.write(.critical, "stopped", [.error: "\(error)"])
            exit(Outage.defect)
        }
    }

    /// Runs work, and gives it up if it takes more processor time than `mostSeconds`, because
    /// everybody else's drawings wait for it.
    ///
    /// - Throws: a refusal if it takes longer, and what the work throws.
    static func limited<R>(
        to seconds: Double = mostSeconds, _ work: () throws -> R
    ) throws -> R {
        try WorkLimit.run(
            for: seconds, by: ProcessorTime.ofThisThread, orThrow: .tooMuchToDraw, work)
    }

    /// Draws a plan without findings, and where the chair can go if that is known. If the drawing
    /// of the same state is cached, it returns that.
    ///
    /// - Throws: `Refusal` if it can't be drawn.
    func picture(
        _ order: Order, _ plan: @autoclosure () -> FloorPlan, _ details: PlanDetails,
        _ reach: PlanReach?
    ) throws(Refusal) -> PlanPicture {
        if let found = kept[order] { return found }
        // As large as it fits, because a page can zoom, and a scale is for paper.
        let options = PictureOptions(
            scale: .fit, dimensions: order.dimensions, labels: order.labels, corners: order.corners,
            language: order.language, date: order.date, revision: order.revision)
        let picture = try PlanPicture(plan(), details, options: options, reach: reach)
        // A drawing that was given up halfway isn't one.
        guard !WorkLimit.isOver else { return picture }
        kept.put(picture, for: order, weight: picture.drawing.size)
        return picture
    }
}

extension Refusal {
    /// The refusal for a plan so large, or so full, that drawing it would keep others waiting.
    static let tooMuchToDraw = Refusal(
        code: .tooLarge,
        message: "drawing this plan takes more than \(Int(DrawingTable.mostSeconds)) s of "
            + "processor time; divide it, e.g. a plan for each dwelling"
    ).because(.planWork)
}

extension Drawing {
    /// The number of its marks and of the steps of their paths.
    var size: Int {
        parts.reduce(0) { sum, part in
            part.marks.reduce(sum + part.marks.count) { sum, mark in
                if case .path(let path, _) = mark.shape { sum + path.steps.count } else { sum }
            }
        }
    }
}
