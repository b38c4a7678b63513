/// An event of a stream (`text/event-stream`, WHATWG HTML 9.2).
public struct StreamEvent: Sendable, Hashable {
    /// The name of the event, for which the page listens.
    public let name: String
    /// The position in the stream; nil for an event after which nothing has to be sent again.
    public let id: String?
    /// The content of the event.
    public let payload: String

    /// Makes an event.
    public init(_ name: String, id: String? = nil, _ payload: String = "") {
        (self.name, self.id, self.payload) = (name, id, payload)
    }

    /// The event as it is sent. Each line of the payload is one of the event, however it ends.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.utf8.count + 64)
        if let id { bytes += "id: \(id)\n".utf8 }
        bytes += "event: \(name)\n".utf8
        // By bytes, because going through a text character by character takes most of the time.
        let lines = payload.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        for line in lines {
            bytes += "data: ".utf8
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
