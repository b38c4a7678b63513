import CZip
import Foundation

/// The instances of PSPLIB (R. Kolisch and A. Sprecher, "PSPLIB - a project scheduling problem
/// library", 1996) with what is known about their shortest schedules. They aren't in the
/// repository.
package struct ProjectInstance: Sendable {
    /// The name of its file.
    package let name: String
    /// Its number among the instances with the same parameters.
    package let number: Int
    package let network: ActivityNetwork
    /// The length of the longest path through it.
    package let criticalPath: Int
    /// The length of the shortest known schedule, and a lower bound.
    package let bestKnown: Int
    package let bound: Int

    /// Why an archive can't be read.
    package struct Unreadable: Error {
        let place: String
    }

    /// The instances of a set, such as `j30`, in the order of the table.
    ///
    /// - Parameter folder: the folder with the sets as archives, and the table `bounds.csv`.
    package static func all(of set: String, in folder: URL) throws -> [ProjectInstance] {
        let table = try String(contentsOf: folder.appending(path: "bounds.csv"), encoding: .utf8)
        let archive = folder.appending(path: "\(set).zip").path
        var code: Int32 = 0
        guard let zip = zip_open(archive, ZIP_RDONLY, &code) else {
            throw Unreadable(place: archive)
        }
        defer { zip_discard(zip) }
        var instances: [ProjectInstance] = []
        for line in table.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",").map(String.init)
            guard fields.count == 9, fields[0] == set,
                let name = fields[8].split(separator: "/").last,
                let number = Int(fields[2]), let criticalPath = Int(fields[4]),
                let bound = Int(fields[5]), let best = Int(fields[6]),
                let text = try text(String(name), in: zip)
            else { continue }
            guard let network = try network(text) else { throw Unreadable(place: String(name)) }
            instances.append(
                ProjectInstance(
                    name: String(name), number: number, network: network,
                    criticalPath: criticalPath, bestKnown: best, bound: bound))
        }
        return instances
    }

    /// The text of a file in an archive; nil if it isn't there.
    private static func text(_ name: String, in zip: OpaquePointer) throws -> String? {
        let place = zip_name_locate(zip, name, UInt32(ZIP_FL_NODIR))
        guard place >= 0 else { return nil }
        guard let file = zip_fopen_index(zip, UInt64(place), 0) else {
            throw Unreadable(place: name)
        }
        defer { zip_fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = zip_fread(file, &bytes, UInt64(bytes.count))
        guard count > 0, count < bytes.count else { throw Unreadable(place: name) }
        return String(decoding: bytes[..<Int(count)], as: UTF8.self)
    }

    /// The network in a PSPLIB file; nil if it isn't one.
    private static func network(_ text: String) throws -> ActivityNetwork? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        guard let relations = lines.firstIndex(where: { $0.first == "jobnr." }),
            let requests = lines.firstIndex(where: { $0.first == "REQUESTS/DURATIONS:" }),
            let capacities = lines.firstIndex(where: { $0.first == "RESOURCEAVAILABILITIES:" })
        else { return nil }
        var activities = lines[(requests + 3)...].prefix { $0.count > 3 && Int($0[0]) != nil }.map {
            ActivityNetwork.Activity(
                duration: Int($0[2]) ?? -1, demands: $0[3...].map { Int($0) ?? -1 })
        }
        for line in lines[(relations + 1)...].prefix(while: { $0.count > 2 && Int($0[0]) != nil }) {
            for successor in line[3...].compactMap({ Int($0) }) {
                activities[successor - 1].predecessors.append((Int(line[0]) ?? 0) - 1)
            }
        }
        return try ActivityNetwork(
            activities: activities, capacities: lines[capacities + 2].map { Int($0) ?? -1 })
    }
}
