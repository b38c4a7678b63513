import CMosquitto
import Foundation

/// What to publish on a topic of an MQTT broker.
package struct MQTTMessage: Hashable, Sendable {
    /// The name or address of the broker.
    package let host: String
    /// Its TCP port.
    package let port: Int
    /// True if the connection is encrypted by TLS; the certificate must be valid.
    package let isEncrypted: Bool
    /// The name to log in with; empty to log in without.
    package let user: String
    /// The password of that name.
    package let password: String
    /// The topic, without wildcards.
    package let topic: String
    /// The message.
    package let payload: [UInt8]

    /// Makes a message.
    ///
    /// - Parameters:
    ///   - host: the name or address of the broker.
    ///   - port: its TCP port.
    ///   - isEncrypted: whether the connection is encrypted.
    ///   - user: the name to log in with; empty to log in without.
    ///   - password: the password of that name.
    ///   - topic: the topic.
    ///   - payload: the message.
    package init(
        host: String, port: Int, isEncrypted: Bool, user: String, password: String, topic: String,
        payload: [UInt8]
    ) {
        (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
        (self.user, self.password) = (user, password)
        (self.topic, self.payload) = (topic, payload)
    }
}

/// Publishes a message at an MQTT broker with QoS 1, and waits for its acknowledgement.
package struct MQTTTransfer: Sendable {
    /// How long a broker may take, from the connection to the acknowledgement.
    private let limit: Duration
    /// How long to wait for the network at a time, in milliseconds.
    private static let slice: Int32 = 100
    /// How often a broker is asked whether it is still there, in seconds; longer than any limit.
    private static let keepalive: Int32 = 60
    /// How many bytes the kernel receives in advance. libmosquitto makes room for whatever length a
    /// broker announces, up to 256 MB, and fills it with what has been received. An honest broker
    /// sends a few bytes, and its certificates.
    private static let received: Int32 = 4096

    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

    /// What the broker has said so far.
    private final class Exchange {
        var answer: Int32?
        var message: Int32?
        var isAcknowledged = false

        static func of(_ pointer: UnsafeMutableRawPointer) -> Exchange {
            Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        }
    }

    /// Makes a transfer.
    package init(limit: Duration = .seconds(20)) { self.limit = limit }

    /// Publishes a message.
    package func send(_ message: MQTTMessage) -> DeliveryOutcome {
        let exchange = Exchange()
        let pointer = Unmanaged.passUnretained(exchange).toOpaque()
        guard Self.isReady, let broker = mosquitto_new(nil, true, pointer) else {
            return .delayed("there isn't enough memory to send it", after: 0)
        }
        defer { mosquitto_destroy(broker) }
        mosquitto_connect_callback_set(broker) { _, pointer, answer in
            if let pointer { Exchange.of(pointer).answer = answer }
        }
        mosquitto_publish_callback_set(broker) { _, pointer, message in
            guard let pointer else { return }
            let exchange = Exchange.of(pointer)
            if exchange.message == message { exchange.isAcknowledged = true }
        }
        return withExtendedLifetime(exchange) {
            if let failure = connect(broker, message) { return .delayed(failure, after: 0) }
            return publish(message, broker, exchange)
        }
    }

    private func connect(_ broker: OpaquePointer, _ message: MQTTMessage) -> String? {
        var code = MOSQ_ERR_SUCCESS.code
        if !message.user.isEmpty {
            code = mosquitto_username_pw_set(broker, message.user, message.password)
        }
        if code == MOSQ_ERR_SUCCESS.code, message.isEncrypted {
            code = mosquitto_tls_set(broker, nil, "/etc/ssl/certs", nil, nil, nil)
        }
        if code == MOSQ_ERR_SUCCESS.code {
            code = mosquitto_connect_async(
                broker, message.host, Int32(clamping: message.port), Self.keepalive)
        }
        guard code == MOSQ_ERR_SUCCESS.code else { return Self.words(code) }
        var size = Self.received
        let isSet = setsockopt(
            mosquitto_socket(broker), SOL_SOCKET, SO_RCVBUF, &size,
            socklen_t(MemoryLayout<Int32>.size))
        return isSet == 0 ? nil : "what the broker sends can't be limited"
    }

    private func publish(
        _ message: MQTTMessage, _ broker: OpaquePointer, _ exchange: Exchange
    ) -> DeliveryOutcome {
        // A wait ends early only when something arrives, which happens twice with an honest broker.
        // Each time no more is read than the kernel has received.
        for _ in 0..<limit.milliseconds / Int(Self.slice) {
            let code = mosquitto_loop(broker, Self.slice, 1)
            if let answer = exchange.answer, answer != 0 {
                let reason = String(cString: mosquitto_connack_string(answer))
                return .delayed("the broker refuses the connection: \(reason)", after: 0)
            }
            if exchange.isAcknowledged {
                _ = mosquitto_disconnect(broker)
                _ = mosquitto_loop(broker, 0, 1)
                return .accepted
            }
            guard code == MOSQ_ERR_SUCCESS.code else {
                return .delayed(Self.words(code), after: 0)
            }
            guard exchange.answer != nil, exchange.message == nil else { continue }
            var number: Int32 = 0
            let published = mosquitto_publish(
                broker, &number, message.topic, Int32(clamping: message.payload.count),
                message.payload, 1, false)
            guard published == MOSQ_ERR_SUCCESS.code else {
                return Self.outcome(ofPublishing: published)
            }
            exchange.message = number
        }
        return .delayed("the broker doesn't answer", after: 0)
    }

    /// The outcome if the library doesn't take a message. Only errors about the message itself are
    /// final: otherwise the connection may just have been lost.
    static func outcome(ofPublishing code: Int32) -> DeliveryOutcome {
        let ofMessage = [
            MOSQ_ERR_INVAL, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_MALFORMED_UTF8,
            MOSQ_ERR_OVERSIZE_PACKET,
        ]
        let isOfMessage = ofMessage.contains { $0.code == code }
        return isOfMessage ? .refused(words(code)) : .delayed(words(code), after: 0)
    }

    private static func words(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }
}

extension mosq_err_t {
    fileprivate var code: Int32 { Int32(rawValue) }
}
