import CZip
import Foundation
import Texts

/// The files of a feed: a zip archive, or a folder with the same files in it.
///
/// Only the thread that reads the feed uses libzip's handle, which is closed in `deinit`; every
/// stream keeps its archive alive, so that no entry outlives the handle it came from.
final class FeedArchive {
    /// The archive's own name, for errors that concern none of its files.
    let name: String
    /// The name of the only file, if the person has typed it: see `FeedReader.readStopList`.
    private(set) var list: String?

    private let folder: URL?
    private let zip: OpaquePointer?
    private var entries: [String: Entry] = [:]
    private let limits: FeedLimits
    private var taken: [String: Int] = [:]

    private struct Entry {
        let index: UInt64
        let size: Int
    }

    /// Opens a folder, a zip archive whose files may be inside one folder, or a list of stops.
    init(_ url: URL, limits: FeedLimits) throws(FeedError) {
        name = url.lastPathComponent
        self.limits = limits
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw FeedError(
                file: url.lastPathComponent, reason: "does not exist",
                cure: "give the path of a GTFS zip, of a folder with its files, or of a list of "
                    + "stops as CSV")
        }
        if isFolder.boolValue {
            folder = url
            zip = nil
            listFolder(url)
        } else if ["csv", "txt"].contains(url.pathExtension.lowercased()) {
            folder = url.deletingLastPathComponent()
            zip = nil
            list = name
            entries[name] = Self.entry(url)
        } else {
            folder = nil
            var code: Int32 = 0
            guard let opened = zip_open(url.path, ZIP_RDONLY, &code) else {
                throw FeedError(
                    file: url.lastPathComponent, reason: "is not a whole zip (\(reason(of: code)))",
                    cure: "fetch it again")
            }
            zip = opened
            try listZip(opened)
        }
        // An archive may state any sizes: their sum must not overflow.
        let sizes = entries.values.map(\.size)
        guard sizes.allSatisfy({ (0...limits.totalBytes).contains($0) }),
            sizes.reduce(0, +) <= limits.totalBytes
        else { throw Self.tooLarge(name, limits) }
    }

    deinit {
        if let zip { zip_discard(zip) }
    }

    /// Whether a file exists.
    func has(_ file: String) -> Bool {
        entries[file] != nil
    }

    /// The uncompressed size of a file in bytes, as stated by the archive; 0 when it does not
    /// exist.
    func size(of file: String) -> Int {
        entries[file]?.size ?? 0
    }

    /// Opens an existing file for reading from its beginning.
    func open(_ file: String) throws(FeedError) -> FeedStream {
        guard let entry = entries[file] else {
            throw FeedError(
                file: file, reason: "is not in \(name)", cure: "add it; GTFS requires it")
        }
        if let folder {
            guard let handle = fopen(folder.appendingPathComponent(file).path, "rb") else {
                throw FeedError(file: file, reason: "cannot be opened", cure: "make it readable")
            }
            return FeedStream(file: file, archive: self, source: .file(handle))
        }
        guard let zip, let handle = zip_fopen_index(zip, entry.index, 0) else {
            let code = zip.map { zip_error_code_zip(zip_get_error($0)) } ?? 0
            throw FeedError(
                file: file, reason: "cannot be unpacked (\(reason(of: code)))",
                cure: "fetch the archive again; it must be a plain zip without a password")
        }
        return FeedStream(file: file, archive: self, source: .entry(handle))
    }

    /// Counts the bytes read from a stream, which an archive may understate.
    fileprivate func take(_ bytes: Int, of file: String) throws(FeedError) {
        taken[file] = max(bytes, taken[file] ?? 0)
        guard taken.values.reduce(0, +) <= limits.totalBytes else {
            throw Self.tooLarge(name, limits)
        }
    }

    private static func tooLarge(_ name: String, _ limits: FeedLimits) -> FeedError {
        FeedError(
            file: name, reason: "unpacks to more than \(limits.totalBytes) bytes",
            cure: "leave out what doesn't belong to this feed, or split it")
    }

    private func listFolder(_ folder: URL) {
        for file in Self.files {
            entries[file] = Self.entry(folder.appendingPathComponent(file))
        }
    }

    /// What is known of a file outside of an archive; nil if there is none.
    private static func entry(_ url: URL) -> Entry? {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Entry(index: 0, size: Int(status.st_size))
    }

    /// Finds the files either at the top or inside the one folder with a `stops.txt`.
    private func listZip(_ zip: OpaquePointer) throws(FeedError) {
        var folders: [String: [String: Entry]] = [:]
        for index in 0..<UInt64(max(0, zip_get_num_entries(zip, 0))) {
            guard let raw = zip_get_name(zip, index, 0) else { continue }
            let path = String(cString: raw)
            guard path.utf8.count <= Self.longestPath, !path.hasEndlessMarks else { continue }
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let last = parts.last, parts.first != "__MACOSX" else {
                continue
            }
            let file = String(last)
            guard Self.files.contains(file) else { continue }
            var status = zip_stat_t()
            guard zip_stat_index(zip, index, 0, &status) == 0 else { continue }
            let folder = parts.count == 2 ? String(parts[0]) + "/" : ""
            guard folders[folder]?[file] == nil else {
                throw FeedError(
                    file: file, reason: "is in the archive twice", cure: "keep only one of them")
            }
            // A size beyond Int can't be true; it becomes negative here so that it is refused.
            let size = Int(truncatingIfNeeded: status.size)
            folders[folder, default: [:]][file] = Entry(index: index, size: size)
        }
        if let top = folders[""], top["stops.txt"] != nil || folders.count == 1 {
            entries = top
            return
        }
        let feeds = folders.filter { $0.value["stops.txt"] != nil }
        guard feeds.count <= 1 else {
            throw FeedError(
                file: name,
                reason: "holds several feeds (\(feeds.keys.sorted().joined(separator: ", ")))",
                cure: "import each from an archive of its own")
        }
        entries = feeds.first?.value ?? folders.first?.value ?? [:]
    }

    /// The longest path in an archive, in bytes; files with longer ones are ignored. A zip may have
    /// 64 KiB, and each is hashed.
    private static let longestPath = 1_000

    /// The files of GTFS that are read; others are ignored.
    private static let files: Set<String> = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "shapes.txt",
        "calendar.txt", "calendar_dates.txt", "frequencies.txt",
    ]
}

/// A file of a feed, read from its beginning to its end.
///
/// It owns its handle and closes it in `deinit`; the pointer that it passes to C is inside the
/// caller's array for the duration of one call, limited to the room left there.
final class FeedStream {
    private let file: String
    private let archive: FeedArchive
    private let source: Source
    private(set) var bytesRead = 0

    fileprivate enum Source {
        case file(UnsafeMutablePointer<FILE>)
        case entry(OpaquePointer)
    }

    fileprivate init(file: String, archive: FeedArchive, source: Source) {
        self.file = file
        self.archive = archive
        self.source = source
    }

    deinit {
        switch source {
        case .file(let handle): fclose(handle)
        case .entry(let handle): zip_fclose(handle)
        }
    }

    /// Fills an array, beginning at a position, with as many bytes as there are; returns 0 at the
    /// end of the file.
    func read(into bytes: inout [UInt8], from position: Int) throws(FeedError) -> Int {
        let room = bytes.count - position
        let count = bytes.withUnsafeMutableBytes { buffer -> Int in
            guard let start = buffer.baseAddress else { return 0 }
            switch source {
            case .file(let handle):
                let count = fread(start + position, 1, room, handle)
                return count == 0 && ferror(handle) != 0 ? -1 : count
            case .entry(let handle):
                return Int(zip_fread(handle, start + position, UInt64(room)))
            }
        }
        guard count >= 0 else {
            throw FeedError(
                file: file, reason: "cannot be read to its end (\(failure))",
                cure: "fetch the archive again")
        }
        bytesRead += count
        try archive.take(bytesRead, of: file)
        return count
    }

    private var failure: String {
        switch source {
        case .file: String(cString: strerror(errno))
        case .entry(let handle): reason(of: zip_error_code_zip(zip_file_get_error(handle)))
        }
    }
}

/// libzip's text for one of its error numbers.
private func reason(of code: Int32) -> String {
    var error = zip_error_t()
    zip_error_init_with_code(&error, code)
    defer { zip_error_fini(&error) }
    return String(cString: zip_error_strerror(&error))
}
