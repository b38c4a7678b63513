import Foundation

/// The files of former releases: a page that was loaded before an upgrade still asks for them.
extension FileShelf {
    /// How long the files of a former release are served, in milliseconds: 7 days.
    static let formerTime: Int64 = 7 * 86_400_000
    /// The most former releases whose files are served. The files of all of them have no more bytes
    /// than those of one release may have.
    static let mostFormer = 4

    /// Keeps these files in a folder for later releases, and serves those of former releases that
    /// it has.
    ///
    /// The folder has a file for each release, named after the version in its paths. Once it is a
    /// former release, a dot and the time until which it is served follow. Any other file in the
    /// folder is deleted.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder, which is made if it doesn't exist.
    ///   - now: milliseconds since 1970.
    /// - Throws: an error of the system when the folder can't be read or written.
    public mutating func keep(in folder: String, at now: Int64) throws {
        let disk = FileManager.default
        try disk.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let own = "\(folder)/\(version)"
        var releases: [Release] = []
        for name in try disk.contentsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            let release = String(parts[0])
            if release == version {
                // An earlier release is the present one again.
                if path != own, !disk.fileExists(atPath: own) {
                    try disk.moveItem(atPath: path, toPath: own)
                } else if path != own {
                    try disk.removeItem(atPath: path)
                }
            } else if parts.count == 1 {
                // It was the present one until now.
                let until = now + Self.formerTime
                try disk.moveItem(atPath: path, toPath: "\(path).\(until)")
                releases.append(
                    Release(version: release, until: until, path: "\(path).\(until)"))
            } else if parts.count == 2, let until = Int64(parts[1]) {
                releases.append(Release(version: release, until: until, path: path))
            } else {
                try disk.removeItem(atPath: path)
            }
        }
        // Do this first: it frees space, and a full disk doesn't keep these from being served.
        former = try Self.served(releases, at: now)
        if !disk.fileExists(atPath: own) { try save(to: own) }
    }

    /// The files of a release as they are kept.
    private struct Release {
        let version: String
        /// Until when they are served, in milliseconds since 1970.
        let until: Int64
        /// The path of the file that has all of them.
        let path: String
    }

    /// The releases that are still served, the newest first. The others are deleted.
    private static func served(_ releases: [Release], at now: Int64) throws -> [FileShelf] {
        var served: [FileShelf] = []
        var room = most
        for release in releases.sorted(by: { $0.until > $1.until }) {
            if release.until > now, served.count < mostFormer,
                let shelf = opened(release.path), shelf.version == release.version,
                shelf.size <= room
            {
                room -= shelf.size
                served.append(shelf)
            } else {
                try FileManager.default.removeItem(atPath: release.path)
            }
        }
        return served
    }

    /// The bytes of all files.
    private var size: Int { files.values.reduce(0) { $0 + $1.plain.count } }

    private func save(to path: String) throws {
        let all = files.mapValues { Data($0.plain) }
        try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic)
    }

    /// The files that were saved at a path; nil when they are damaged or can't be read.
    private static func opened(_ path: String) -> FileShelf? {
        do {
            let bytes = Data(try read(path))
            let all = try JSONDecoder().decode([String: Data].self, from: bytes)
            return try FileShelf(all.mapValues { [UInt8]($0) }, packing: false)
        } catch { return nil }
    }
}
