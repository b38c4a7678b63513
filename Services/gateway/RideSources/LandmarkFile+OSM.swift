import Messages
import XMLText

/// OpenStreetMap's XML, as its site exports it and its tools cut it out of larger files.
extension LandmarkFile {
    /// The tags that make a named thing a landmark, the most telling first.
    static let kinds = ["tourism", "historic", "amenity", "leisure", "natural", "shop"]
    /// The maximum number of nodes, ways and relations; most nodes are corners of buildings.
    private static let mostElements = 3_000_000

    /// Reads nodes, and ways at the middle of their corners. Relations have no place of their own.
    mutating func readOSM(_ bytes: [UInt8]) throws(LandmarkFileError) {
        var corners: [Int64: (latitude: Double, longitude: Double)] = [:]
        var named: [(facts: [String: String], latitude: Double?, longitude: Double?, line: Int)] =
            []
        let scanner = XMLScanner(
            file: "isn't OpenStreetMap XML", mostChildren: Self.mostElements,
            begin: { (root) throws(Refusal) in
                guard root.name == "osm" else {
                    throw .invalid(
                        "begins with <\(root.name.prefix(60))>, not with <osm>; export it as "
                            + "OpenStreetMap XML")
                }
            },
            take: { (element) throws(Refusal) in
                let facts = Self.facts(of: element)
                let isLandmark = Self.isLandmark(facts)
                switch element.name {
                case "node":
                    let latitude = element["lat"].flatMap(Double.init)
                    let longitude = element["lon"].flatMap(Double.init)
                    if let id = element["id"].flatMap(Int64.init), let latitude,
                        let longitude
                    {
                        corners[id] = (latitude, longitude)
                    }
                    if isLandmark { named.append((facts, latitude, longitude, element.line)) }
                case "way" where isLandmark:
                    let known = element.children.filter { $0.name == "nd" }
                        .compactMap { $0["ref"].flatMap(Int64.init) }
                        .compactMap { corners[$0] }
                    var middle = MiddlePlace()
                    for corner in known {
                        middle.add(latitude: corner.latitude, longitude: corner.longitude)
                    }
                    let place = middle.place
                    named.append((facts, place?.latitude, place?.longitude, element.line))
                case "relation" where isLandmark: named.append((facts, nil, nil, element.line))
                default: break
                }
            })
        do throws(Refusal) { try scanner.read(bytes) } catch {
            throw LandmarkFileError(
                line: 0, reason: error.message, cure: "export it as OpenStreetMap XML")
        }
        for (facts, latitude, longitude, line) in named {
            try add(facts, latitude: latitude, longitude: longitude, line: line)
        }
    }

    /// True for the tags of a landmark.
    static func isLandmark(_ facts: [String: String]) -> Bool {
        facts["name"] != nil && kinds.contains { facts[$0] != nil }
    }

    /// The tags of an element.
    private static func facts(of element: XMLNode) -> [String: String] {
        var facts: [String: String] = [:]
        for tag in element.children where tag.name == "tag" {
            guard let key = tag["k"], let value = tag["v"] else { continue }
            facts[key.lowercased()] = value
        }
        return facts
    }
}
