import Foundation

/// The Redmine that can run on this machine; see `Tests/SystemTests/Redmine/redmine`.
public enum RealRedmine {
    /// The folder of the script and of its files.
    public static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        + "/SystemTests/Redmine"

    /// The environment of the script.
    public static let environment = [
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
    ]

    /// Whether a server can be started here. If not, the run says so once.
    public static let isAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: folder + "/redmine")
        process.arguments = ["available"]
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Why a test is skipped.
    public static let missing =
        "needs Redmine, installed as root: Tests/SystemTests/Redmine/redmine install"
}
