import CZlib
import Messages

/// Splits a file of OpenStreetMap in PBF into its blocks, one after another.
struct MapBlocks {
    /// The largest block, in bytes, without compression (the format's own limit).
    private static let largest = 32 << 20
    /// The largest header of a block, in bytes (the format's own limit).
    private static let largestHeader = 64 << 10
    /// The largest block in memory. Many short texts take more room than in a file.
    private static let limits = UnpackLimits(
        maximumSize: largest, maximumMemory: 512 << 20)
    private static let understood: Set = ["OsmSchema-V0.6", "DenseNodes", "Sort.Type_then_ID"]

    private let bytes: [UInt8]
    private var place = 0

    /// Makes a reader of a file.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// True if the bytes begin as such a file does.
    static func areIn(_ bytes: [UInt8]) -> Bool {
        bytes.count > 15 && bytes[4..<15].elementsEqual([0x0A, 9] + Array("OSMHeader".utf8))
    }

    /// The next block with elements; nil at the end.
    ///
    /// - Throws: ``LandmarkFileError`` when the file is cut off, can't be read, or needs a reader
    ///   that understands more.
    mutating func next() throws(LandmarkFileError) -> MapBlock? {
        while place < bytes.count {
            let start = place
            let size = try take(4).reduce(0) { $0 << 8 | Int($1) }
            guard size <= Self.largestHeader else { throw Self.fault(at: start) }
            let header: MapBlobHeader = try unpack(try take(size), at: start)
            guard header.datasize >= 0 else { throw Self.fault(at: start) }
            let blob = try take(Int(header.datasize))
            switch header.type {
            case "OSMHeader":
                let head: MapHeader = try unpack(try inflate(blob, at: start), at: start)
                let strange = head.requiredFeatures.first { !Self.understood.contains($0) }
                if let strange {
                    throw LandmarkFileError(
                        line: 0, reason: "needs a reader of “\(strange.prefix(60))”",
                        cure: "export it again as a plain extract, without history")
                }
            case "OSMData": return try unpack(try inflate(blob, at: start), at: start)
            default: continue
            }
        }
        return nil
    }

    private mutating func take(_ count: Int) throws(LandmarkFileError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else {
            throw LandmarkFileError(
                line: 0, reason: "is cut off after \(bytes.count) bytes", cure: "download it again")
        }
        defer { place += count }
        return bytes[place..<place + count]
    }

    private func unpack<M: ProtobufMessage>(
        _ bytes: some Collection<UInt8>, at start: Int
    ) throws(LandmarkFileError) -> M {
        guard bytes.count <= Self.largest else { throw Self.fault(at: start) }
        do throws(ProtobufError) {
            return try M(unpacking: Array(bytes), limits: Self.limits)
        } catch { throw Self.fault(at: start) }
    }

    private func inflate(
        _ bytes: ArraySlice<UInt8>, at start: Int
    ) throws(LandmarkFileError) -> [UInt8] {
        let blob: MapBlob = try unpack(bytes, at: start)
        if !blob.raw.isEmpty { return blob.raw }
        guard !blob.zlibData.isEmpty else {
            throw LandmarkFileError(
                line: 0, reason: "is compressed in another way than by zlib",
                cure: "write it again with osmium cat -f pbf,pbf_compression=zlib")
        }
        guard blob.rawSize >= 0, blob.rawSize <= Self.largest else { throw Self.fault(at: start) }
        var size = uLongf(blob.rawSize)
        var result = [UInt8](repeating: 0, count: Int(blob.rawSize))
        let code = uncompress(&result, &size, blob.zlibData, uLong(blob.zlibData.count))
        guard code == Z_OK, size == result.count else { throw Self.fault(at: start) }
        return result
    }

    private static func fault(at place: Int) -> LandmarkFileError {
        LandmarkFileError(
            line: 0, reason: "is damaged at byte \(place + 1)", cure: "download it again")
    }
}
