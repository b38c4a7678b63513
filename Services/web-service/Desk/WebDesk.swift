import Bus
import Foundation
import HTTPExchange
import HTTPServer
import ServiceRuntime

/// The thread that writes pages, from what the services answer in the name of those who look at
/// them.
///
/// Not Sendable: other threads leave work in its ``Inbox``.
final class WebDesk {
    /// Sends messages to the services.
    let switchboard: Switchboard
    /// The people who are logged in.
    let people: People
    /// The boards that are open.
    let boards: BoardDesk
    /// The lists of alerts that are open.
    let alerts: AlertDesk
    /// The plans that are open.
    let plans: PlanDesk
    /// The forms that are being answered.
    var forms = FormDesk()
    /// The number of streams that are open.
    private var streams = LogInCount.streams
    /// The pages that opened them.
    private var pages = PageStreams()
    /// The streams of pages that say which they are, by number.
    private var named: [UInt64: EventStream] = [:]
    private let inbox: Inbox<WebDesk>
    private var nextBeat = ContinuousClock.now

    private init(_ switchboard: Switchboard, _ inbox: Inbox<WebDesk>) {
        (self.switchboard, self.inbox) = (switchboard, inbox)
        people = People(switchboard)
        boards = BoardDesk(switchboard, people)
        alerts = AlertDesk(switchboard, people)
        plans = PlanDesk(switchboard, people)
        people.changed = { [boards, alerts, plans] in
            boards.revoked($0)
            alerts.revoked($0)
            plans.revoked($0)
        }
    }

    /// Runs until the process ends.
    static func run(
        _ configuration: Bus.Configuration, workerToken: [UInt8], inbox: Inbox<WebDesk>, log: Log
    ) -> Never {
        do {
            let bell = try Bell()
            inbox.connect(bell)
            let switchboard = try Switchboard(
                configuration, workerToken: workerToken, bell: bell, log: log)
            let desk = WebDesk(switchboard, inbox)
            while true { try desk.turn() }
        } catch {
            // As in the service's loop, nothing is half done, and the supervisor starts the process
            // again.
            log.write(.critical, "stopped", [.error: "\(error)"])
            exit(Outage.defect)
        }
    }

    /// The time of day, milliseconds since 1970.
    var now: Int64 { switchboard.now }

    private func turn() throws {
        try switchboard.wait(until: nextBeat)
        for work in inbox.take() { work(self) }
        guard ContinuousClock.now >= nextBeat else { return }
        nextBeat = ContinuousClock.now + .seconds(1)
        switchboard.renewKeys()
        EventStream.send(
            StreamEvent("beat", "\(now)").bytes,
            to: boards.streams + alerts.streams + plans.streams)
        boards.beat()
        alerts.beat()
        plans.beat()
        people.beat()
        forms.beat(at: now)
    }

    /// Counts a stream that a page wants to open, in place of those that it has given up.
    ///
    /// - Parameters:
    ///   - logIn: the log-in of the page.
    ///   - account: the id of its account.
    ///   - name: which stream of which page it is; nil if the page doesn't say.
    /// - Returns: its number; nil if there are too many.
    func beginStream(
        of logIn: [UInt8], account: String, _ name: PageStreams.Name?
    ) -> UInt64? {
        for number in name.map({ pages.givenUp(by: $0) }) ?? [] {
            named[number]?.end()
            streamEnded(number)
        }
        return streams.begin(logIn, of: account)
    }

    /// Notes a stream that has begun, so that its page can give it up.
    func streamBegan(_ stream: EventStream, number: UInt64, _ name: PageStreams.Name) {
        pages.begin(name, number: number)
        named[number] = stream
    }

    /// A page that had a stream was closed.
    func streamEnded(_ number: UInt64) {
        streams.end(number)
        pages.end(number)
        named[number] = nil
        boards.close(number)
        alerts.close(number)
        plans.close(number)
    }
}
