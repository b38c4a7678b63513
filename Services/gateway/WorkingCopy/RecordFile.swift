import Foundation

/// An error of the file of a working copy. Its description is a sentence for a person.
public enum WorkingCopyError: Error, Hashable, CustomStringConvertible {
    /// Another process has the file open; `process` is its id if known.
    case inUse(path: String, process: Int32?)
    /// The file can't be read or written: what was tried, and the system's error.
    case system(action: String, path: String, code: Int32)
    /// The middle of the file has changed since it was written.
    case damaged(path: String, offset: Int)
    /// A record is unknown: a newer version wrote it.
    case foreign(path: String)

    /// A sentence that says what is wrong, without a full stop.
    public var description: String {
        switch self {
        case .inUse(_, let process?):
            "this working copy is open in another steward (process \(process))"
        case .inUse: "this working copy is open in another steward"
        case .system(let action, let path, let code):
            "\(path) can't be \(action) (\(String(cString: strerror(code))))"
        case .damaged(let path, let offset):
            "\(path) is damaged at byte \(offset); what stands before it was kept"
        case .foreign(let path): "\(path) was written by another version of steward"
        }
    }

    /// What to do about it.
    public var advice: String {
        switch self {
        case .inUse: "end that one first, or use it"
        case .system: "make room, and make the directory writable for this account"
        case .damaged: "move it away, so that a new one is made; keep it until all marks are there"
        case .foreign: "use the newest steward of this machine"
        }
    }
}

/// A file of records that only grows. Each record has its length and a checksum. When `append`
/// returns, the record is on the disk. Opening the file drops a record at its end that a kill left
/// half written.
///
/// Not Sendable: it belongs to the thread that opened it. A kernel lock keeps every other process
/// out until it is closed.
final class RecordFile {
    /// A record: its kind and its content.
    struct Record: Hashable {
        let kind: UInt8
        let body: [UInt8]
    }

    /// The size of a record's head in bytes: length of the content, checksum of kind and content,
    /// kind.
    static let headSize = 9
    /// The maximum size of a record, bytes: 4 MiB, more than the largest snapshot on the bus.
    static let longest = 1 << 22

    /// Where the file is.
    let path: String
    private let file: Int32
    /// How many bytes it has.
    private(set) var size: Int

    /// Opens the file, or creates an empty one.
    ///
    /// - Parameter patience: how many milliseconds to wait for a process that has it open.
    /// - Returns: the file, and its records.
    static func open(
        at path: String, patience: Int32 = 0
    ) throws(WorkingCopyError) -> (file: RecordFile, records: [Record]) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .system(action: "opened", path: path, code: errno)
        }
        do {
            try lock(descriptor, path, patience)
            let bytes = try readAll(descriptor, path)
            let (records, end) = try parse(bytes, path)
            let file = RecordFile(path, descriptor, size: end)
            if end < bytes.count { try file.cut() }
            return (file, records)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private init(_ path: String, _ file: Int32, size: Int) {
        (self.path, self.file, self.size) = (path, file, size)
    }

    deinit { close(file) }

    /// Adds records. When it returns, all of them are on the disk; when it throws, none is.
    func append(_ records: [Record]) throws(WorkingCopyError) {
        var bytes: [UInt8] = []
        for record in records { bytes += Self.packed(record) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                pwrite(
                    file, all.baseAddress?.advanced(by: written), all.count - written,
                    off_t(size + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                try cut()
                throw .system(action: "written", path: path, code: code)
            }
            written += count
        }
        guard fdatasync(file) == 0 else {
            let code = errno
            try cut()
            throw .system(action: "written", path: path, code: code)
        }
        size += bytes.count
    }

    /// Starts the file over, empty.
    func restart() throws(WorkingCopyError) {
        size = 0
        try cut()
    }

    /// The bytes of a record in the file.
    static func packed(_ record: Record) -> [UInt8] {
        let sum = CRC32.of([record.kind] + record.body)
        return littleEndian(UInt32(record.body.count)) + littleEndian(sum) + [record.kind]
            + record.body
    }

    /// The records at the beginning of the bytes, and where the last whole one ends.
    ///
    /// - Throws: ``WorkingCopyError/damaged(path:offset:)`` if whole records follow a broken one: a
    ///   kill doesn't cause that, so nothing may be cut off.
    static func parse(
        _ bytes: [UInt8], _ path: String
    ) throws(WorkingCopyError) -> (records: [Record], end: Int) {
        var records: [Record] = []
        var end = 0
        while let record = record(in: bytes, at: end) {
            records.append(record)
            end += headSize + record.body.count
        }
        guard !hasRecord(in: bytes, after: end) else {
            throw .damaged(path: path, offset: end)
        }
        return (records, end)
    }

    /// The maximum number of bytes searched for a whole record: 16 MiB, so that it doesn't take
    /// long.
    private static let longestSearch = 1 << 24

    /// True if a whole record begins anywhere after an offset: a broken length doesn't say where.
    private static func hasRecord(in bytes: [UInt8], after offset: Int) -> Bool {
        var left = longestSearch
        var place = offset + 1
        while place + headSize <= bytes.count, left > 0 {
            if record(in: bytes, at: place) != nil { return true }
            let length = length(in: bytes, at: place) ?? 0
            left -= place + headSize + length <= bytes.count ? 1 + length : 1
            place += 1
        }
        return false
    }

    private static func record(in bytes: [UInt8], at offset: Int) -> Record? {
        guard let length = length(in: bytes, at: offset) else { return nil }
        let end = offset + headSize + length
        guard end <= bytes.count else { return nil }
        let content = bytes[(offset + 8)..<end]
        guard number(in: bytes, at: offset + 4) == CRC32.of(content) else { return nil }
        return Record(kind: bytes[offset + 8], body: Array(content.dropFirst()))
    }

    private static func length(in bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + headSize <= bytes.count else { return nil }
        let length = Int(number(in: bytes, at: offset))
        return length <= longest ? length : nil
    }

    private static func number(in bytes: [UInt8], at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Cuts off everything after the last whole record.
    private func cut() throws(WorkingCopyError) {
        guard ftruncate(file, off_t(size)) == 0, fdatasync(file) == 0 else {
            throw .system(action: "written", path: path, code: errno)
        }
    }

    private static func lock(
        _ file: Int32, _ path: String, _ patience: Int32
    ) throws(WorkingCopyError) {
        var waited: Int32 = 0
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .system(action: "locked", path: path, code: errno)
            }
            guard waited < patience else {
                throw .inUse(path: path, process: LockHolder.read(path))
            }
            poll(nil, 0, 50)
            waited += 50
        }
        LockHolder.write(path)
    }

    private static func readAll(_ file: Int32, _ path: String) throws(WorkingCopyError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(file, &piece, piece.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(action: "read", path: path, code: errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }
}

/// The process that has a file open, only for the error message.
private enum LockHolder {
    static func write(_ path: String) {
        let file = open(path + ".process", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let text = Array("\(getpid())\n".utf8)
        _ = Glibc.write(file, text, text.count)
        close(file)
    }

    static func read(_ path: String) -> Int32? {
        FileManager.default.contents(atPath: path + ".process")
            .flatMap { Int32(String(decoding: $0, as: UTF8.self).dropLast()) }
    }
}

/// The checksum of records.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in
            sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
        }
    }

    /// CRC-32 as in ISO 3309 and zlib, which detects every burst error of up to 32 bits.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
    }
}
