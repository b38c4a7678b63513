import AidCatalogue
import Calendars
import Foundation
import Messages
import Pictures
import PlanFiles
import ProjectFiles
import RideFile
import TemplateFile
import TransitFeed

/// The readers of what comes from outside.
enum Readers {
    static let all: [String: @Sendable ([UInt8]) -> Void] = [
        "gpx": { bytes in _ = try? GPXReader.fixes(from: bytes) },
        "ride": { bytes in _ = try? FixCSV.fixes(from: bytes) },
        "issues": { bytes in _ = try? ProjectFile.read(bytes, named: "issues") },
        "plan": plan, "template": template, "calendar": calendar, "catalogue": catalogue,
        "picture": picture, "timetable": timetable, "message": Unpacking.unpack,
    ]

    private static func plan(_ bytes: [UInt8]) {
        _ = try? PlanFile.read(bytes, named: "plan")
    }

    /// What was read is still the same after writing and reading it.
    private static func template(_ bytes: [UInt8]) {
        guard let read = try? ChecklistTemplate(yaml: bytes) else { return }
        precondition((try? ChecklistTemplate(yaml: Array(read.yaml.utf8))) == read)
    }

    private static func calendar(_ bytes: [UInt8]) {
        guard let file = try? CalendarFile(bytes) else { return }
        // A year, and one that begins far from any event.
        for start: Int64 in [1_767_225_600, 0] {
            _ = try? file.busyTimes(in: TimeSpan(start, start + 31_536_000), zone: .utc)
        }
    }

    /// A picture that was prepared is recognised as prepared.
    private static func picture(_ bytes: [UInt8]) {
        _ = try? Picture(prepared: bytes)
        guard let picture = try? Picture(preparing: bytes) else { return }
        precondition((try? Picture(prepared: picture.bytes)) == picture)
    }

    private static func catalogue(_ bytes: [UInt8]) {
        var pieces = [bytes]
        var reader = CatalogueReader { pieces.popLast() ?? [] }
        while (try? reader.next()) != nil {}
    }

    // MARK: Timetables

    /// The demo's timetable. Each input replaces one of its files.
    private static let feed: (folder: String, files: [(name: String, bytes: Data)]) = {
        let folder = NSTemporaryDirectory() + "explorer-\(getpid())"
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let demo = root.appending(path: "deploy/demo/harbour-line").path
        do {
            try FileManager.default.copyItem(atPath: demo, toPath: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            return (folder, try names.map { ($0, try contents("\(folder)/\($0)")) })
        } catch { preconditionFailure("\(error)") }
    }()

    private static func contents(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path))
    }

    /// The first byte selects a file, and the rest replaces it.
    private static func timetable(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let file = feed.files[Int(first) % feed.files.count]
        let path = URL(filePath: "\(feed.folder)/\(file.name)")
        do {
            try Data(bytes.dropFirst()).write(to: path)
            _ = try? Feed.read(from: URL(filePath: feed.folder))
            try file.bytes.write(to: path)
        } catch { preconditionFailure("\(error)") }
    }
}
