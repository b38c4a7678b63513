import Foundation
import Messages
import RideFile
import RideTracking
import Speech

/// A ride recorded by a phone or a logger.
enum RecordedRide {
    /// The largest file in bytes: a position every second for a week is less.
    private static let largest = 64 << 20

    /// The positions in a GPX or CSV file, as the service expects them.
    ///
    /// - Throws: ``Failure`` that names the file, the line and the fix.
    static func fixes(at path: String) throws -> [Fix] {
        let bytes = try InputFile.bytes(path, atMost: largest, cure: "cut the ride out of it")
        do {
            let isXML = bytes.first { !isBlank($0) } == UInt8(ascii: "<")
            let fixes = try isXML ? GPXReader.fixes(from: bytes) : FixCSV.fixes(from: bytes)
            return fixes.map { Fix($0) }
        } catch {
            throw Failure(
                .refused, "\(path)\(error.line > 0 ? ":\(error.line)" : "") \(reason(error))",
                advice: error.cure)
        }
    }

    private static func reason(_ error: RideFileError) -> String {
        (error.column.map { "\($0): " } ?? "") + error.reason
    }

    /// Blanks, line ends, and the byte order mark that some programs begin a file with.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0xEF, 0xBB, 0xBF].contains(byte)
    }
}
