import Foundation

/// What only some surroundings provide: the rights of the superuser, small file systems.
public enum Surroundings {
    /// True when this process may do everything.
    public static var isSuperuser: Bool { geteuid() == 0 }

    /// Says loudly that a condition could not be provided.
    public static func lack(_ sentence: String) {
        FileHandle.standardError.write(Data("\n*** NOT TRIED: \(sentence)\n\n".utf8))
    }

    /// The words before a command that take the superuser's rights from it, because they would
    /// override the permissions of files. None for another account.
    public static var withoutRights: [String] {
        guard isSuperuser else { return [] }
        return ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    }

    /// The words before a command that let no file of it grow beyond a size.
    public static func limitingFiles(to bytes: Int) -> [String] {
        ["/usr/bin/prlimit", "--fsize=\(bytes)"]
    }
}

/// A file system of its own in memory, which is full soon. It is gone when nothing refers to it.
public final class SmallDisk {
    private let path: String

    /// Mounts one of so many bytes at an empty directory; nil, and a loud word, when that is not
    /// allowed here.
    public init?(at path: String, bytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            Surroundings.lack("a full disk of its own (mount: \(String(cString: strerror(errno))))")
            return nil
        }
    }

    /// Makes it larger, as a person does who frees some space.
    public func enlarge(to bytes: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0 else {
            throw Complaint.system("enlarge \(path)")
        }
    }

    /// Leaves only so much of it free, as another program does that fills it.
    public func fill(leaving bytes: Int) throws {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw Complaint.system("statvfs \(path)") }
        let used = Int(status.f_blocks - status.f_bfree) * Int(status.f_frsize)
        try enlarge(to: used + bytes)
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
