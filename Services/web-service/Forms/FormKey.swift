import Bus
import Checksum
import Markup
import Messages

/// What the forms of a page carry so that each is carried out once, however often a browser sends
/// it. It is made with the page, for the person who sees the page.
struct FormKey {
    /// The name of its field.
    static let name = "command"
    /// The most bytes of its field.
    private static let longest = 1_100
    /// The characters of an id.
    private static let idLength = 36

    private let id: MessageID

    /// Makes a key for a new page.
    init() {
        var ids = MessageID.Generator()
        id = ids.next(at: WallClock.milliseconds())
    }

    /// Reads what a form has in the field.
    ///
    /// - Returns: the key, and the id of the account for which its page was made; nil if it is no
    ///   key.
    static func read(_ text: String) -> (key: FormKey, account: String)? {
        guard text.utf8.count <= longest, let id = MessageID(text.prefix(idLength)), id.isOfTime,
            text.dropFirst(idLength).first == "/"
        else { return nil }
        return (FormKey(id), String(text.dropFirst(idLength + 1)))
    }

    private init(_ id: MessageID) { self.id = id }

    /// The field of a form.
    ///
    /// - Parameter account: the id of the account that sees the page; empty for none.
    func field(for account: String) -> Node {
        // Without the last attribute a browser may fill in the key of the page before.
        tag(
            "input",
            [
                "type": "hidden", "name": Self.name, "value": "\(id)/\(account)",
                "autocomplete": "off",
            ])
    }

    /// The id of the command that a form sends. It is the same whenever the same form of the same
    /// page is sent with the same content, and different for any other content: if a person returns
    /// to a page and changes something, the form is never taken for a repetition.
    ///
    /// Nobody can find the content from the id, which is logged: the key isn't.
    ///
    /// - Parameters:
    ///   - account: the id of the account that sends it; empty for none.
    ///   - path: where it is sent.
    ///   - body: all fields of the form.
    func command(of account: String, _ path: String, _ body: [UInt8]) -> MessageID? {
        MessageID(
            at: id.milliseconds,
            checksum: Checksum.of(Array("\(id) \(account) \(path)\n".utf8), body))
    }
}

extension MessageID {
    /// An id that follows from a moment and a checksum, a UUID of version 7 (RFC 9562, 5.7).
    ///
    /// - Parameters:
    ///   - time: the moment, in milliseconds since 1970.
    ///   - checksum: at least 16 bytes; nil is returned for fewer.
    init?(at time: Int64, checksum: [UInt8]) {
        guard checksum.count >= 16 else { return nil }
        var bytes = Array(checksum.prefix(16))
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: time >> (40 - 8 * index)) }
        bytes[6] = 0x70 | bytes[6] & 0x0F
        bytes[8] = 0x80 | bytes[8] & 0x3F
        self.init(bytes: bytes)
    }
}
