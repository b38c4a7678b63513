import Foundation

/// The fields of JSON that a script sent, compared with what was read of them.
enum SentFields {
    /// How deep values may be nested.
    private static let deepest = 32

    /// The path of the first field that this version doesn't know, or that is nested too deep; nil
    /// if there is none. A field with the value that it would have if it were missing is ignored.
    ///
    /// - Parameters:
    ///   - sent: what was sent.
    ///   - value: what was read of it, which writes every field that isn't absent.
    static func unknown(in sent: [UInt8], readAs value: some Encodable) throws -> String? {
        let read = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value))
        return unknown(in: try JSONSerialization.jsonObject(with: Data(sent)), read, "", depth: 0)
    }

    private static func unknown(
        in sent: Any, _ read: Any?, _ path: String, depth: Int
    ) -> String? {
        guard depth < deepest else { return path }
        if let fields = sent as? [String: Any] {
            let known = read as? [String: Any] ?? [:]
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                let place = path + "/" + name
                guard let other = known[name] else {
                    if isDefault(value) { continue }
                    return place
                }
                if let found = unknown(in: value, other, place, depth: depth + 1) { return found }
            }
        } else if let items = sent as? [Any] {
            let known = read as? [Any] ?? []
            for (index, item) in items.enumerated() {
                let other = index < known.count ? known[index] : nil
                let place = "\(path)/\(index)"
                if let found = unknown(in: item, other, place, depth: depth + 1) { return found }
            }
        }
        return nil
    }

    private static func isDefault(_ value: Any) -> Bool {
        switch value {
        case is NSNull: true
        case let text as String: text.isEmpty
        case let number as NSNumber: number.doubleValue == 0
        case let fields as [String: Any]: fields.isEmpty
        case let items as [Any]: items.isEmpty
        default: false
        }
    }
}
