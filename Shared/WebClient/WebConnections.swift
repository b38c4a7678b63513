import CCurl
import Synchronization

/// Connections to web servers that stay open from one request to the next, which saves each request
/// a handshake. They close when this is released. Requests that are sent at the same time have a
/// connection each.
///
/// A handle goes from thread to thread, but only one has it at a time: libcurl allows that.
///
/// Only use it for a server whose reach doesn't change: an address is checked when a connection to
/// it is opened.
package final class WebConnections: Sendable {
    /// A handle of libcurl, which owns the connections that were opened with it. Only one thread at
    /// a time has it.
    private struct Handle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    /// The handles that nobody uses at the moment.
    private let idle = Mutex<[Handle]>([])

    package init() {}

    deinit {
        idle.withLock { handles in
            for handle in handles { ccurl_easy_cleanup(handle.pointer) }
        }
    }

    /// A handle for one exchange; nil if there is no memory for it.
    func take() -> UnsafeMutableRawPointer? {
        idle.withLock { $0.popLast() }?.pointer ?? ccurl_easy_init()
    }

    /// Puts a handle back after an exchange, with its connections.
    func put(_ pointer: UnsafeMutableRawPointer) {
        // Nothing of the last request, such as a password, is left for the next one.
        ccurl_easy_reset(pointer)
        let handle = Handle(pointer: pointer)
        idle.withLock { $0.append(handle) }
    }
}
