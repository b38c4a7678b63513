import Foundation
import Messages
import RideTracking
import ServiceRuntime
import Synchronization
import TransitFeed

/// The open feed files. A feed file never changes, so what was read from it stays valid as long as
/// it exists.
final class FeedShelf: Sendable {
    static let shared = FeedShelf()

    private struct Shelf {
        var files: [String: FeedFile] = [:]
        /// The lines of patterns, and the paces of their choices. Dropped ones are read again when
        /// they are needed. Paths take the most memory, so all trips of a pattern share one.
        var lines = BoundedCache<LineKey, BareLine>(mostEntries: .max, mostWeight: 192 << 20)
        var paces = BoundedCache<PaceKey, Pace>(mostEntries: .max, mostWeight: 64 << 20)
        /// The files that were found damaged.
        var damaged: Set<String> = []
    }

    private struct LineKey: Hashable {
        let path: String
        let pattern: Int
    }

    private struct PaceKey: Hashable {
        let path: String
        let choice: LineChoice
        let lesson: Lesson?
    }

    /// What was learned from rides about a timetable's lines: up to when, and for which time of
    /// day.
    struct Lesson: Hashable {
        /// When something was last learned, in steps of `Lessons.renewal`.
        let taught: Int64
        let band: TravelTimes.Band
    }

    private let shelf = Mutex(Shelf())

    /// The name of the folder of the feed files.
    static let folderName = "feeds"

    /// The folder of the feed files.
    static func folder(_ dataDirectory: String) -> String { "\(dataDirectory)/\(folderName)" }

    /// The name of the file of a timetable that a job imports.
    static func name(of feed: String, by job: String) -> String { "\(job)-\(feed)\(ending)" }

    /// The timetable whose file has that name.
    static func feed(of name: String) -> String {
        let feed = name.hasSuffix(ending) ? name.dropLast(ending.count) : name[...]
        let id = feed.prefix(36)
        return String(MessageID(id) == nil ? feed : feed.dropFirst(id.count + 1))
    }

    private static let ending = ".sqlite"

    /// The open file with a name, opened if necessary.
    func file(_ name: String, in dataDirectory: String) throws -> FeedFile {
        let path = Self.folder(dataDirectory) + "/" + name
        if let open = shelf.withLock({ $0.files[path] }) { return open }
        let file = try FeedFile.open(URL(filePath: path))
        shelf.withLock { $0.files[path] = file }
        return file
    }

    /// The lines of a journey's choices, in their order. `find` finds what was learned from rides
    /// about a route along these stops.
    func lines(
        _ choices: [LineChoice], of name: String, in dataDirectory: String, _ lesson: Lesson?,
        find: (_ route: String, _ stops: [String]) throws -> [RideTracking.Lesson?]
    ) throws -> [Line] {
        let file = try file(name, in: dataDirectory)
        let path = Self.folder(dataDirectory) + "/" + name
        return try choices.map { choice in
            let bare = try bareLine(ofPattern: choice.pattern, of: file, at: path)
            let key = PaceKey(path: path, choice: choice, lesson: lesson)
            var line = bare.line
            if let pace = shelf.withLock({ $0.paces[key] }) {
                line = line.paced(pace)
            } else {
                let lessons = try find(choice.route, line.stops.map(\.id))
                let pace = try file.pace(of: choice, on: bare, lessons)
                shelf.withLock { $0.paces.put(pace, for: key, weight: pace.size) }
                line = line.paced(pace)
            }
            line.isUnlikely = choice.isUnlikely ?? false
            return line
        }
    }

    private func bareLine(
        ofPattern number: Int, of file: FeedFile, at path: String
    ) throws -> BareLine {
        let key = LineKey(path: path, pattern: number)
        if let line = shelf.withLock({ $0.lines[key] }) { return line }
        let bare = try file.bareLine(ofPattern: number)
        shelf.withLock { $0.lines.put(bare, for: key, weight: bare.line.size) }
        return bare
    }

    /// Notes that a file is damaged.
    ///
    /// - Returns: true if that wasn't known.
    func noteDamage(of name: String, in dataDirectory: String) -> Bool {
        let path = Self.folder(dataDirectory) + "/" + name
        return shelf.withLock { $0.damaged.insert(path).inserted }
    }

    /// Closes a file that is about to be deleted.
    func close(_ name: String, in dataDirectory: String) {
        let path = Self.folder(dataDirectory) + "/" + name
        shelf.withLock { shelf in
            shelf.files[path] = nil
            shelf.damaged.remove(path)
            shelf.lines.removeAll { key, _ in key.path == path }
            shelf.paces.removeAll { key, _ in key.path == path }
        }
    }
}
