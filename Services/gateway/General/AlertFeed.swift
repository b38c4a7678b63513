import Bus
import Foundation
import Messages
import ShiftClient
import Speech

extension AlertFeed {
    /// What a follower of a feed reports.
    enum News {
        /// The feed was opened. These alerts are open and were not reported before.
        case opened([Alert])
        /// Something happened to an alert. The position is 0 if its end was missed: it was reported
        /// as open, and no longer is.
        case notice(AlertNotice)
        /// Nothing has come from the notifier for a while.
        case silent
        /// The notifier is back.
        case heard
        /// The number of notices that were missed for good.
        case lost(UInt64)
    }

    /// Follows the asking account's feed of alerts on the alert endpoint, through restarts of the
    /// notifier, and while no question can be asked because the access token can't be renewed. It
    /// reports nothing twice, and misses nothing that the notifier still keeps.
    final class Follower {
        private enum Question: Hashable {
            case open(MessageID)
            case read(MessageID)
        }

        /// How long to wait for a beat before asking the notifier, because it may be gone or the
        /// feed quiet; and how long to wait without beats.
        private static let silence: Duration = .milliseconds(3500)
        private static let frugalSilence: Duration = .seconds(15)
        private static let deadline: Duration = .seconds(5)
        /// How long to wait after a question that can't be asked; doubled each time, up to
        /// ``longestPause``.
        private static let shortestPause: Duration = .seconds(2)
        private static let longestPause: Duration = .seconds(8)

        private let session: Session
        private let client: Client
        private let isFrugal: Bool
        private var socket: Socket?
        private var topic = ""
        private var position: AlertFeedPosition?
        private var question: Question?
        /// The open alerts that were reported, by their ids.
        private var told: [String: Alert] = [:]
        private var lastHeard = ContinuousClock.now
        private var isSilent = false
        /// When to ask the notifier, although it may not be silent; nil if that isn't needed.
        private var due: ContinuousClock.Instant?
        private var pause = Follower.shortestPause
        /// True from a question that can't be asked, or is refused, until the next answer.
        private var isCutOff = false
        /// News of the connection, to be reported next.
        private var late: [News] = []
        /// How many times the notifier has reported what is new.
        private(set) var readings = 0

        /// A follower, which asks for the feed immediately.
        ///
        /// - Parameters:
        ///   - isPatient: true to wait for a notifier that is not running; false to make `news`
        ///     throw ``ClientError/notRunning(_:)`` then.
        ///   - isFrugal: true to do without beats, which cost more bytes than everything else on a
        ///     mobile network. Notices still come at once; one that is lost on the way comes with
        ///     the next one, or when the notifier is asked.
        init(_ session: Session, isPatient: Bool, isFrugal: Bool = false) throws {
            self.session = session
            self.isFrugal = isFrugal
            client = try session.client(.notifier, isPatient: isPatient)
            try open()
        }

        /// How many bytes of messages were sent and received.
        var traffic: Int { client.traffic + (socket?.traffic ?? 0) }

        /// True once the feed is open.
        var isOpen: Bool { position != nil }

        /// Waits for news.
        ///
        /// - Parameter time: how long to wait at most; the result is empty if nothing happened.
        func news(within time: Duration) throws -> [News] {
            let end = ContinuousClock.now + time
            while true {
                let left = max(.zero, end - ContinuousClock.now)
                // Before the feed is open, only an answer can bring news.
                var news = try takeAnswers(within: socket == nil ? left : .zero)
                news += try takeNotices()
                // What has come is reported first, because it may take a while to ask for more.
                if news.isEmpty {
                    try listen()
                    news = takeLate()
                }
                if !news.isEmpty || ContinuousClock.now >= end { return news }
                let slice: Duration = client.inFlight > 0 ? .milliseconds(10) : .milliseconds(500)
                let milliseconds = Int(min(left, slice) / .milliseconds(1)) + 1
                if let socket {
                    // We can't wait for the client's own socket together with this one.
                    try Poller.wait(for: socket, milliseconds: milliseconds)
                } else if client.inFlight == 0 {
                    // There is nothing to wait for until the next question.
                    poll(nil, 0, Int32(milliseconds))
                }
            }
        }

        private func takeLate() -> [News] {
            defer { late = [] }
            return late
        }

        private func open() throws {
            position = nil
            question = try send(OpenFeed()).map(Question.open)
        }

        /// Sends a question, unless none can be sent now because the access token can't be renewed
        /// or isn't accepted.
        ///
        /// - Returns: its id; nil if it has to be asked later.
        private func send(_ message: some ProtobufMessage) throws -> MessageID? {
            if let due, ContinuousClock.now < due { return nil }
            do {
                let id = try client.send(message, deadline: Self.deadline)
                due = nil
                return id
            } catch {
                guard client.isPatient, Failure.mayPass(error) else { throw error }
                putOff()
                return nil
            }
        }

        /// Asks nothing for a while.
        private func putOff() {
            due = ContinuousClock.now + pause
            pause = min(pause * 2, Self.longestPause)
            isCutOff = true
            fallSilent()
        }

        private func fallSilent() {
            guard socket != nil, !isSilent else { return }
            isSilent = true
            late.append(.silent)
        }

        private func takeAnswers(within time: Duration) throws -> [News] {
            var news: [News] = []
            for answer in try client.receive(within: time) {
                switch question {
                case .open(answer.id): news += try takeOpening(answer)
                case .read(answer.id): news += try takePage(answer)
                default: continue  // The answer to a question that was given up.
                }
            }
            return news + takeLate()
        }

        /// The content of an answer; nil if the question has to be asked again.
        private func content<R: ProtobufMessage>(
            of answer: Client.Answer, as _: R.Type
        ) throws -> R? {
            question = nil
            switch answer.result {
            case .failure(let error):
                guard client.isPatient else { throw error }
                fallSilent()
            case .success(let envelope):
                guard try session.renewsToken(after: envelope, to: client.token) else {
                    return try content(of: envelope)
                }
            }
            position?.forgetQuestion()
            due = ContinuousClock.now
            return nil
        }

        private func content<R: ProtobufMessage>(of reply: Envelope) throws -> R? {
            do {
                let content = try Client.unpack(reply, as: R.self)
                (due, pause, isCutOff) = (nil, Self.shortestPause, false)
                return content
            } catch {
                guard client.isPatient, Failure.mayPass(error) else { throw error }
                position?.forgetQuestion()
                putOff()
                return nil
            }
        }

        private func takeOpening(_ answer: Client.Answer) throws -> [News] {
            guard let feed = try content(of: answer, as: AlertFeed.self) else { return [] }
            client.isPatient = true
            position = AlertFeedPosition(openedAt: feed.feedSequence)
            try subscribe(to: feed.topic)
            let ids = Set(feed.open.map(\.id))
            let new = feed.open.filter { told[$0.id] == nil }
            let ended = feed.isComplete ? told.keys.filter { !ids.contains($0) }.sorted() : []
            let ends = ended.compactMap { told.removeValue(forKey: $0) }.map { alert in
                var alert = alert
                alert.state = .withdrawn
                return News.notice(AlertNotice(reason: .closed, alert: alert))
            }
            for alert in feed.open { told[alert.id] = alert }
            return ends + [.opened(new)] + hear()
        }

        /// The topic changes when the person renews it.
        private func subscribe(to topic: String) throws {
            guard socket == nil || topic != self.topic else { return }
            self.topic = topic
            let kinds = isFrugal ? ["info.", "warning.", "urgent."] : [""]
            socket = try session.connection.connect(
                .subscriber, to: .notifier, .alerts, subscribing: kinds.map { topic + $0 })
        }

        private func takePage(_ answer: Client.Answer) throws -> [News] {
            guard let page = try content(of: answer, as: FeedPage.self) else { return [] }
            readings += 1
            if !page.topic.isEmpty { try subscribe(to: page.topic) }
            return hear() + act(on: position?.receive(page))
        }

        private func takeNotices() throws -> [News] {
            var news: [News] = []
            while let frames = try socket?.receive() {
                // An unknown message is no reason to stop watching.
                guard frames.count == 2, let envelope = Self.envelope(frames[1]) else { continue }
                news += hear()
                switch envelope.type {
                case AlertNotice.protobufName:
                    let notice = try AlertNotice(unpacking: envelope.data)
                    news += act(on: position?.receive(notice))
                case FeedBeat.protobufName:
                    let beat = try FeedBeat(unpacking: envelope.data)
                    news += act(on: position?.receive(beat))
                default: continue
                }
            }
            return news
        }

        private static func envelope(_ frame: Frame) -> Envelope? {
            guard frame.count <= Envelope.maximumSize else { return nil }
            do { return try Envelope(unpacking: frame.bytes) } catch { return nil }
        }

        private func act(on outcome: AlertFeedPosition.Outcome?) -> [News] {
            guard let outcome else { return [] }
            if outcome.mustReopen {
                (position, question, due) = (nil, nil, due ?? ContinuousClock.now)
                return []
            }
            if outcome.missingAfter != nil {
                position?.forgetQuestion()
                due = due ?? ContinuousClock.now
            }
            for notice in outcome.notices {
                guard let alert = notice.alert else { continue }
                told[alert.id] = notice.reason == .closed ? nil : alert
            }
            return (outcome.lost > 0 ? [.lost(outcome.lost)] : [])
                + outcome.notices.map { .notice($0) }
        }

        private func hear() -> [News] {
            lastHeard = ContinuousClock.now
            guard isSilent, !isCutOff else { return [] }
            isSilent = false
            return [.heard]
        }

        /// Asks the notifier what is new, without waiting for a heartbeat. Its answer is counted in
        /// ``readings``.
        ///
        /// - Returns: false if the feed isn't open, or another question is under way.
        func look() throws -> Bool {
            guard question == nil, let after = position?.ask() else { return false }
            guard let id = try send(ReadFeed(after: after, limit: 500)) else {
                position?.forgetQuestion()
                return false
            }
            question = .read(id)
            return true
        }

        /// Asks the notifier if there is a reason to.
        private func listen() throws {
            if let due {
                guard question == nil, ContinuousClock.now >= due else { return }
                if position == nil { try open() } else { _ = try look() }
                return
            }
            let silence = isFrugal ? Self.frugalSilence : Self.silence
            guard ContinuousClock.now - lastHeard > silence else { return }
            _ = try look()
        }
    }
}
