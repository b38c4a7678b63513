import CMosquitto
import Foundation
import Synchronization

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

/// Receives what is published on a topic of an MQTT broker, on a thread of its own, so that nobody
/// waits for the broker or for the lookup of its name. A broken connection is made again.
package final class MQTTSubscription: Sendable {
    /// A message.
    package struct Message: Hashable, Sendable {
        /// Its content.
        package let payload: [UInt8]
        /// True if the broker has kept it from before the subscription.
        package let isKept: Bool
    }

    /// How long to wait before another attempt to connect, in seconds.
    private static let pause = 2

    private let connection: MQTTConnection

    /// Begins to subscribe.
    ///
    /// - Parameters:
    ///   - topic: the topic.
    ///   - longest: the maximum length of a message, in bytes; longer ones are dropped.
    package init(_ topic: MQTTTopic, longest: Int) {
        let connection = MQTTConnection(topic, longest: longest)
        self.connection = connection
        Thread.detachNewThread {
            while !connection.isEnded {
                connection.serve()
                _ = connection.end.wait(timeout: .now() + .seconds(Self.pause))
            }
        }
    }

    deinit {
        connection.state.withLock { $0.isEnded = true }
        connection.end.signal()
    }

    /// Why nothing can be received; nil while something can.
    package var fault: String? { connection.state.withLock(\.fault) }

    /// The messages that have arrived since the last call, oldest first.
    package func newest() -> [Message] {
        connection.state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}

/// The connection of a subscription: served by its thread, which doesn't keep the subscription
/// alive.
private final class MQTTConnection: Sendable {
    struct State {
        var waiting: [MQTTSubscription.Message] = []
        /// Why the broker has refused; nil while it hasn't.
        var refusal: String?
        var fault: String? = "not connected yet"
        var isEnded = false
    }

    /// How often a silent broker is asked whether it is still there, in seconds.
    private static let keepalive: Int32 = 20
    /// How often to see whether the subscription has ended while waiting for the broker, in
    /// milliseconds.
    private static let patience: Int32 = 100
    /// The most messages that wait to be taken; older ones are dropped.
    private static let mostWaiting = 100

    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

    let state = Mutex(State())
    /// Ends the pause of the thread.
    let end = DispatchSemaphore(value: 0)
    private let topic: MQTTTopic
    private let longest: Int

    init(_ topic: MQTTTopic, longest: Int) { (self.topic, self.longest) = (topic, longest) }

    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Connects, and receives until the connection or the subscription ends.
    func serve() {
        state.withLock { $0.refusal = nil }
        // The broker is destroyed before this object, so the pointer stays valid.
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        guard Self.isReady, let broker = mosquitto_new(nil, true, pointer) else {
            return note(fault: "there is no memory")
        }
        defer { mosquitto_destroy(broker) }
        mosquitto_connect_callback_set(broker) { broker, pointer, answer in
            MQTTConnection.of(pointer)?.connected(broker, answer)
        }
        mosquitto_subscribe_callback_set(broker) { _, pointer, _, count, granted in
            MQTTConnection.of(pointer)?.note(
                fault: count > 0 && granted?.pointee ?? 0x80 < 0x80
                    ? nil : "the broker doesn't let it read the topic")
        }
        mosquitto_message_callback_set(broker) { _, pointer, message in
            if let message { MQTTConnection.of(pointer)?.take(message.pointee) }
        }
        var code = connect(broker)
        while code == MOSQ_ERR_SUCCESS.code, !isEnded {
            code = mosquitto_loop(broker, Self.patience, 1)
        }
        let reason = Self.words(code)
        state.withLock { $0.fault = $0.refusal ?? reason }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> MQTTConnection? {
        pointer.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Looks up the broker's name and waits for the answer, then begins to connect.
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
            let refusal =
                "the broker refuses: \(String(cString: mosquitto_connack_string(answer)))"
            state.withLock { ($0.refusal, $0.fault) = (refusal, refusal) }
            return
        }
        let code = mosquitto_subscribe(broker, nil, topic.topic, 1)
        if code != MOSQ_ERR_SUCCESS.code { note(fault: Self.words(code)) }
    }

    private func take(_ message: mosquitto_message) {
        guard message.payloadlen > 0, Int(message.payloadlen) <= longest else { return }
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        let taken = MQTTSubscription.Message(payload: Array(bytes), isKept: message.retain)
        state.withLock { state in
            if state.waiting.count == Self.mostWaiting { state.waiting.removeFirst() }
            state.waiting.append(taken)
        }
    }

    private func note(fault: String?) { state.withLock { $0.fault = fault } }

    private static func words(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }
}

extension mosq_err_t {
    fileprivate var code: Int32 { Int32(rawValue) }
}
