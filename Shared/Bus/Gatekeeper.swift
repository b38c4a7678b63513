import CZeroMQ
import Foundation

/// Answers ZeroMQ's question whether a peer with a certain key may come in (ZAP, RFC 27): only the
/// keys of the ring may. It runs on a thread of its own for the life of the process.
public enum Gatekeeper {
    /// Begins to answer. Call it once, before an encrypted socket is bound.
    ///
    /// - Parameter allowed: the public keys that are let in, as Z85 text.
    public static func start(allowed: Set<String>, in context: Context) throws(BusError) {
        let socket = try Socket(.router, in: context)
        try socket.bind("inproc://zeromq.zap.01")
        let desk = Desk(socket: socket, allowed: allowed)
        Thread.detachNewThread { desk.run() }
    }

    /// Sound to hand to the thread: nothing else keeps the socket, and `Thread` start is a barrier,
    /// which is all that ZeroMQ asks of a socket that changes its thread.
    private struct Desk: @unchecked Sendable {
        let socket: Socket
        let allowed: Set<String>

        func run() {
            while true {
                do {
                    try Poller.wait(for: socket, milliseconds: -1)
                    while let request = try receiveAll() { try answer(request) }
                } catch {
                    return  // The context is gone, and with it the process.
                }
            }
        }

        /// A ZAP request has more frames than any message of ours.
        private func receiveAll() throws(BusError) -> [[UInt8]]? {
            guard let first = try Frame(from: socket.handle) else { return nil }
            var frames = [first.bytes]
            var more = first.hasMore
            while more, let next = try Frame(from: socket.handle) {
                frames.append(next.bytes)
                more = next.hasMore
            }
            return frames
        }

        /// Request: identity, empty, version, request id, domain, address, identity, mechanism,
        /// key.
        private func answer(_ request: [[UInt8]]) throws(BusError) {
            guard request.count >= 8 else { return }
            var isAllowed = false
            if request.count == 9, request[8].count == 32, request[7] == Array("CURVE".utf8) {
                var text = [CChar](repeating: 0, count: 41)
                zmq_z85_encode(&text, request[8], 32)
                let key = String(
                    decoding: text.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self)
                isAllowed = allowed.contains(key)
            }
            try socket.send([
                request[0], [], Array("1.0".utf8), request[3],
                Array((isAllowed ? "200" : "400").utf8), Array((isAllowed ? "OK" : "no").utf8),
                [], [],
            ])
        }
    }
}
