import Foundation

/// A file that exists while a restoration replaces a store; no service starts while it does.
enum RestorationMark {
    /// The path of a service's mark.
    static func path(_ service: String, _ directory: String) -> String {
        "\(directory)/\(service).restoring"
    }

    /// Refuses to start a service on a half-finished restoration.
    static func refuseUnfinished(of service: String, in directory: String) throws(Outage) {
        guard access(path(service, directory), F_OK) == 0 else { return }
        throw Outage(
            exitCode: Outage.badStore,
            "a restoration of \(service) was interrupted in \(directory); give steward restore "
                + "again")
    }
}
