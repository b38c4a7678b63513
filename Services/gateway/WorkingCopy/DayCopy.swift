import Foundation
import Messages

/// A device's copy of a person's day: the day as last received from the service, and the operations
/// made here that the service hasn't accepted yet.
///
/// An operation is on the disk once ``append(_:)`` returns; it stays in ``waiting`` until the
/// service has accepted it. Nothing else removes it.
///
/// Not Sendable: it belongs to the thread that opened it, and to one process at a time.
public final class DayCopy {
    /// The date of the day, ISO 8601.
    public let date: String
    /// The day as last received from the service; nil if it was never received.
    public private(set) var day: Day?
    /// The operations that the service hasn't accepted, in the order in which they were made.
    public private(set) var waiting: [DayOperation] = []

    private let file: RecordFile
    /// The size in bytes above which the file is started over when nothing waits.
    private static let mostBytes = 1 << 18

    init(_ file: RecordFile, _ records: [RecordFile.Record], date: String) throws {
        (self.file, self.date) = (file, date)
        for record in records { try apply(record) }
    }

    /// Keeps something that was done here: when it returns, it is on the disk.
    public func append(_ operation: DayOperation) throws {
        try keep([.init(kind: Kind.own.rawValue, body: operation.packed())])
    }

    /// Removes operations that the service has accepted, and keeps the day that it sent with them.
    public func settle(_ operations: [DayOperation], _ day: Day) throws {
        let ids = Set(waiting.map(\.id))
        let taken = operations.filter { ids.contains($0.id) }
            .map { RecordFile.Record(kind: Kind.taken.rawValue, body: $0.id) }
        try keep([.init(kind: Kind.day.rawValue, body: day.packed())] + taken)
    }

    /// Keeps the day that the service sent.
    public func update(to day: Day) throws {
        guard day != self.day else { return }
        // A kill in between loses what the service has anyway.
        if waiting.isEmpty, file.size > Self.mostBytes { try file.restart() }
        try keep([.init(kind: Kind.day.rawValue, body: day.packed())])
    }

    private func keep(_ records: [RecordFile.Record]) throws {
        try file.append(records)
        for record in records { try apply(record) }
    }

    private func apply(_ record: RecordFile.Record) throws {
        switch Kind(rawValue: record.kind) {
        case .day: day = try Day(stored: record.body)
        case .own: waiting.append(try DayOperation(stored: record.body))
        case .taken: waiting.removeAll { $0.id == record.body }
        case nil: throw WorkingCopyError.foreign(path: file.path)
        }
    }

    /// The kind of a record in the file. The numbers are in people's files and never change.
    private enum Kind: UInt8 {
        /// A Day as the service sent it.
        case day = 1
        /// A DayOperation that was made here.
        case own = 2
        /// The id of an operation that the service has accepted.
        case taken = 3
    }
}

extension DeviceFolder {
    /// Opens what is kept of a day, or begins it.
    ///
    /// - Parameters:
    ///   - date: ISO 8601.
    ///   - patience: how many milliseconds to wait for a process that has it open.
    public func open(day date: String, patience: Int32 = 3000) throws -> DayCopy {
        let (file, records) = try RecordFile.open(at: path(ofDay: date), patience: patience)
        if records.isEmpty { try syncFolder() }
        return try DayCopy(file, records, date: date)
    }

    /// The dates of the days that are kept here, newest first.
    public func days() throws -> [String] { try names(endingWith: Self.dayEnding).sorted(by: >) }

    /// Deletes the days before a date that have nothing waiting.
    public func forgetDays(before date: String) throws {
        for old in try days() where old < date {
            guard try open(day: old).waiting.isEmpty else { continue }
            try remove(path(ofDay: old))
        }
    }

    private static let dayEnding = ".day"

    private func path(ofDay date: String) -> String { "\(path)/\(date)\(Self.dayEnding)" }

    // MARK: Pictures

    /// A picture that is kept here; nil when it isn't, or can't be read.
    ///
    /// - Parameter checksum: the SHA-256 of its file.
    public func picture(_ checksum: [UInt8]) -> PersonalPicture? {
        guard let bytes = FileManager.default.contents(atPath: path(ofPicture: checksum)) else {
            return nil
        }
        do { return try PersonalPicture(stored: [UInt8](bytes)) } catch { return nil }
    }

    /// Keeps a picture, so that it is shown without the service too.
    public func keep(_ picture: PersonalPicture) throws(WorkingCopyError) {
        let path = path(ofPicture: picture.checksum)
        do {
            try Data(picture.packed()).write(to: URL(filePath: path), options: .atomic)
        } catch { throw .system(action: "written", path: path, code: errno) }
    }

    private func path(ofPicture checksum: [UInt8]) -> String {
        "\(path)/\(hexText(checksum)).picture"
    }
}
