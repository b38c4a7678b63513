import Messages
import Texts

/// OpenStreetMap's PBF, the form of its extracts of cities and countries.
extension LandmarkFile {
    private typealias Place = (latitude: Double, longitude: Double)
    /// The most corners of landmarks.
    private static let mostCorners = 3_000_000

    /// Reads nodes, and ways at the middle of their corners, as from XML. Ways come after the nodes
    /// that they consist of: the first pass finds which nodes those are.
    mutating func readPBF(_ bytes: [UInt8]) throws(LandmarkFileError) {
        var areas: [(facts: [String: String], corners: [Int64])] = []
        var corners: [Int64: Place?] = [:]
        var blocks = MapBlocks(bytes)
        while let block = try blocks.next() {
            let texts = MapTextList(block)
            for group in block.primitivegroup {
                for way in group.ways {
                    guard let facts = texts.landmark(way.keys, way.vals) else { continue }
                    let refs = Self.sums(way.refs)
                    for ref in refs { corners.updateValue(nil, forKey: ref) }
                    try add(&areas, (facts, refs), corners.count)
                }
                for relation in group.relations {
                    guard let facts = texts.landmark(relation.keys, relation.vals) else { continue }
                    try add(&areas, (facts, []), corners.count)
                }
            }
        }
        blocks = MapBlocks(bytes)
        while let block = try blocks.next() {
            let texts = MapTextList(block)
            for group in block.primitivegroup {
                for node in group.nodes {
                    let place = texts.place(node.lat, node.lon)
                    if corners.keys.contains(node.id) {
                        corners.updateValue(place, forKey: node.id)
                    }
                    guard let facts = texts.landmark(node.keys, node.vals) else { continue }
                    try add(facts, at: place)
                }
                if let dense = group.dense { try add(dense, texts, &corners) }
            }
        }
        for area in areas { try add(area.facts, at: Self.middle(area.corners, corners)) }
    }

    private func add(
        _ areas: inout [(facts: [String: String], corners: [Int64])],
        _ area: (facts: [String: String], corners: [Int64]), _ corners: Int
    ) throws(LandmarkFileError) {
        guard areas.count < 2 * Self.most, corners <= Self.mostCorners else {
            throw LandmarkFileError(
                line: 0, reason: "has too many landmarks", cure: "cut a smaller area out of it")
        }
        areas.append(area)
    }

    private mutating func add(
        _ facts: [String: String], at place: Place?
    ) throws(LandmarkFileError) {
        try add(facts, latitude: place?.latitude, longitude: place?.longitude, line: 0)
    }

    private mutating func add(
        _ nodes: MapNodes, _ texts: MapTextList, _ corners: inout [Int64: Place?]
    ) throws(LandmarkFileError) {
        guard nodes.lat.count == nodes.id.count, nodes.lon.count == nodes.id.count else {
            throw LandmarkFileError(
                line: 0, reason: "has nodes without a place", cure: "download it again")
        }
        var (id, latitude, longitude): (Int64, Int64, Int64) = (0, 0, 0)
        var tags = nodes.keysVals[...]
        for index in nodes.id.indices {
            id &+= nodes.id[index]
            latitude &+= nodes.lat[index]
            longitude &+= nodes.lon[index]
            let own = tags.prefix { $0 != 0 }
            tags = tags.dropFirst(own.count + 1)
            let isCorner = corners.keys.contains(id)
            guard isCorner || !own.isEmpty else { continue }
            let place = texts.place(latitude, longitude)
            if isCorner { corners.updateValue(place, forKey: id) }
            if let facts = texts.landmark(own) { try add(facts, at: place) }
        }
    }

    private static func middle(_ refs: [Int64], _ corners: [Int64: Place?]) -> Place? {
        var middle = MiddlePlace()
        for corner in refs.compactMap({ corners[$0] ?? nil }) {
            middle.add(latitude: corner.latitude, longitude: corner.longitude)
        }
        return middle.place
    }

    /// Numbers that are stored as differences. Numbers that are too large wrap around, and then
    /// belong to no node.
    private static func sums(_ differences: [Int64]) -> [Int64] {
        var sum: Int64 = 0
        return differences.map { difference in
            sum &+= difference
            return sum
        }
    }
}

/// The texts and the units of a block.
private struct MapTextList {
    /// The maximum number of bytes of a key or a value: OpenStreetMap allows 255 characters. Any
    /// number of tags may have the same text, and each is hashed.
    private static let longest = 1_020
    private let texts: [String]
    private let unit: Double
    private let origin: (latitude: Double, longitude: Double)

    init(_ block: MapBlock) {
        texts = (block.stringtable?.s ?? []).map {
            let text = $0.count <= Self.longest ? String(decoding: $0, as: UTF8.self) : ""
            return text.hasEndlessMarks ? "" : text
        }
        unit = block.granularity == 0 ? 100 : Double(block.granularity)
        origin = (Double(block.latOffset), Double(block.lonOffset))
    }

    /// Where something is, in degrees.
    func place(_ latitude: Int64, _ longitude: Int64) -> (latitude: Double, longitude: Double) {
        (
            (origin.latitude + unit * Double(latitude)) / 1e9,
            (origin.longitude + unit * Double(longitude)) / 1e9
        )
    }

    /// The tags of a landmark; nil if these aren't the tags of one.
    func landmark(_ keys: [UInt32], _ values: [UInt32]) -> [String: String]? {
        landmark(zip(keys, values).map { (Int($0), Int($1)) })
    }

    /// The same for tags in which keys and values alternate.
    func landmark(_ tags: ArraySlice<Int32>) -> [String: String]? {
        let starts = stride(from: tags.startIndex, to: tags.endIndex - 1, by: 2)
        return landmark(starts.map { (Int(tags[$0]), Int(tags[$0 + 1])) })
    }

    private func landmark(_ tags: [(key: Int, value: Int)]) -> [String: String]? {
        var facts: [String: String] = [:]
        for tag in tags where texts.indices.contains(tag.key) && texts.indices.contains(tag.value) {
            facts[texts[tag.key].lowercased()] = texts[tag.value]
        }
        return LandmarkFile.isLandmark(facts) ? facts : nil
    }
}
