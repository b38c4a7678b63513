import Foundation
import JSONText
import Messages
import Texts
import XMLText

/// A JSON file that is safe to decode, and its errors in words.
///
/// Foundation keeps every value of a document in memory, so their number and depth are checked
/// first.
struct JSONFile {
    /// The maximum nesting depth of values.
    private static let deepest = 64
    /// The maximum number of values.
    private static let mostValues = 1_000_000

    private let bytes: [UInt8]
    private let file: String

    /// - Throws: if it is too deep, has too many values, or isn't UTF-8.
    init(_ bytes: [UInt8], named file: String) throws(Refusal) {
        self.bytes = bytes
        self.file = file
        // A zero byte is how the decoder recognises UTF-16 and UTF-32, in which nothing below would
        // find what it looks for.
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalid("\(file) isn't UTF-8 throughout; save it as UTF-8")
        }
        var (depth, values, line) = (0, 0, 1)
        var isText = false
        var isEscaped = false
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard !isText else {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
            guard depth <= Self.deepest, values <= Self.mostValues else {
                throw .invalid(
                    "\(file): line \(line): values are over \(Self.deepest) deep or over "
                        + "\(Self.mostValues) in number, which no plan needs; remove the rest")
            }
        }
        // Keys are hashed as soon as an object is decoded.
        guard !MarkRun.isEndless(inJSON: text) else {
            throw malformed
                ?? Refusal.invalid(
                    "\(file) has a text with more than \(MarkRun.longest) combining marks in a "
                        + "row; leave them out")
        }
    }

    /// The names of the values at the top.
    func keys() throws(Refusal) -> Set<String> {
        Set(try decode([String: Passed].self).keys)
    }

    /// - Throws: A refusal with the path of what doesn't fit.
    func decode<Value: Decodable>(_ type: Value.Type) throws(Refusal) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw refusal(error)
        } catch {
            throw .invalid("\(file) isn't well-formed JSON; export it again")
        }
    }

    func refusal(_ path: String, _ reason: String, _ cure: String) -> Refusal {
        .inFile(file, .path(path), reason, cure)
    }

    private func refusal(_ error: DecodingError) -> Refusal {
        switch error {
        case .typeMismatch(let type, let context):
            return refusal(
                Self.path(context.codingPath), "isn't \(Self.words(type))",
                "write it without quotes if it has some, or export the file again")
        case .keyNotFound(let key, let context):
            return refusal(
                Self.path(context.codingPath + [key]), "is missing", "export the file again")
        case .valueNotFound(let type, let context):
            return refusal(
                Self.path(context.codingPath), "is null and not \(Self.words(type))",
                "export the file again")
        case .dataCorrupted(let context):
            return malformed
                ?? refusal(
                    Self.path(context.codingPath), "isn't well-formed: \(context.debugDescription)",
                    "export the file again")
        @unknown default: return .invalid("\(file) isn't what a plan is read from")
        }
    }

    /// The fault of a text that isn't JSON, with its line: the decoder only says that the text
    /// isn't.
    private var malformed: Refusal? {
        var rest: [UInt8]? = bytes
        var scanner = JSONScanner {
            defer { rest = nil }
            return rest ?? []
        }
        do {
            try scanner.skip()
            if try scanner.nextDocument() { throw scanner.fault("something follows its end") }
        } catch let fault as JSONFault {
            return .inFile(
                file, .line(fault.line), "isn't well-formed JSON: \(fault.reason)",
                "export the file again")
        } catch {}
        return nil
    }

    private static func words(_ type: any Any.Type) -> String {
        switch type {
        case is Double.Type, is Int.Type: "a number"
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
        }
    }

    /// A path such as `walls[3].transform`.
    static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce("") { path, key in
            if let index = key.intValue { return path + "[\(index)]" }
            return path.isEmpty ? key.stringValue : path + "." + key.stringValue
        }
    }

    /// A value of any kind, which is skipped.
    private struct Passed: Decodable {
        init(from decoder: any Decoder) {}
    }
}
