import Glibc
import HTTPExchange
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// What the server asks the program about each request.
public struct HTTPRules: Sendable {
    /// What happens to a request, decided before its body is read.
    public enum Verdict: Sendable {
        /// It is answered at once. The connection is closed if a body follows.
        case answer(Response)
        /// Its body is read, up to this number of bytes, and then it is answered.
        case read(bodyLimit: Int)
    }

    /// Decides about a request before its body arrives. Called on the thread of the server.
    public let admit: @Sendable (Request) -> Verdict
    /// Answers a request. Called on the thread of the server; any thread may use the reply, later.
    public let answer: @Sendable (Request, Reply) -> Void
    /// Told what the server refuses by its own limits, with the request if that could be read.
    /// Called on the thread of the server.
    public let refused: @Sendable (Status, Request?) -> Void
    /// The headers of every response.
    public let headers: [(name: String, value: String)]

    /// Makes the rules of a server.
    public init(
        headers: [(name: String, value: String)], admit: @escaping @Sendable (Request) -> Verdict,
        answer: @escaping @Sendable (Request, Reply) -> Void,
        refused: @escaping @Sendable (Status, Request?) -> Void = { _, _ in }
    ) {
        (self.headers, self.admit, self.answer) = (headers, admit, answer)
        self.refused = refused
    }
}

/// Why a server can't listen at an address, in the words of the system alone.
public struct ListenError: Error, CustomStringConvertible {
    public let description: String
}

/// The limits of what a connection may cost.
public struct HTTPLimits: Sendable {
    /// The most connections; one more is closed at once.
    public var connections = 1024
    /// The most connections from one address, or from one network in IPv6. Everyone may come from
    /// one address, behind a container engine or a router that hides where they come from.
    public var connectionsOfOne = 896
    /// The addresses for which only the total counts, because many come through them.
    public var manifold: Set<String> = []
    /// The most bytes of a request line and its headers, with those after the body.
    public var headBytes = 16 << 10
    /// The most headers.
    public var headers = 100
    /// How long a request line and its headers may take from their first byte.
    public var headTime: Duration = .seconds(10)
    /// How long a connection may be idle between requests, or while an answer is being sent.
    public var quietTime: Duration = .seconds(60)
    /// How long a body may take, in addition to a second for each kibibyte of its length, or of its
    /// limit if its length isn't announced.
    public var bodyTime: Duration = .seconds(30)
    /// The most bytes of the bodies that are arriving on all connections. One too many ends the
    /// body that began first.
    public var arrivingBytes = 32 << 20
    /// The most bytes of the answers that wait to be read on all connections. One too many closes
    /// the connection that has waited longest.
    public var leavingBytes = 64 << 20
    /// The most bytes that may wait for a browser that doesn't read.
    public var unsentBytes = 64 << 10
    /// How long they may wait, even for a browser whose network is down.
    public var unsentTime: Duration = .seconds(10)

    /// The limits of the product.
    public init() {}

    /// The limits of the parser, which reads headers after a body too.
    var parsing: NIOHTTPDecoderLimitConfiguration {
        var parsing = NIOHTTPDecoderLimitConfiguration()
        (parsing.maxHeaderFieldSize, parsing.maxHeaderListSize) = (headBytes, headBytes)
        return parsing
    }
}

/// Answers HTTP/1.1 on one thread, with strict limits on everything that arrives.
public final class HTTPServer: Sendable {
    /// The Linux option that ends a connection whose other side acknowledges nothing for this long
    /// (RFC 5482). The system would otherwise try for a quarter of an hour.
    private static let userTimeout = NIOBSDSocket.Option(rawValue: 18)

    /// The port that it listens on.
    public let port: Int
    private let channel: any Channel

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: the address to listen on.
    ///   - port: the port; 0 for any that is free.
    ///   - rules: what the program does with requests.
    ///   - limits: the limits of connections.
    /// - Throws: ``ListenError`` if the address is in use or doesn't belong to this machine.
    public init(
        host: String, port: Int, limits: HTTPLimits = HTTPLimits(), rules: HTTPRules
    ) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let count = ConnectionCount(limits)
        let bodies = MovingBodies(most: limits.arrivingBytes, connections: limits.connections)
        let answers = MovingBodies(most: limits.leavingBytes, connections: limits.connections)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .tcpOption(Self.userTimeout), value: Int(limits.unsentTime / .milliseconds(1))
            )
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: limits.unsentBytes / 2, high: limits.unsentBytes)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let source = Source.network(of: channel.remoteAddress?.ipAddress ?? "")
                    guard count.enter(source) else { throw ChannelError.eof }
                    channel.closeFuture.whenComplete { _ in count.leave(source) }
                    let exchange = ExchangeHandler(rules, limits, bodies, answers)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ByteWatch(exchange))
                    try pipeline.configureHTTPServerPipeline(
                        withPipeliningAssistance: true, withErrorHandling: false,
                        withEncoderConfiguration: .init(),
                        withDecoderLimitConfiguration: limits.parsing)
                    try pipeline.addHandler(exchange)
                }
            }
        do {
            channel = try bootstrap.bind(host: host, port: port).wait()
        } catch let error as IOError {
            // Its own words name a function of the library.
            throw ListenError(description: String(cString: strerror(error.errnoCode)))
        }
        self.port = channel.localAddress?.port ?? port
    }

    /// Stops listening. Connections that are open stay open.
    public func stop() throws { try channel.close().wait() }
}

/// The number of open connections, in total and by source.
private final class ConnectionCount: Sendable {
    private struct Count {
        var all = 0
        var sources: [String: Int] = [:]
    }

    private let most: Int
    private let mostOfOne: Int
    private let manifold: Set<String>
    private let count = Mutex(Count())

    init(_ limits: HTTPLimits) {
        (most, mostOfOne) = (limits.connections, limits.connectionsOfOne)
        manifold = Set(limits.manifold.map { Source.network(of: $0) })
    }

    /// Counts one more, unless there are too many.
    func enter(_ source: String) -> Bool {
        count.withLock { count in
            let own = count.sources[source, default: 0]
            guard count.all < most, own < mostOfOne || manifold.contains(source) else {
                return false
            }
            count.all += 1
            count.sources[source] = own + 1
            return true
        }
    }

    func leave(_ source: String) {
        count.withLock { count in
            count.all -= 1
            let own = count.sources[source, default: 1]
            count.sources[source] = own > 1 ? own - 1 : nil
        }
    }
}

/// Comes before the parser, and counts the bytes of a request line and headers as they arrive,
/// because the parser itself would accept more.
private final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let exchange: ExchangeHandler

    init(_ exchange: ExchangeHandler) { self.exchange = exchange }

    func handlerAdded(context: ChannelHandlerContext) {
        exchange.sendPast = { [self] in context.writeAndFlush(wrapOutboundOut($0), promise: nil) }
        exchange.endPast = { context.close(mode: .output, promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        (exchange.sendPast, exchange.endPast) = ({ _ in }, {})
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard exchange.mayReceive(unwrapInboundIn(data)) else { return }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        exchange.inputEnded()
    }
}
