/// An event of a stream (`text/event-stream`, WHATWG HTML 9.2).
public struct StreamEvent: Sendable, Hashable {
    /// What happened, the name under which the page listens.
    public let name: String
    /// The position in the stream; nil for an event after which nothing has to be sent again.
    public let id: String?
    /// What the page needs to know.
    public let payload: String

    /// Makes an event.
    public init(_ name: String, id: String? = nil, _ payload: String = "") {
        (self.name, self.id, self.payload) = (name, id, payload)
    }

    /// The event as it is sent.
    public var bytes: [UInt8] {
        var text = id.map { "id: \($0)\n" } ?? ""
        text += "event: \(name)\n"
        for line in payload.split(separator: "\n", omittingEmptySubsequences: false) {
            text += "data: \(line)\n"
        }
        return Array((text + "\n").utf8)
    }
}
