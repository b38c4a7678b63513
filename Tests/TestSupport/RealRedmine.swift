import Foundation

/// The Redmine that this machine can run: what it is and how it is installed is in
/// `Tests/SystemTests/Redmine/redmine`.
public enum RealRedmine {
    /// The folder of the script, and of what is used with it.
    public static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        + "/SystemTests/Redmine"

    /// The variables of the script.
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

    /// What is said of a test that is left out.
    public static let missing =
        "needs Redmine, installed as root: Tests/SystemTests/Redmine/redmine install"
}
