import CMosquitto

/// A topic of an MQTT broker, and how to log in there.
package struct MQTTTopic: Hashable, Sendable {
    /// The name or address of the broker.
    package var host: String
    /// Its TCP port.
    package var port: UInt16
    /// True if the connection is encrypted by TLS; the certificate must be valid.
    package var isEncrypted: Bool
    /// The topic, without wildcards: one person's telephone.
    package var topic: String
    /// The name to log in with; empty to log in without.
    package var user = ""
    /// The password of that name.
    package var password = ""

    /// Reads `mqtt://HOST[:PORT]/TOPIC`, or `mqtts://` for an encrypted connection; nil for
    /// anything else.
    package init?(_ text: String) {
        let form = #/(mqtts?)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+)(?::([0-9]{1,5}))?/(.+)/#
        guard let match = text.wholeMatch(of: form) else { return nil }
        isEncrypted = match.1 == "mqtts"
        guard let port = match.3.map({ UInt16($0) }) ?? (isEncrypted ? 8_883 : 1_883), port > 0
        else { return nil }
        topic = String(match.4)
        guard topic.utf8.count <= 1_000, !topic.contains(where: "+#\0".contains) else { return nil }
        host = match.2.hasPrefix("[") ? String(match.2.dropFirst().dropLast()) : String(match.2)
        self.port = port
    }
}

/// Receives what is published on a topic of an MQTT broker. Nothing here waits: it is asked again
/// and again. A broken connection is made again.
///
/// Not Sendable: it belongs to the thread that made it.
package final class MQTTSubscription {
    /// A message.
    package struct Message: Hashable, Sendable {
        /// What it says.
        package let payload: [UInt8]
        /// True if the broker has kept it from before the subscription.
        package let isKept: Bool
    }

    /// How long to wait before another attempt to connect.
    private static let pause: Duration = .seconds(2)
    /// How often a silent broker is asked whether it is still there, in seconds.
    private static let keepalive: Int32 = 20
    /// The most messages that wait to be taken; older ones are dropped.
    private static let mostWaiting = 100
    /// How often the connection is served in one call.
    private static let mostServings = 20

    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

    private let topic: MQTTTopic
    private let longest: Int
    private var broker: OpaquePointer?
    private var next = ContinuousClock.now
    private var waiting: [Message] = []
    /// Why the broker has refused; nil while it hasn't.
    private var refusal: String?
    /// Why nothing can be received; nil while something can.
    package private(set) var fault: String? = "not connected yet"

    /// A subscription that is made with the first call of ``newest()``.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - longest: the longest message that is taken, in bytes; longer ones are dropped.
    package init(_ topic: MQTTTopic, longest: Int) { (self.topic, self.longest) = (topic, longest) }

    deinit { if let broker { mosquitto_destroy(broker) } }

    /// What has arrived since the last call, oldest first.
    package func newest() -> [Message] {
        if broker == nil { begin() }
        guard let broker else { return [] }
        for _ in 0..<Self.mostServings {
            let before = waiting.count
            let code = mosquitto_loop(broker, 0, 1)
            guard code == MOSQ_ERR_SUCCESS.code else {
                end(by: refusal ?? Self.words(code))
                break
            }
            if waiting.count == before { break }
        }
        defer { waiting = [] }
        return waiting
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> MQTTSubscription? {
        pointer.map { Unmanaged<MQTTSubscription>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin() {
        guard ContinuousClock.now >= next else { return }
        (next, refusal) = (ContinuousClock.now + Self.pause, nil)
        // The broker is destroyed before this object, so the pointer stays valid.
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        guard Self.isReady, let broker = mosquitto_new(nil, true, pointer) else {
            fault = "there is no memory"
            return
        }
        self.broker = broker
        mosquitto_connect_callback_set(broker) { broker, pointer, answer in
            MQTTSubscription.of(pointer)?.connected(broker, answer)
        }
        mosquitto_subscribe_callback_set(broker) { _, pointer, _, count, granted in
            MQTTSubscription.of(pointer)?.fault =
                count > 0 && granted?.pointee ?? 0x80 < 0x80
                ? nil : "the broker doesn't let it read the topic"
        }
        mosquitto_message_callback_set(broker) { _, pointer, message in
            if let message { MQTTSubscription.of(pointer)?.take(message.pointee) }
        }
        let code = connect(broker)
        if code != MOSQ_ERR_SUCCESS.code { end(by: Self.words(code)) }
    }

    private func connect(_ broker: OpaquePointer) -> Int32 {
        var code = MOSQ_ERR_SUCCESS.code
        if !topic.user.isEmpty {
            code = mosquitto_username_pw_set(broker, topic.user, topic.password)
        }
        if code == MOSQ_ERR_SUCCESS.code, topic.isEncrypted {
            code = mosquitto_tls_set(broker, nil, "/etc/ssl/certs", nil, nil, nil)
        }
        guard code == MOSQ_ERR_SUCCESS.code else { return code }
        return mosquitto_connect_async(broker, topic.host, Int32(topic.port), Self.keepalive)
    }

    private func connected(_ broker: OpaquePointer?, _ answer: Int32) {
        guard answer == 0 else {
            refusal = "the broker refuses: \(String(cString: mosquitto_connack_string(answer)))"
            fault = refusal
            return
        }
        let code = mosquitto_subscribe(broker, nil, topic.topic, 1)
        if code != MOSQ_ERR_SUCCESS.code { fault = Self.words(code) }
    }

    private func take(_ message: mosquitto_message) {
        guard message.payloadlen > 0, Int(message.payloadlen) <= longest else { return }
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        if waiting.count == Self.mostWaiting { waiting.removeFirst() }
        waiting.append(Message(payload: Array(bytes), isKept: message.retain))
    }

    private func end(by reason: String) {
        if let broker { mosquitto_destroy(broker) }
        (broker, fault) = (nil, reason)
    }

    private static func words(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }
}

extension mosq_err_t {
    fileprivate var code: Int32 { Int32(rawValue) }
}
