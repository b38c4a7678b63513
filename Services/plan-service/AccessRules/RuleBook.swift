import Messages
import Yams

/// The standards that a plan can be checked against. Their rules are files in `Standards`, which
/// the build embeds into the program.
package enum RuleBook {
    /// The standard that a plan is checked against by default.
    package static let usual = "tek17"

    static let sets: [RuleSet] = [
        PackageResources.ada_yaml, PackageResources.adm_yaml, PackageResources.adm2_yaml,
        PackageResources.din18040_yaml, PackageResources.fi_yaml, PackageResources.husbanken_yaml,
        PackageResources.tek10_yaml, PackageResources.tek17_yaml,
    ].map { Embedded.value(RuleSet.self, $0) }

    /// What aids need, which belongs to every check.
    static let aids = Embedded.value(RuleSet.self, PackageResources.aids_yaml)

    /// The standards, by name.
    package static var standards: [Standard] { sets.map(\.published) }

    /// The rules of standards, each once, in the given order.
    /// - Throws: for an unknown standard, naming the known ones.
    static func sets(_ names: [String]) throws(Refusal) -> [RuleSet] {
        var found: [RuleSet] = []
        for name in names where !found.contains(where: { $0.standard == name }) {
            guard let set = (sets + [aids]).first(where: { $0.standard == name }) else {
                throw Refusal.notFound(
                    "there are no rules of the standard “\(name)”; there are those of "
                        + sets.map(\.standard).joined(separator: ", ")
                ).because(.standardMissing, of: name)
            }
            found.append(set)
        }
        return found.contains { $0.standard == aids.standard } ? found : found + [aids]
    }
}

/// Files embedded in the program.
enum Embedded {
    /// Decodes a YAML file.
    static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value {
        do {
            return try YAMLDecoder().decode(type, from: String(decoding: bytes, as: UTF8.self))
        } catch {
            preconditionFailure("a file that the program was built with can't be read: \(error)")
        }
    }
}
