import Foundation

/// Real feeds and recordings. Because of their licences, none is in the repository; tests that need
/// them report when they are missing.
public enum Recordings {
    /// The environment variable with the path of their folder.
    public static let variable = "STEWARD_REAL_DATA"

    /// Returns a folder of recordings; nil if it doesn't exist.
    public static func folder(_ name: String) -> URL? {
        guard let root = ProcessInfo.processInfo.environment[variable], !root.isEmpty else {
            return nil
        }
        let folder = URL(filePath: root).appending(path: name)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
