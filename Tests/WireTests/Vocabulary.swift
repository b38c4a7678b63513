import Bus
import Foundation
import Messages
import TestSupport

/// The existing values in an installation, by the names of the fields that may refer to them, so
/// that a random message reaches deep into the code.
struct Vocabulary {
    private var words: [String: [String]] = [
        "area": ["kitchen", "service", "manager", "drive-through"], "priority": ["immediate"],
        "language": ["en", "nb", "sv"], "standards": ["tek17"], "formats": ["svg", "nav", "png"],
        "to": ["ann@example.org", "bob@example.org"], "mail": ["ann@example.org"],
        "email": ["ann@example.org"], "timeZone": ["Europe/Oslo", "Etc/UTC"],
        "from": ["2026-01-01"], "device": ["phone", "tablet"], "currency": ["NOK"],
        "isoCode": ["1222", "122203"], "audiences": ServiceName.names, "follower": ["notifier"],
        "name": ["Harbour", "Opening", "Home", "Oven", "stop"], "text": ["a", "the", "harbour"],
        "title": ["Clean the oven"], "kind": ["transit.getReady"], "key": ["journey/1"],
        "section": ["doors", "kitchen"], "task": ["lock", "light"], "label": ["bed"],
    ]

    /// Adds values for fields with these names.
    mutating func add(_ values: [String], as names: String...) {
        for name in names { words[name, default: []] += values }
    }

    /// Replaces the values for fields with these names.
    mutating func set(_ values: [String], as names: String...) {
        for name in names { words[name] = values }
    }

    /// The same message, with some of its texts and numbers replaced by meaningful values. From
    /// every other message, the values without meaning are left out too, so that none of them
    /// causes a refusal.
    func meaningful<M: ProtobufMessage>(_ message: M, _ seed: inout Seed) -> M {
        do {
            let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(message))
            let isPlain = seed.oneIn(2)
            let replaced = replace(json, "", isPlain, &seed)
            let data = try JSONSerialization.data(withJSONObject: replaced)
            return try JSONDecoder().decode(M.self, from: data)
        } catch { return message }
    }

    private func replace(_ json: Any, _ name: String, _ isPlain: Bool, _ seed: inout Seed) -> Any {
        switch json {
        case let object as [String: Any]:
            var result = object
            for key in object.keys.sorted() {
                if let value = object[key] { result[key] = replace(value, key, isPlain, &seed) }
            }
            return result
        case let list as [Any]:
            let most = isPlain ? seed.below(3) : list.count
            return list.prefix(most).map { replace($0, name, isPlain, &seed) }
        case let text as String:
            guard let known = words[name], !seed.oneIn(5) else {
                return isPlain && !seed.oneIn(4) ? "" : text
            }
            return seed.pick(known)
        case let number as NSNumber:
            // A flag is still a flag.
            let isFlag = ["c", "B"].contains(String(cString: number.objCType))
            guard !isFlag, isPlain || seed.oneIn(2) else { return number }
            return isPlain && seed.oneIn(2)
                ? 0 : seed.pick([0, 1, 2, 10, 90, 500, 900, 1_500, 2_500])
        default: return json
        }
    }
}
