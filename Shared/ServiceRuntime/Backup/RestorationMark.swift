import Disk
import Foundation

/// Files that exist until a restoration is complete; no service starts while one of its own does.
enum RestorationMark {
    /// The mark of a service whose store is being replaced.
    static func path(_ service: String, _ directory: String) -> String {
        "\(directory)/\(service).restoring"
    }

    /// The mark of a service whose store is yet to be replaced, perhaps after those of others.
    static func announcement(_ service: String, _ directory: String) -> String {
        "\(directory)/\(service).announced"
    }

    /// Makes a mark, durably.
    ///
    /// - Returns: false if that failed; then `errno` says why.
    static func make(_ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        close(file)
        return Folder.flushName(of: path)
    }

    /// Refuses to start a service on a half-finished restoration.
    static func refuseUnfinished(of service: String, in directory: String) throws(Outage) {
        let marks = [path(service, directory), announcement(service, directory)]
        guard marks.contains(where: { access($0, F_OK) == 0 }) else { return }
        throw Outage(
            exitCode: Outage.badStore,
            "a restoration of \(service) was interrupted in \(directory); run steward restore "
                + "again")
    }
}
