import Messages
import Yams

/// The standards that a plan can be checked against. Their rules are files in `Standards`, and the
/// build puts those into the program.
package enum RuleBook {
    /// What a plan is checked against when nobody says.
    package static let usual = "tek17"

    static let sets: [RuleSet] = [
        PackageResources.ada_yaml, PackageResources.adm_yaml, PackageResources.adm2_yaml,
        PackageResources.din18040_yaml, PackageResources.fi_yaml, PackageResources.husbanken_yaml,
        PackageResources.tek10_yaml, PackageResources.tek17_yaml,
    ].map { Embedded.value(RuleSet.self, $0) }

    /// The standards, by name.
    package static var standards: [Standard] { sets.map(\.published) }

    /// The rules of some standards, each once, in the order in which they are asked for.
    /// - Throws: for a standard that isn't there, with those that are.
    static func sets(_ names: [String]) throws(Refusal) -> [RuleSet] {
        var found: [RuleSet] = []
        for name in names where !found.contains(where: { $0.standard == name }) {
            guard let set = sets.first(where: { $0.standard == name }) else {
                throw .notFound(
                    "there are no rules of the standard “\(name)”; there are those of "
                        + sets.map(\.standard).joined(separator: ", "))
            }
            found.append(set)
        }
        return found
    }
}

/// Files that are a part of the program.
enum Embedded {
    /// What is in a YAML file.
    static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value {
        do {
            return try YAMLDecoder().decode(type, from: String(decoding: bytes, as: UTF8.self))
        } catch {
            preconditionFailure("a file that the program was built with can't be read: \(error)")
        }
    }
}
