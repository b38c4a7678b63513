import Bus
import FloorPlan
import Foundation
import Messages
import PlanDrawing
import ServiceRuntime
import Synchronization

/// Where plans are drawn: a thread of its own, because the drawing of a large plan would keep all
/// other pages waiting.
final class DrawingTable {
    /// What is to be drawn.
    struct Order: Hashable, Sendable {
        /// The plan's id.
        let plan: String
        let revision: UInt64
        /// When it was changed last: after a restore, the same revision may be another plan.
        let changed: Int64
        var dimensions = true
        var labels = true
        var corners = true
        /// Whether it shows where the chair goes.
        var reach = false
        /// ISO 639-1.
        var language = "en"
    }

    /// The most orders that wait. A small plan takes milliseconds, the largest some seconds.
    private static let most = 16
    /// The most drawings that are kept for whoever asks for them next: the page, and its picture.
    private static let mostKept = 8

    private static let inbox = Inbox<DrawingTable>()
    private static let waiting = Mutex(0)

    private var kept: [(order: Order, picture: PlanPicture)] = []

    /// A table without drawings.
    init() {}

    /// Leaves an order.
    ///
    /// - Returns: false when too many wait; then nothing is done.
    static func leave(_ work: @escaping @Sendable (DrawingTable) -> Void) -> Bool {
        let isTaken = waiting.withLock { waiting in
            guard waiting < most else { return false }
            waiting += 1
            return true
        }
        guard isTaken else { return false }
        inbox.put { table in
            work(table)
            waiting.withLock { $0 -= 1 }
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

    /// Draws a plan without findings, and where the chair goes if that is known, or takes the
    /// drawing of the same state of it that is kept.
    ///
    /// - Throws: `Refusal` when it can't be drawn.
    func picture(
        _ order: Order, _ plan: @autoclosure () -> FloorPlan, _ details: PlanDetails,
        _ reach: PlanReach?
    ) throws(Refusal) -> PlanPicture {
        if let found = kept.first(where: { $0.order == order }) { return found.picture }
        // As large as it fits: on a page it is zoomed, and a scale is for paper.
        let options = PictureOptions(
            scale: .fit, dimensions: order.dimensions, labels: order.labels, corners: order.corners,
            language: order.language, revision: order.revision)
        let picture = try PlanPicture(plan(), details, options: options, reach: reach)
        kept.append((order, picture))
        if kept.count > Self.mostKept { kept.removeFirst() }
        return picture
    }
}
