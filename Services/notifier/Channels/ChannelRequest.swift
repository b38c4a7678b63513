import Checksum
import Foundation
import Messages
import Phrases
import Transfers

/// The request by which a channel delivers a notice.
extension HTTPRequest {
    /// The maximum number of bytes of a title, and of a text, on a phone.
    private static let (longestTitle, longestText) = (200, 3_500)

    /// Makes the request.
    ///
    /// - Parameters:
    ///   - delivery: what is delivered.
    ///   - notice: the notice, in its recipient's language.
    ///   - channel: the channel; its address is valid.
    ///   - secret: the channel's secret; may be empty.
    ///   - language: the recipient's language.
    ///   - page: where the recipient acknowledges alerts in a browser; nil if that isn't known.
    ///   - now: the present time in milliseconds since 1970, which a signature includes.
    /// - Throws: a `Refusal` when the address is not valid.
    init(
        _ delivery: AlertDelivery, _ notice: AlertNotice, by channel: AlertChannel, secret: String,
        in language: Language, page: String?, at now: Int64
    ) throws {
        let address = try ChannelAddress(channel.address)
        let alert = notice.alert ?? Alert()
        switch channel.kind {
        case .ntfy:
            let push = NtfyBody(
                topic: address.topic ?? "", title: Self.title(of: notice, in: language),
                message: Self.text(of: notice, in: language), priority: Self.ntfyPriority(notice),
                tags: [Self.ntfyTag(notice)], click: Self.link(of: alert) ?? page,
                actions: Self.buttons(of: alert, page, in: language), sequenceID: delivery.id)
            let token = secret.isEmpty ? [] : ["Authorization: Bearer \(secret)"]
            self.init(url: address.server + "/", headers: token, body: try Self.json(push))
        case .gotify:
            let push = GotifyBody(
                title: Self.title(of: notice, in: language),
                message: Self.text(of: notice, in: language),
                priority: Self.gotifyPriority(notice),
                extras: GotifyBody.Extras(
                    notification: (Self.link(of: alert) ?? page).map { .init(click: ["url": $0]) },
                    delivery: ["id": delivery.id]))
            let server = [address.server, address.topic].compactMap(\.self).joined(separator: "/")
            self.init(
                url: server + "/message", headers: ["X-Gotify-Key: \(secret)"],
                body: try Self.json(push))
        default:
            let body = try Self.json(WebhookBody(delivery, notice))
            var headers = ["Idempotency-Key: \(delivery.id)"]
            if !secret.isEmpty {
                let time = String(now / 1000)
                let signed = Array("\(time).".utf8) + body
                let signature = Checksum.hmac(signed, key: Array(secret.utf8))
                headers.append("Steward-Signature: t=\(time),v1=\(Checksum.digits(signature))")
            }
            self.init(url: address.text, headers: headers, body: body)
        }
    }

    fileprivate static func json(_ body: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(body))
    }

    /// The title of the alert. A phone gets the end only of an urgent alert that it hasn't told.
    private static func title(of notice: AlertNotice, in language: Language) -> String {
        let title = notice.alert?.raised?.title ?? ""
        guard notice.reason == .closed else { return title.prefix(bytes: longestTitle) }
        let words = Words<AlertPhrase>(language)
        return "\(words.say(.urgent)) \(words.say(.over)): \(title)".prefix(bytes: longestTitle)
    }

    /// The body of the alert, or its title if it has none; and how often it was repeated, or that
    /// it is over.
    private static func text(of notice: AlertNotice, in language: Language) -> String {
        let alert = notice.alert ?? Alert()
        let said = alert.raised?.body ?? ""
        let text = (said.isEmpty ? alert.raised?.title ?? "" : said).prefix(bytes: longestText)
        let words = Words<AlertPhrase>(language)
        if notice.reason == .closed { return text + "\n" + words.say(.overNotice) }
        guard notice.reason == .repeated else { return text }
        let times = Said<AlertPhrase>(.told, ["count": .number(Int(clamping: alert.repeats) + 1)])
        return text + "\n" + words.say(times)
    }

    /// The web page that an alert is about; nil for none.
    private static func link(of alert: Alert) -> String? {
        (alert.raised?.actions ?? []).map(\.target)
            .first { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
    }

    /// The button that opens the page on which an alert is acknowledged. It doesn't acknowledge the
    /// alert itself, because anyone who reads the topic could press it.
    private static func buttons(
        of alert: Alert, _ page: String?, in language: Language
    ) -> [NtfyButton]? {
        guard let page, alert.state == .open, alert.raised?.needsAcknowledgement == true else {
            return nil
        }
        return [NtfyButton(label: Words<AlertPhrase>(language).say(.acknowledge), url: page)]
    }

    /// The page on which people acknowledge alerts, if `STEWARD_WEB_ORIGIN` has an address that
    /// phones can reach.
    static func alertPage(_ settings: [String: String]) -> String? {
        (settings["STEWARD_WEB_ORIGIN"] ?? "").split(separator: " ")
            .first { $0.hasPrefix("https://") }.map { "\($0)/alerts" }
    }

    /// 3 is ordinary, 5 the loudest; 2 makes no sound.
    private static func ntfyPriority(_ notice: AlertNotice) -> Int {
        switch notice.alert?.severity {
        case _ where notice.reason == .closed: 2
        case .urgent: 5
        case .warning: 4
        default: 3
        }
    }

    private static func ntfyTag(_ notice: AlertNotice) -> String {
        switch notice.alert?.severity {
        case _ where notice.reason == .closed: "white_check_mark"
        case .urgent: "rotating_light"
        case .warning: "warning"
        default: "information_source"
        }
    }

    /// From 4 on, a phone makes a sound; from 8 on, it also shows the message above others.
    private static func gotifyPriority(_ notice: AlertNotice) -> Int {
        switch notice.alert?.severity {
        case _ where notice.reason == .closed: 2
        case .urgent: 8
        case .warning: 5
        default: 2
        }
    }
}

/// The message by which a channel delivers a notice to an MQTT topic.
extension MQTTMessage {
    /// Makes the message, with the same content as for a webhook.
    ///
    /// - Parameters:
    ///   - delivery: what is delivered.
    ///   - notice: the notice, in its recipient's language.
    ///   - channel: the channel; its address is valid.
    ///   - secret: the user and the password with a colon between them; may be empty.
    /// - Throws: a `Refusal` when the address is not valid.
    init(
        _ delivery: AlertDelivery, _ notice: AlertNotice, by channel: AlertChannel, secret: String
    ) throws {
        let address = try ChannelAddress(channel.address)
        let words = secret.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            host: address.host, port: address.port ?? (address.isEncrypted ? 8883 : 1883),
            isEncrypted: address.isEncrypted, user: String(words.first ?? ""),
            password: words.count == 2 ? String(words[1]) : "", topic: address.path,
            payload: try HTTPRequest.json(WebhookBody(delivery, notice)))
    }
}

/// The JSON that ntfy expects.
private struct NtfyBody: Encodable {
    let topic: String
    let title: String
    let message: String
    let priority: Int
    let tags: [String]
    let click: String?
    let actions: [NtfyButton]?
    /// Names the notification: one that comes again under the same name takes its place. It has
    /// letters, digits, - and _, at most 64. Servers older than 2.16 ignore it.
    let sequenceID: String

    private enum CodingKeys: String, CodingKey {
        case topic, title, message, priority, tags, click, actions
        case sequenceID = "sequence_id"
    }
}

/// A button of a notification that opens a page.
private struct NtfyButton: Encodable {
    let action = "view"
    let label: String
    let url: String
}

/// The JSON that Gotify expects.
private struct GotifyBody: Encodable {
    let title: String
    let message: String
    let priority: Int
    let extras: Extras

    /// Extra data, by namespace. Gotify passes namespaces that it doesn't know on to clients.
    struct Extras: Encodable {
        /// What a tap on the notification opens.
        struct Notification: Encodable {
            let click: [String: String]
        }

        let notification: Notification?
        /// The id of the delivery, by which a client recognises one that comes again.
        let delivery: [String: String]

        private enum CodingKeys: String, CodingKey {
            case notification = "client::notification"
            case delivery = "steward::delivery"
        }
    }
}

/// The JSON that a webhook gets; docs/channels.md describes it.
private struct WebhookBody: Encodable {
    struct Button: Encodable {
        let name: String
        let title: String
        let target: String
    }

    struct Told: Encodable {
        let id: String
        let source: String
        let key: String
        let kind: String
        let severity: String
        let state: String
        let title: String
        let body: String
        let subject: String
        let recipient: String
        let organisation: String
        let needsAcknowledgement: Bool
        let time: String
        let repeats: UInt32
        let acknowledgedBy: String
        let actions: [Button]
    }

    let version = 1
    let id: String
    let feedSequence: UInt64
    let reason: String
    let alert: Told

    private enum CodingKeys: String, CodingKey { case version, id, feedSequence, reason, alert }

    init(_ delivery: AlertDelivery, _ notice: AlertNotice) {
        id = delivery.id
        feedSequence = notice.feedSequence
        reason = "\(notice.reason)"
        let alert = notice.alert ?? Alert()
        let raised = alert.raised ?? AlertRaised()
        let time = Date(timeIntervalSince1970: Double(MessageTime.clamped(alert.time)) / 1000)
        self.alert = Told(
            id: alert.id, source: alert.source, key: raised.key, kind: raised.kind,
            severity: "\(alert.severity)", state: "\(alert.state)", title: raised.title,
            body: raised.body, subject: raised.subject, recipient: alert.address.recipient,
            organisation: alert.address.organisation,
            needsAcknowledgement: raised.needsAcknowledgement,
            time: time.formatted(.iso8601), repeats: alert.repeats,
            acknowledgedBy: alert.acknowledgedBy,
            actions: raised.actions.map {
                Button(name: $0.name, title: $0.title, target: $0.target)
            })
    }
}
