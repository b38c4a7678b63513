import Bus
import Foundation
import Messages

/// A person's program: follows a feed of alerts as described in docs/alert-topic.md, and records
/// every delivery.
public final class AlertFeedReader: CustomStringConvertible {
    private let recipient: String
    private let client: Client
    private let socket: Socket
    private var isOpen = false
    private var asked: MessageID?
    private var position: UInt64 = 0
    /// The ids under which the alert with a key was delivered.
    public private(set) var ids: [String: Set<String>] = [:]
    /// The received notices of the feed, by position.
    public private(set) var notices: [UInt64: AlertNotice] = [:]
    /// The number of notices that arrived live rather than on request.
    public private(set) var live = 0

    /// Creates a reader of a recipient's feed.
    ///
    /// - Parameters:
    ///   - connection: how to reach the notifier.
    ///   - recipient: whose feed to read.
    ///   - clock: returns the notifier's time, in milliseconds since 1970.
    public init(
        _ connection: Connection, recipient: String,
        clock: @escaping () -> Int64 = WallClock.milliseconds
    ) throws {
        self.recipient = recipient
        client = try Client(connection, to: .notifier, isPatient: true)
        client.clock = clock
        socket = try connection.connect(
            .subscriber, to: .notifier, .alerts, subscribing: ["alert.local.\(recipient)."])
    }

    /// Reads what has arrived, and requests what is missing.
    public func turn() throws {
        while let frames = try socket.receive() {
            guard frames.count == 2 else { continue }
            let envelope = try Envelope(unpacking: frames[1].bytes)
            if envelope.type == AlertNotice.protobufName {
                let notice = try AlertNotice(unpacking: envelope.data)
                live += 1
                take(notice)
                if notice.feedSequence > position { try ask() }
            } else if envelope.type == FeedBeat.protobufName {
                let beat = try FeedBeat(unpacking: envelope.data)
                if beat.feedSequence > position { try ask() }
            }
        }
        if !isOpen, asked == nil { try ask() }
        for answer in try client.receive(within: .zero) {
            if answer.id == asked { asked = nil }
            guard case .success(let envelope) = answer.result,
                envelope.type == FeedPage.protobufName
            else { continue }
            isOpen = true
            let page = try FeedPage(unpacking: envelope.data)
            for notice in page.notices { take(notice) }
            if page.feedSequence > position { try ask() }
        }
    }

    /// The reader's progress, for a complaint.
    public var description: String {
        "position \(position), \(notices.count) notices, \(live) live, \(ids.count) alerts, "
            + "asked: \(asked.map { "\($0)" } ?? "nothing"), open: \(isOpen)"
    }

    private func take(_ notice: AlertNotice) {
        if let alert = notice.alert, let key = alert.raised?.key {
            ids[key, default: []].insert(alert.id)
        }
        notices[notice.feedSequence] = notice
        while notices[position + 1] != nil { position += 1 }
    }

    private func ask() throws {
        guard asked == nil else { return }
        asked = try client.send(
            ReadFeed(recipient: recipient, after: position, limit: 500), deadline: .seconds(300))
    }
}
