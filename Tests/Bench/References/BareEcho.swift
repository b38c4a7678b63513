import CZeroMQ
import Foundation

/// The reference: plain ZeroMQ carries a message to a thread and back through its C interface and a
/// socket in the file system.
final class BareEcho {
    private let context = zmq_ctx_new()
    private let echoing = zmq_ctx_new()
    private let socket: UnsafeMutableRawPointer?
    private let message: [UInt8]

    /// - Parameter bytes: the length of the message, in both directions.
    init(_ path: String, bytes: Int) {
        message = [UInt8](repeating: 7, count: bytes)
        let router = zmq_socket(echoing, ZMQ_ROUTER)
        precondition(zmq_bind(router, "ipc://\(path)") == 0)
        socket = zmq_socket(context, ZMQ_DEALER)
        precondition(zmq_connect(socket, "ipc://\(path)") == 0)
        nonisolated(unsafe) let owned = router
        Thread.detachNewThread { Self.echo(owned, bytes) }
    }

    deinit {
        zmq_close(socket)
        zmq_ctx_term(context)
        // This makes the thread close its socket.
        zmq_ctx_term(echoing)
    }

    /// Sends the message, and waits for it to come back.
    func roundTrip() {
        precondition(zmq_send(socket, message, message.count, 0) == message.count)
        var answer = [UInt8](repeating: 0, count: message.count)
        precondition(zmq_recv(socket, &answer, answer.count, 0) == message.count)
    }

    private static func echo(_ router: UnsafeMutableRawPointer?, _ bytes: Int) {
        var peer = [UInt8](repeating: 0, count: 255)
        var body = [UInt8](repeating: 0, count: bytes)
        while true {
            let length = zmq_recv(router, &peer, peer.count, 0)
            guard length > 0, zmq_recv(router, &body, bytes, 0) == bytes else { break }
            zmq_send(router, peer, Int(length), ZMQ_SNDMORE)
            zmq_send(router, body, bytes, 0)
        }
        zmq_close(router)
    }
}
