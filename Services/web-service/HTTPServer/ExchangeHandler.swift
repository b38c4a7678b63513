import HTTPExchange
import NIOCore
import NIOHTTP1

/// One connection: reads a request within its limits, has it answered, and reads the next one.
///
/// It belongs to the thread of its connection.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Stage {
        /// No request has begun, or its head is still coming.
        case head
        case body(Request, limit: Int)
        /// The program has the request and has not answered.
        case answering(Request.Method)
        case streaming
        /// The last answer is being sent.
        case ending
        /// Nothing more is read.
        case closing
    }

    private let rules: HTTPRules
    private let limits: HTTPLimits
    private let bodies: MovingBodies
    private let answers: MovingBodies
    private var stage = Stage.head
    private var context: ChannelHandlerContext?
    /// The body of the request that is arriving. Nothing else refers to it, so that each part is
    /// added without copying the earlier ones.
    private var body: [UInt8] = []
    /// Its number among those that are arriving; nil for none.
    private var arriving: UInt64?
    /// The number of requests so far: a reply to an earlier one is ignored.
    private var number: UInt64 = 0
    private var headBytes = 0
    /// The last bytes that have arrived, at most three.
    private var tail: [UInt8] = []
    /// True if the last request had a body.
    private var hadBody = false
    private var keepsAlive = true
    /// How many parts of answers are yet to be sent.
    private var unsent = 0
    /// Their number among the answers that leave; nil for none.
    private var leaving: UInt64?
    /// The other side has closed its direction, and may still read.
    private var inputHasEnded = false
    private var deadline: Scheduled<Void>?
    private var streamEnded: (@Sendable () -> Void)?
    /// Sends bytes past the parser and the encoder.
    var sendPast: (ByteBuffer) -> Void = { _ in }
    /// Closes this side past the parser, which accepts no answer to a request that it has not read.
    var endPast: () -> Void = {}

    /// Serves a connection.
    ///
    /// - Parameters:
    ///   - rules: what the program does with requests.
    ///   - limits: the limits of connections.
    ///   - bodies: the bodies that arrive on all connections.
    ///   - answers: the bodies that leave on all connections.
    init(
        _ rules: HTTPRules, _ limits: HTTPLimits, _ bodies: MovingBodies, _ answers: MovingBodies
    ) {
        (self.rules, self.limits, self.bodies, self.answers) = (rules, limits, bodies, answers)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        expect(within: limits.quietTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) { finish() }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    private func finish() {
        deadline?.cancel()
        deadline = nil
        streamEnded?()
        streamEnded = nil
        (sendPast, endPast) = ({ _ in }, {})
        stage = .closing
        dropBody()
        if let leaving { answers.end(leaving) }
        leaving = nil
        context = nil
    }

    // MARK: Bounds

    /// Counts bytes that have arrived, before they are parsed.
    ///
    /// - Returns: false if they must be ignored.
    func mayReceive(_ bytes: ByteBuffer) -> Bool {
        tail = Array((tail + bytes.readableBytesView.suffix(3)).suffix(3))
        let count = bytes.readableBytes
        switch stage {
        case .ending, .closing: return false
        case .head:
            if headBytes == 0 { expect(within: limits.headTime) }
            headBytes += count
            // A body may arrive with the bytes of its head, so the parser decides about the rest.
            guard headBytes <= limits.headBytes + (64 << 10) else {
                refuse(.plain(.headersTooLarge))
                return false
            }
            return true
        case .body, .answering, .streaming: return true
        }
    }

    /// Closes the connection unless something else is expected before the time is up.
    private func expect(within time: Duration?) {
        deadline?.cancel()
        deadline = nil
        guard let time, let context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(time)) { handler.value.timeIsUp() }
    }

    private func timeIsUp() {
        switch stage {
        case .head where headBytes == 0: context?.close(promise: nil)
        case .head: refuse(.plain(.timedOut))
        case .body(let request, _): refuse(.plain(.timedOut), request)
        case .answering, .streaming: break
        case .ending, .closing: context?.close(promise: nil)
        }
    }

    /// The other side has closed its direction. Its complete requests are answered; an incomplete
    /// one never will be complete, and nobody reads a stream this way.
    func inputEnded() {
        inputHasEnded = true
        switch stage {
        case .head where headBytes == 0 && unsent > 0: break
        case .head, .body, .streaming: context?.close(promise: nil)
        case .answering, .ending, .closing: break
        }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), stage) {
        case (.head(let head), .head): begin(head)
        case (.body(let buffer), .body(let request, let limit)):
            guard body.count + buffer.readableBytes <= limit else {
                return refuse(.plain(.tooLarge), request)
            }
            body += buffer.readableBytesView
            if let arriving { bodies.add(buffer.readableBytes, to: arriving) }
        case (.end, .body(var request, _)):
            expect(within: nil)
            request.body = body
            dropBody()
            stage = .answering(request.method)
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            rules.answer(request, Reply(handler, number: number, on: context.eventLoop))
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch stage {
        case .head, .body:
            guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
            refuse(.plain(error == .headerOverflow ? .headersTooLarge : .badRequest))
        default: context.close(promise: nil)
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        // Answers would pile up here without end if someone kept asking without reading.
        if let context, !context.channel.isWritable {
            stage = .closing
            return context.close(promise: nil)
        }
        number += 1
        (keepsAlive, hadBody) = (head.isKeepAlive, Self.hasBody(head))
        let size = head.headers.reduce(head.uri.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
        guard head.uri.utf8.count <= Target.longest else { return refuse(.plain(.targetTooLong)) }
        guard size <= limits.headBytes, head.headers.count <= limits.headers else {
            return refuse(.plain(.headersTooLarge))
        }
        let headers = Headers(head.headers.map { ($0.name, $0.value) })
        guard head.version == .http1_1 || head.version == .http1_0, !headers.areSlow else {
            return refuse(.plain(.badRequest))
        }
        guard let method = Request.Method(rawValue: head.method.rawValue) else {
            let all = Request.Method.allCases.map(\.rawValue).joined(separator: ", ")
            return refuse(.plain(.methodNotAllowed).adding("Allow", all))
        }
        guard let target = Target(head.uri) else { return refuse(.plain(.badRequest)) }
        let request = Request(
            method: method, target: target, headers: headers,
            address: context?.remoteAddress?.ipAddress ?? "")
        switch rules.admit(request) {
        case .answer(let response) where Self.hasBody(head): turnAway(response)
        case .answer(let response):
            stage = .answering(method)
            expect(within: nil)
            answer(response, to: number)
        case .read(let limit):
            let announced = head.headers.first(name: "content-length").flatMap(Int.init)
            guard announced ?? 0 <= limit else { return refuse(.plain(.tooLarge), request) }
            expect(request, bodyLimit: limit, length: announced ?? limit)
        }
    }

    /// Waits for the body of a request.
    private func expect(_ request: Request, bodyLimit limit: Int, length: Int) {
        stage = .body(request, limit: limit)
        expect(within: limits.bodyTime + .seconds(length >> 10))
        guard limit > 0, let context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (loop, wanted) = (context.eventLoop, number)
        arriving = bodies.begin { loop.execute { handler.value.giveUp(wanted) } }
    }

    /// Refuses a request whose body would take too much memory together with all others.
    private func giveUp(_ wanted: UInt64) {
        guard wanted == number, case .body(let request, _) = stage else { return }
        refuse(.plain(.unavailable).adding("Retry-After", "5"), request)
    }

    private func dropBody() {
        body = []
        if let arriving { bodies.end(arriving) }
        arriving = nil
    }

    private static func hasBody(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "transfer-encoding")
            || head.headers.first(name: "content-length").map { $0 != "0" } ?? false
    }

    // MARK: Answering

    /// Refuses a request by the limits of the server.
    private func refuse(_ response: Response, _ request: Request? = nil) {
        rules.refused(response.status, request)
        turnAway(response)
    }

    /// Answers a request that isn't read to its end, and closes the connection.
    private func turnAway(_ response: Response) {
        stage = .closing
        dropBody()
        var text = "HTTP/1.1 \(response.status.rawValue) \(response.status.words)\r\n"
        for header in response.headers + rules.headers {
            text += "\(header.name): \(header.value)\r\n"
        }
        text += "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
        sendPast(ByteBuffer(bytes: Array(text.utf8) + response.body))
        endPast()
        // What the browser is still sending must be ignored for a while, because the system would
        // drop the answer on its way if the connection were closed at once.
        expect(within: .seconds(1))
    }

    func answer(_ response: Response, to wanted: UInt64) {
        guard wanted == number, let context, case .answering(let method) = stage else { return }
        var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
        for header in rules.headers { headers.add(name: header.name, value: header.value) }
        if response.status != .notModified, response.status != .noContent {
            headers.add(name: "Content-Length", value: String(response.body.count))
        }
        if !keepsAlive { headers.add(name: "Connection", value: "close") }
        write(HTTPResponseHead(version: .http1_1, status: Self.status(response), headers: headers))
        if method != .head, !response.body.isEmpty {
            write(response.body, on: context)
        }
        (stage, headBytes) = (keepsAlive ? .head : .ending, hasHalfHead ? 1 : 0)
        expect(within: headBytes > 0 ? limits.headTime : patience)
        let end = wrapOutboundOut(.end(nil))
        guard !keepsAlive else { return context.writeAndFlush(end, promise: nil) }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.writeAndFlush(end).whenComplete { _ in
            handler.value.stage = .closing
            handler.value.context?.close(mode: .output, promise: nil)
            handler.value.expect(within: .seconds(1))
        }
    }

    /// True if a part of the next head has come together with the last request, which had no body.
    private var hasHalfHead: Bool {
        keepsAlive && !hadBody && !inputHasEnded && tail != [10, 13, 10]
            && tail.suffix(2) != [10, 10]
    }

    /// How long the connection may be idle after an answer, or until the next part of one is sent.
    /// Requests that arrived before the end follow at once.
    private var patience: Duration {
        inputHasEnded && unsent == 0 ? .seconds(1) : limits.quietTime
    }

    /// Writes a body in parts, which shows whether the other side reads it.
    private func write(_ body: [UInt8], on context: ChannelHandlerContext) {
        var rest = context.channel.allocator.buffer(bytes: body)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let own = leaving ?? answers.begin { loop.execute { handler.value.giveWay() } }
        leaving = own
        answers.add(body.count, to: own)
        while let part = rest.readSlice(length: min(limits.unsentBytes, rest.readableBytes)),
            part.readableBytes > 0
        {
            unsent += 1
            let count = part.readableBytes
            context.write(wrapOutboundOut(.body(.byteBuffer(part)))).whenComplete { _ in
                handler.value.partSent(count)
            }
        }
    }

    /// Ends the connection, because others need the memory of what it doesn't read.
    private func giveWay() { if leaving != nil { context?.close(promise: nil) } }

    /// Starts the wait again, because more of an answer was sent.
    private func partSent(_ count: Int) {
        unsent -= 1
        if let leaving {
            answers.remove(count, from: leaving)
            if unsent == 0 {
                answers.end(leaving)
                self.leaving = nil
            }
        }
        switch stage {
        case .head where headBytes == 0, .ending: expect(within: patience)
        default: break
        }
    }

    private static func status(_ response: Response) -> HTTPResponseStatus {
        // The encoder leaves out the end of a missing body only for statuses that it knows.
        HTTPResponseStatus(
            statusCode: Int(response.status.rawValue), reasonPhrase: response.status.words)
    }

    private func write(_ head: HTTPResponseHead) { write(.head(head)) }

    private func write(_ part: HTTPServerResponsePart) {
        context?.write(wrapOutboundOut(part), promise: nil)
    }

    // MARK: Streams

    func beginStream(_ wanted: UInt64, ended: @escaping @Sendable () -> Void) {
        guard wanted == number, let context, case .answering(let method) = stage else {
            return ended()
        }
        guard method != .head else {
            // It has no body. What came after its headers would be read as another response.
            answer(.events([]), to: wanted)
            return ended()
        }
        guard !inputHasEnded else {
            context.close(promise: nil)
            return ended()
        }
        stage = .streaming
        streamEnded = ended
        var headers = HTTPHeaders([
            ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
            // Proxies would otherwise hold events back until they have many.
            ("X-Accel-Buffering", "no"),
        ])
        for header in rules.headers { headers.add(name: header.name, value: header.value) }
        write(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))
        context.flush()
    }

    /// Sends a chunk of a stream as it is, because it was made once for all recipients.
    func send(_ chunk: ByteBuffer, in wanted: UInt64) {
        guard wanted == number, let context, case .streaming = stage else { return }
        guard context.channel.isWritable else { return context.close(promise: nil) }
        sendPast(chunk)
    }

    func endStream(_ wanted: UInt64) {
        guard wanted == number, let context, case .streaming = stage else { return }
        stage = .closing
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        expect(within: .seconds(1))
    }
}
