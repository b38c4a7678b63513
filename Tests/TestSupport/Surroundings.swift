import Foundation

/// Conditions that only some machines provide: superuser rights, small file systems.
public enum Surroundings {
    /// Whether this process has superuser rights.
    public static var isSuperuser: Bool { geteuid() == 0 }

    /// Reports prominently that a condition could not be provided.
    public static func lack(_ sentence: String) {
        FileHandle.standardError.write(Data("\n*** NOT TRIED: \(sentence)\n\n".utf8))
    }

    /// The words before a command that run it without superuser rights, which would override file
    /// permissions. Empty for other accounts.
    public static var withoutRights: [String] {
        guard isSuperuser else { return [] }
        return ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    }

    /// Returns the words before a command that limit the size of the files it writes.
    public static func limitingFiles(to bytes: Int) -> [String] {
        ["/usr/bin/prlimit", "--fsize=\(bytes)"]
    }
}

/// A small file system in memory that soon fills up. It is unmounted when nothing refers to it.
public final class SmallDisk {
    /// Whether this process may mount one, which not even the superuser may in most containers.
    public static let isAllowed: Bool = {
        let path = NSTemporaryDirectory() + "/steward-disk-\(getpid())"
        defer { rmdir(path) }
        guard mkdir(path, 0o700) == 0, mount("tmpfs", path, "tmpfs", 0, "size=4096") == 0 else {
            return false
        }
        return umount2(path, Int32(MNT_DETACH)) == 0
    }()

    private let path: String

    /// Mounts a file system of this size at an empty directory. Returns nil, and reports so, if
    /// that isn't allowed here.
    public init?(at path: String, bytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            Surroundings.lack("a full disk of its own (mount: \(String(cString: strerror(errno))))")
            return nil
        }
    }

    /// Enlarges it, as if a person had freed some space.
    public func enlarge(to bytes: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0 else {
            throw Complaint.system("enlarge \(path)")
        }
    }

    /// Fills it except for a number of bytes, as if another program had done so.
    public func fill(leaving bytes: Int) throws {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw Complaint.system("statvfs \(path)") }
        let used = Int(status.f_blocks - status.f_bfree) * Int(status.f_frsize)
        try enlarge(to: used + bytes)
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
