import Foundation

/// Real feeds and recordings. Their licences differ, so none is in the repository: the tests that
/// want them say so when they are not there.
public enum Recordings {
    /// The variable that names their folder.
    public static let variable = "STEWARD_REAL_DATA"

    /// A folder of them; nil when it is not there.
    public static func folder(_ name: String) -> URL? {
        guard let root = ProcessInfo.processInfo.environment[variable], !root.isEmpty else {
            return nil
        }
        let folder = URL(filePath: root).appending(path: name)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
