import Bus
import Foundation
import Messages

/// Makes variants of a message with the most extreme numbers in each of its fields.
public enum Extremes {
    /// The values to put into a field, if its type allows them.
    private static let values: [Value] =
        [Int64.min, .min + 1, -(1 << 53), Int64(Int32.min), -1, 0, 1, Int64(Int32.max)].map {
            .whole($0)
        } + [Int64(UInt32.max), 1 << 53, .max - 1, .max].map { .whole($0) }
        + [.natural(UInt64.max), .natural(UInt64(Int64.max) + 1)]
        + [1e308, -1e308, 1e-308].map { .fraction($0) }
        + ["nan", "inf", "-inf"].map { .text($0) }

    /// Returns the messages that differ from this one in a single number, and those in which every
    /// number is as large, or as small, as its field allows. Enumerated fields count as numbers.
    public static func variants<M: ProtobufMessage>(of message: M) throws -> [(String, M)] {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let whole = try JSONDecoder().decode(Value.self, from: encoder.encode(message))
        var found: [(String, M)] = []
        for path in whole.numbers {
            for value in values {
                guard let variant = read(M.self, whole.replacing(path[...], by: value)),
                    variant != message
                else { continue }
                found.append(("\(M.protobufName): \(path) = \(value)", variant))
            }
        }
        for order in [values, values.reversed()] {
            var all = whole
            for path in whole.numbers {
                let fitting = order.lazy.map { all.replacing(path[...], by: $0) }
                    .first { read(M.self, $0) != nil }
                all = fitting ?? all
            }
            if let variant = read(M.self, all) {
                found.append(("\(M.protobufName): all numbers, \(all)", variant))
            }
        }
        return found
    }

    private static func read<M: ProtobufMessage>(_: M.Type, _ value: Value) -> M? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(M.self, from: JSONEncoder().encode(value))
    }

    /// A value of a message's JSON.
    private enum Value: Codable, Sendable, CustomStringConvertible {
        case nothing, truth(Bool), whole(Int64), natural(UInt64), fraction(Double), text(String)
        case list([Value]), fields([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let value = try? container.decode(Bool.self) {
                self = .truth(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .whole(value)
            } else if let value = try? container.decode(UInt64.self) {
                self = .natural(value)
            } else if let value = try? container.decode(Double.self) {
                self = .fraction(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Value].self) {
                self = .list(value)
            } else {
                self = .fields(try container.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .nothing: try container.encodeNil()
            case .truth(let value): try container.encode(value)
            case .whole(let value): try container.encode(value)
            case .natural(let value): try container.encode(value)
            case .fraction(let value): try container.encode(value)
            case .text(let value): try container.encode(value)
            case .list(let values): try container.encode(values)
            case .fields(let values): try container.encode(values)
            }
        }

        /// The paths of the numbers in the value. Of a list, whose elements are alike, only the
        /// first is used.
        var numbers: [[String]] {
            switch self {
            case .whole, .natural, .fraction: [[]]
            // A text may be the name of an enumerated field; a number in place of any other text
            // can't be decoded.
            case .text: [[]]
            case .list(let values): (values.first?.numbers ?? []).map { ["0"] + $0 }
            case .fields(let values):
                values.keys.sorted().flatMap { key in
                    (values[key]?.numbers ?? []).map { [key] + $0 }
                }
            case .nothing, .truth: []
            }
        }

        func replacing(_ path: ArraySlice<String>, by value: Value) -> Value {
            guard let step = path.first else { return value }
            switch self {
            case .list(var values):
                values[0] = values[0].replacing(path.dropFirst(), by: value)
                return .list(values)
            case .fields(var values):
                values[step] = values[step]?.replacing(path.dropFirst(), by: value)
                return .fields(values)
            default: return self
            }
        }

        var description: String {
            switch self {
            case .nothing: "nothing"
            case .truth(let value): "\(value)"
            case .whole(let value): "\(value)"
            case .natural(let value): "\(value)"
            case .fraction(let value): "\(value)"
            case .text(let value): value
            case .list(let values): "\(values)"
            case .fields(let values):
                "\(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
            }
        }
    }
}

extension Client {
    /// Sends each message with the most extreme numbers in each of its fields.
    ///
    /// - Parameters:
    ///   - messages: the messages to vary.
    ///   - service: returns the service, to check that it is still running.
    ///   - prepare: creates what a message refers to, and returns the message with the references
    ///     set.
    /// - Returns: the messages answered with `CODE_INTERNAL`, which is always a defect.
    /// - Throws: a ``Complaint`` that names a message without an answer.
    public func answersToExtremes(
        of messages: [any ProtobufMessage], from service: () -> Program,
        prepare: (any ProtobufMessage) throws -> any ProtobufMessage = { $0 }
    ) throws -> [String] {
        try messages.flatMap { try answersToExtremes(of: $0, from: service, prepare) }
    }

    private func answersToExtremes(
        of message: some ProtobufMessage, from service: () -> Program,
        _ prepare: (any ProtobufMessage) throws -> any ProtobufMessage
    ) throws -> [String] {
        var wrong: [String] = []
        for (name, variant) in try Extremes.variants(of: message) {
            let id = try send(try prepare(variant), deadline: .seconds(30))
            var answer: Envelope?
            while answer == nil {
                guard service().isRunning else {
                    throw Complaint("the service died of \(name)\n\(service().lastWords)")
                }
                for found in try receive(within: .milliseconds(500)) where found.id == id {
                    do { answer = try found.result.get() } catch {
                        throw Complaint("\(name) was not answered: \(error)")
                    }
                }
            }
            if answer?.type == Refusal.protobufName,
                try Refusal(unpacking: answer?.data ?? []).code == .internal
            {
                wrong.append(name)
            }
        }
        return wrong
    }
}
