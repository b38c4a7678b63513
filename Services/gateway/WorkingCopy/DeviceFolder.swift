import Foundation
import Messages

/// Where a device keeps its working copies: one folder for each account, because an operation is
/// recorded in the name of its sender, and the numbers of a device's operations have no gaps.
public struct DeviceFolder {
    /// The folder.
    public let path: String
    /// The device's id in operations.
    public let device: String

    /// Opens the folder, creating it with the device's id if it isn't there.
    ///
    /// - Parameter newID: the device's id if it has none yet.
    public init(at path: String, newID: MessageID) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw WorkingCopyError.system(action: "made", path: path, code: errno)
        }
        let (file, records) = try RecordFile.open(at: path + "/device", patience: 3000)
        if let first = records.first {
            device = String(decoding: first.body, as: UTF8.self)
        } else {
            device = "\(newID)"
            try file.append([.init(kind: 0, body: Array(device.utf8))])
            try syncFolder()
        }
    }

    /// Renames a folder. It stays where it is if another process was faster.
    public static func move(_ path: String, to other: String) throws(WorkingCopyError) {
        guard rename(path, other) == 0 || errno == ENOENT else {
            throw .system(action: "moved", path: path, code: errno)
        }
    }

    /// True if something that was done here waits to be sent, or was refused.
    public func hasWork() throws -> Bool {
        for id in try shifts() {
            guard let copy = try open(shift: id) else { continue }
            if !copy.waiting.isEmpty || !copy.refused.isEmpty { return true }
        }
        return try days().contains { try !open(day: $0).waiting.isEmpty }
    }

    /// Opens the working copy of a shift.
    ///
    /// - Parameter patience: how many milliseconds to wait for a process that has it open.
    /// - Returns: nil if there is none.
    public func open(shift id: String, patience: Int32 = 3000) throws -> WorkingCopy? {
        let path = path(of: id)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let (file, records) = try RecordFile.open(at: path, patience: patience)
        // A kill before the first record is complete leaves nothing that anyone relied on.
        guard !records.isEmpty else { return nil }
        return try WorkingCopy(file, records, device: device)
    }

    /// Begins the working copy of a shift, or opens the one that is there.
    public func begin(_ snapshot: ShiftSnapshot, patience: Int32 = 3000) throws -> WorkingCopy {
        let id = snapshot.shift?.id ?? ""
        let (file, records) = try RecordFile.open(at: path(of: id), patience: patience)
        guard records.isEmpty else { return try WorkingCopy(file, records, device: device) }
        let first = RecordFile.Record(.snapshot, snapshot)
        try file.append([first])
        try syncFolder()
        return try WorkingCopy(file, [first], device: device)
    }

    /// The ids of the shifts that have a working copy here, newest first.
    public func shifts() throws -> [String] {
        try names(endingWith: Self.ending).filter { MessageID($0) != nil }.sorted(by: >)
    }

    /// The names of the files in the folder that have an ending, without it.
    func names(endingWith ending: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
        } catch {
            throw WorkingCopyError.system(action: "read", path: path, code: errno)
        }
    }

    /// Deletes the working copy of an ended shift if no operation is waiting or refused.
    ///
    /// - Returns: false if it was kept, because something has still to be sent or seen.
    @discardableResult
    public func forget(_ copy: WorkingCopy) throws -> Bool {
        guard copy.shift.ended != 0, copy.waiting.isEmpty, copy.refused.isEmpty else {
            return false
        }
        // The file goes last: a kill in between leaves what is deleted the next time.
        try copy.removePhotos()
        try remove(path(of: copy.shift.id))
        return true
    }

    /// Removes a file of records, if it is there.
    func remove(_ path: String) throws(WorkingCopyError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .system(action: "removed", path: path, code: errno)
        }
        unlink(path + ".process")
        unlink(path + HeardTime.ending)
    }

    private static let ending = ".shift"

    private func path(of shift: String) -> String { "\(path)/\(shift)\(Self.ending)" }

    /// Flushes the folder: a new file survives a power cut only if its folder was flushed too.
    func syncFolder() throws(WorkingCopyError) { try WorkingCopy.flush(path) }
}
