import HTTPExchange
import NIOCore

/// The answer to one request, which any thread may give. Only the first counts.
public final class Reply: Sendable {
    private let handler: NIOLoopBound<ExchangeHandler>
    private let number: UInt64
    private let loop: any EventLoop

    init(_ handler: NIOLoopBound<ExchangeHandler>, number: UInt64, on loop: any EventLoop) {
        (self.handler, self.number, self.loop) = (handler, number, loop)
    }

    /// Sends a response.
    public func send(_ response: Response) {
        loop.execute { [handler, number] in handler.value.answer(response, to: number) }
    }

    /// Begins a stream of events.
    ///
    /// - Parameter ended: called once on the thread of the server, when the browser has gone or was
    ///   too slow.
    public func stream(ended: @escaping @Sendable () -> Void) -> EventStream {
        loop.execute { [handler, number] in handler.value.beginStream(number, ended: ended) }
        return EventStream(handler, number: number, on: loop)
    }
}

/// A stream of events to one page. Any thread may use it.
public final class EventStream: Sendable {
    private let handler: NIOLoopBound<ExchangeHandler>
    private let number: UInt64
    private let loop: any EventLoop

    init(_ handler: NIOLoopBound<ExchangeHandler>, number: UInt64, on loop: any EventLoop) {
        (self.handler, self.number, self.loop) = (handler, number, loop)
    }

    /// Sends events, or ends the stream if the page reads too slowly: it opens another one, and
    /// then gets what it missed.
    public func send(_ bytes: [UInt8]) {
        loop.execute { [handler, number] in handler.value.send(bytes, in: number) }
    }

    /// Ends the stream.
    public func end() {
        loop.execute { [handler, number] in handler.value.endStream(number) }
    }
}
