import Bus
import Checksum
import Foundation
import Messages
import ShiftClient
import Speech
import Terminal
import WorkingCopy

extension Session: ServiceAccess {
    func client(_ service: ServiceName) throws -> Client {
        try client(service, isPatient: false)
    }

    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for type: R.Type
    ) throws -> R {
        try ask(service, message, for: type, repeating: nil)
    }

    func renewProof(refused token: [UInt8]) throws -> Bool {
        try keptLogIn.forgetTokens(refused: token)
    }

    /// The folder for what the logged-in person does on this device without a service. Like the
    /// log-in, it belongs to one bus.
    ///
    /// - Parameter what: what is kept in it, in the plural: `shifts`.
    func deviceFolder(_ what: String) throws -> DeviceFolder {
        guard let directory = configuration.stateDirectory else {
            throw Failure(.broken, "there is nowhere to keep \(what)", advice: "set HOME")
        }
        let name = try keptLogIn.entry().map { "account-" + $0.name } ?? "owner"
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_."))
        let folder = name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "owner"
        let former = "\(directory)/\(what)/\(folder)"
        let bus = Checksum.of(Array(connection.address.description.utf8)).prefix(8)
        let path = former + "@" + Checksum.digits(Array(bus))
        var ids = MessageID.Generator()
        let newID = ids.next(at: WallClock.milliseconds())
        try adopt(former, as: path, what, newID)
        return try DeviceFolder(at: path, newID: newID)
    }

    /// Gives this bus the folder that a former release kept for all of them.
    ///
    /// - Throws: ``Failure`` if it may be that of another bus, and something waits in it. If
    ///   nothing does, it stays where it is: the services have everything in it.
    private func adopt(
        _ former: String, as path: String, _ what: String, _ newID: MessageID
    ) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: path), files.fileExists(atPath: former) else { return }
        guard try keptLogIn.isElsewhereToo() else {
            return try DeviceFolder.move(former, to: path)
        }
        guard try DeviceFolder(at: former, newID: newID).hasWork() else { return }
        throw Failure(
            .refused,
            "marks of \(what) wait on this device, and a former release didn't note of which "
                + "installation",
            advice: "if it is the one at \(connection.address): mv \(former.asWord) "
                + "\(path.asWord); else run this command with the other STEWARD_BUS")
    }
}

extension TodoDesk {
    /// Opens the to-dos of the site that a command is about, and prints remarks for the person.
    static func open(_ session: Session, _ place: SiteOption) throws -> TodoDesk {
        let folder = try session.deviceFolder("shifts")
        return try open(
            session, in: folder, site: try ShiftDesk.site(session, place, folder),
            tell: session.printer.remark)
    }
}

extension ShiftDesk {
    /// Opens the open shift of the site that a command is about, and prints remarks for the person.
    ///
    /// - Throws: ``Failure`` if no shift is open, or if none is known here and the service can't be
    ///   reached.
    static func open(_ session: Session, _ place: SiteOption) throws -> ShiftDesk {
        let folder = try session.deviceFolder("shifts")
        return try open(
            session, in: folder, site: try site(session, place, folder),
            tell: session.printer.remark)
    }

    /// The site's id. Without account-service it is that of the only open shift kept here.
    fileprivate static func site(
        _ session: Session, _ place: SiteOption, _ folder: DeviceFolder
    ) throws -> String {
        do { return try place.site(session).id } catch {
            guard let failure = Failure(error), failure.isUnreachable,
                let site = try onlySite(in: folder, named: place.named)
            else { throw error }
            return site
        }
    }
}

extension Session {
    /// The person as a crew member at a site. Nil for somebody who leads shifts there, and while
    /// account-service can't be asked: checklist-service refuses what they may not mark.
    func crewMember(at site: String) throws -> CrewMember? {
        do {
            let account = try ask(.account, WhoAmI(), for: Account.self, deadline: .seconds(1))
            return CrewMember(account, at: site)
        } catch let error
            where error is ClientError || error is ProtobufError || error is Failure
            || error is ConfigurationError
        { return nil }
    }
}
