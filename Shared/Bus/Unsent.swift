import CZeroMQ
import Foundation
import Synchronization

/// How many bytes a router has taken for its peers that the system has not taken yet. A peer that
/// does not read lets them grow; ZeroMQ's own limit counts messages, however large they are.
///
/// Not Sendable: it belongs to the thread of the socket.
public final class Unsent {
    fileprivate final class Account: Sendable {
        let bytes = Atomic<Int>(0)
    }

    /// A message's bytes lie behind it, in the same block of memory.
    fileprivate struct Parcel {
        let account: Unmanaged<Account>
        let all: Unmanaged<Account>
        let count: Int
    }

    private var accounts: [[UInt8]: Account] = [:]
    private let all = Account()

    /// Nothing was sent yet.
    public init() {}

    /// Bytes that wait for a peer.
    public func bytes(for peer: [UInt8]) -> Int {
        accounts[peer]?.bytes.load(ordering: .relaxed) ?? 0
    }

    /// Bytes that wait for all peers together.
    public var total: Int { all.bytes.load(ordering: .relaxed) }

    /// Drops the peers for whom nothing waits. Call it now and then.
    public func forgetIdle() {
        accounts = accounts.filter { $0.value.bytes.load(ordering: .relaxed) > 0 }
    }

    private func account(of peer: [UInt8]) -> Account {
        if let account = accounts[peer] { return account }
        let account = Account()
        accounts[peer] = account
        return account
    }

    /// A message that is counted until ZeroMQ lets go of it, because it was sent or dropped.
    fileprivate func message(
        _ bytes: [UInt8], for peer: [UInt8]
    ) throws(BusError) -> zmq_msg_t {
        let account = account(of: peer)
        let offset = MemoryLayout<Parcel>.stride
        guard let block = malloc(offset + bytes.count) else { throw BusError("send") }
        // Sound: ZeroMQ calls `release` once for each message, from whatever thread, and until then
        // nothing else has the block.
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

/// ZeroMQ lets go of a message, on whatever thread.
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
    /// Sends one frame to a peer of a router, without waiting, and counts it as long as it waits.
    /// It is dropped when the peer is gone or its queue is full.
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
