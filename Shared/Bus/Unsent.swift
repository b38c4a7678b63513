import CZeroMQ
import Foundation
import Synchronization

/// The number of bytes that a router has accepted for its peers but the system has not accepted
/// yet. It grows while a peer does not read; ZeroMQ's own limit counts messages, whatever their
/// size.
///
/// Not Sendable: it belongs to the thread of the socket.
public final class Unsent {
    fileprivate final class Account: Sendable {
        let bytes = Atomic<Int>(0)
    }

    /// A header in front of a message's bytes, in the same block of memory.
    fileprivate struct Parcel {
        let account: Unmanaged<Account>
        let all: Unmanaged<Account>
        let count: Int
    }

    private var accounts: [[UInt8]: Account] = [:]
    private let all = Account()

    /// Makes a count of nothing sent yet.
    public init() {}

    /// The number of bytes that wait for a peer.
    public func bytes(for peer: [UInt8]) -> Int {
        accounts[peer]?.bytes.load(ordering: .relaxed) ?? 0
    }

    /// The number of bytes that wait for all peers together.
    public var total: Int { all.bytes.load(ordering: .relaxed) }

    /// Drops the peers for whom nothing waits. Call it from time to time.
    public func forgetIdle() {
        accounts = accounts.filter { $0.value.bytes.load(ordering: .relaxed) > 0 }
    }

    private func account(of peer: [UInt8]) -> Account {
        if let account = accounts[peer] { return account }
        let account = Account()
        accounts[peer] = account
        return account
    }

    /// Makes a message that is counted until ZeroMQ releases it, because it was sent or dropped.
    fileprivate func message(
        _ bytes: [UInt8], for peer: [UInt8]
    ) throws(BusError) -> zmq_msg_t {
        let account = account(of: peer)
        let offset = MemoryLayout<Parcel>.stride
        guard let block = malloc(offset + bytes.count) else { throw BusError("send") }
        // Safe: ZeroMQ calls `release` once for each message, on any thread, and until then nothing
        // else uses the block.
        block.initializeMemory(
            as: Parcel.self,
            to: Parcel(
                account: .passRetained(account), all: .passRetained(all), count: bytes.count))
        bytes.withUnsafeBytes {
            if let start = $0.baseAddress { memcpy(block + offset, start, bytes.count) }
        }
        var message = zmq_msg_t()
        guard
            zmq_msg_init_data(&message, block + offset, bytes.count, release, block) == 0
        else {
            free(block)
            throw BusError("send")
        }
        account.bytes.add(bytes.count, ordering: .relaxed)
        all.bytes.add(bytes.count, ordering: .relaxed)
        return message
    }
}

/// Called by ZeroMQ, on any thread, when it is done with a message.
private func release(_: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?) {
    guard let block else { return }
    let parcel = block.load(as: Unsent.Parcel.self)
    parcel.account.takeUnretainedValue().bytes.subtract(parcel.count, ordering: .relaxed)
    parcel.all.takeUnretainedValue().bytes.subtract(parcel.count, ordering: .relaxed)
    parcel.account.release()
    parcel.all.release()
    free(block)
}

extension Socket {
    /// Sends one frame to a peer of a router, without waiting, and counts it while it waits. The
    /// frame is dropped when the peer is gone or its queue is full.
    public func send(
        _ bytes: [UInt8], to peer: [UInt8], counting unsent: Unsent
    ) throws(BusError) {
        guard try sendFirst(peer) else { return }
        var message = try unsent.message(bytes, for: peer)
        while zmq_msg_send(&message, handle, ZMQ_DONTWAIT) < 0 {
            let code = zmq_errno()
            if code == EINTR { continue }
            let error = BusError("send")
            zmq_msg_close(&message)
            if code == EAGAIN || code == EHOSTUNREACH { return }
            throw error
        }
    }
}
