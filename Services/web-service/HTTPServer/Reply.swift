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
    /// - Parameter ended: called once on the thread of the server, when the browser has
    ///   disconnected or was too slow.
    public func stream(ended: @escaping @Sendable () -> Void) -> EventStream {
        loop.execute { [handler, number] in handler.value.beginStream(number, ended: ended) }
        return EventStream(handler, number: number, on: loop)
    }
}

/// Bytes as part of a body of unknown length (RFC 9112, 7.1).
private struct Chunk {
    let buffer: ByteBuffer

    init(_ bytes: [UInt8]) {
        var buffer = ByteBufferAllocator().buffer(capacity: bytes.count + 12)
        buffer.writeString(String(bytes.count, radix: 16) + "\r\n")
        buffer.writeBytes(bytes)
        buffer.writeStaticString("\r\n")
        self.buffer = buffer
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

    /// Sends events, or ends the stream if the page reads too slowly. The page then opens another
    /// one, and gets what it missed.
    public func send(_ bytes: [UInt8]) { Self.send(bytes, to: CollectionOfOne(self)) }

    /// Sends the same events to many pages, encoded only once.
    public static func send(
        _ bytes: [UInt8], to streams: some Collection<EventStream> & Sendable
    ) {
        guard let loop = streams.first?.loop, !bytes.isEmpty else { return }
        let chunk = Chunk(bytes)
        loop.execute {
            for stream in streams {
                stream.handler.value.send(chunk.buffer, in: stream.number)
            }
        }
    }

    /// Ends the stream.
    public func end() {
        loop.execute { [handler, number] in handler.value.endStream(number) }
    }
}
