import Messages
import XMLText

extension PlanFile {
    /// Reads a plan: native, BoligApp's XML, Sweet Home 3D (`.sh3d` or its `Home.xml`), RoomPlan's
    /// CapturedRoom as JSON, or a ``PanoramaFile``.
    /// - Parameter named: The file's name, for messages and for a plan without a name.
    /// - Throws: A refusal that names the place in the file and the fix.
    package static func read(
        _ bytes: [UInt8], named file: String, _ options: PlanFileOptions = PlanFileOptions()
    ) throws(Refusal) -> ImportedPlan {
        guard bytes.count <= largest else {
            throw .invalid("\(file) is larger than \(largest >> 20) MiB, which no plan needs")
        }
        if bytes.starts(with: Array("PK".utf8)) {
            let home = try ZipArchive(bytes, named: file).entry("Home.xml")
            return try xml(home, file: "\(file), entry Home.xml", named: file, options)
        }
        guard bytes.count <= largestText else {
            throw .invalid(
                "\(file) is larger than \(largestText >> 20) MiB of text, which no plan needs")
        }
        let marks: [[UInt8]] = [[0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]]
        let mark = marks.first { bytes.starts(with: $0) } ?? []
        let first = bytes.dropFirst(mark.count).first { ![0, 9, 10, 13, 32].contains($0) }
        switch first {
        case UInt8(ascii: "<"): return try xml(bytes, file: file, named: file, options)
        case UInt8(ascii: "{") where mark.count != 2:
            return try json(Array(bytes.dropFirst(mark.count)), file: file, options)
        case nil: throw .invalid("\(file) is empty; give the file of a plan")
        default:
            throw .invalid(
                "\(file) isn't a plan: it begins neither as XML, JSON nor zip; \(formats)")
        }
    }

    private static func xml(
        _ bytes: [UInt8], file: String, named: String, _ options: PlanFileOptions
    ) throws(Refusal) -> ImportedPlan {
        var draft = PlanDraft(file: file, named: named, options: options)
        let mended = XMLMending(bytes)
        for line in mended?.lines ?? [] {
            draft.warn("line \(line): </> was read as the end of the element that is open")
        }
        var document = PlanDocument.unread(draft)
        try XMLScanner(
            file: file, begin: { (root) throws(Refusal) in try document.begin(root) },
            take: { (child) throws(Refusal) in try document.take(child) }
        ).read(mended?.bytes ?? bytes)
        return try document.finished()
    }

    private static func json(
        _ bytes: [UInt8], file: String, _ options: PlanFileOptions
    ) throws(Refusal) -> ImportedPlan {
        let json = try JSONFile(bytes, named: file)
        let keys = try json.keys()
        let draft = PlanDraft(file: file, named: file, options: options)
        if keys.contains("panorama") {
            var reader = try PanoramaReader(json, draft)
            return try reader.plan()
        }
        if keys.contains("walls") {
            var story: Int?
            if let level = options.level {
                guard let number = Int(level) else {
                    throw .invalid("\(file): a scan's storey is a number, not “\(level.shown())”")
                }
                story = number
            }
            var reader = RoomScanReader(try RoomScan(json, story: story), draft)
            return try reader.plan()
        }
        let cure =
            keys.contains("rooms")
            ? "a structure of several rooms; export its rooms one by one" : formats
        throw .invalid("\(file) has neither walls nor a panorama; \(cure)")
    }
}
