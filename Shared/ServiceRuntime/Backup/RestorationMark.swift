import Foundation

/// The file that is there while a restoration replaces a store: with it no service starts.
enum RestorationMark {
    /// Where the mark of a service is.
    static func path(_ service: String, _ directory: String) -> String {
        "\(directory)/\(service).restoring"
    }

    /// Refuses to start a service on what a restoration has left half done.
    static func refuseUnfinished(of service: String, in directory: String) throws(Outage) {
        guard access(path(service, directory), F_OK) == 0 else { return }
        throw Outage(
            exitCode: Outage.badStore,
            "a restoration of \(service) was interrupted in \(directory); give steward restore "
                + "again")
    }
}
