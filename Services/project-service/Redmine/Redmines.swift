import Messages
import ProjectRecord
import RedmineClient
import RedmineMirror
import ServiceRuntime

/// Log-ins at Redmine servers, and which projects are mirrors of projects there.
enum Redmines {
    static var handlers: [MessageHandler] {
        [
            .slow(prepare: prepareLogIn, work: { try $0.check() }, finish: logIn, .lead),
            .query(listLogIns, .lead),
            .command(logOut, .lead),
            .slow(
                isSecret: true, prepare: prepareList, work: { try $0.list() },
                finish: { _, list, _ in list }, .lead),
            .slow(prepare: prepareLink, work: { try $0.find() }, finish: link, .lead),
            .command(unlink, .lead),
            .command(sync, .member),
            .slow(
                isSecret: true, prepare: prepareStatus, work: { $0.links() },
                finish: { _, links, _ in links }, .member),
            .command(settle, .member),
        ]
    }

    /// The variable that names the hosts in private networks on which Redmine servers are allowed,
    /// if others use the service too.
    static let hosts = "STEWARD_REDMINE_HOSTS"
    /// The file in the data directory with the key that seals log-ins. It isn't in any backup.
    static let keyFile = "redmine.key"
    /// The maximum number of projects and of log-ins of one account.
    static let mostLogIns = 20
    private static let mostProjects = 500

    /// The key that seals log-ins and addresses of calendars.
    static func sealingKey(_ transaction: Transaction) throws -> SealingKey {
        do {
            return try SealingKey(at: "\(transaction.dataDirectory)/\(keyFile)")
        } catch {
            throw Refusal.conflict(error.description)
        }
    }

    /// The server of a log-in; nil if the log-in can't be opened.
    static func server(
        of row: RedmineLogInRow, in transaction: Transaction
    ) throws -> RedmineServer? {
        let key: String?
        let address: RedmineAddress
        do {
            key = try SealingKey(at: "\(transaction.dataDirectory)/\(keyFile)").opened(row.sealed)
            address = try RedmineAddress(row.logIn.server)
        } catch { return nil }
        let reach = reach(of: address, isShared: transaction.isBusShared, transaction.settings)
        return key.map { RedmineServer(address, .key($0), reach) }
    }

    /// Where a server may be. On a person's own machine that is everywhere; if others use the
    /// service, only the operator can open the private network to them.
    ///
    /// - Parameters:
    ///   - address: the address that a person has named.
    ///   - isShared: whether others reach the bus.
    ///   - settings: the settings of the service.
    static func reach(
        of address: RedmineAddress, isShared: Bool, _ settings: [String: String]
    ) -> RedmineServer.Reach {
        guard isShared else { return .everywhere }
        // An IPv6 address has brackets only where a port may follow.
        let host = address.host.filter { $0 != "[" && $0 != "]" }
        return AllowedHosts(settings, hosts).contains(host) ? .everywhere : .outside
    }

    // MARK: Logging in

    /// The log-in that is tried, outside the loop.
    struct Trial: Sendable {
        let address: RedmineAddress
        let server: RedmineServer

        func check() throws -> RemoteUser {
            do { return try server.user() } catch {
                throw Refusal.conflict("\(address.text): \(error)")
            }
        }
    }

    private static func prepareLogIn(
        _ command: LogInToRedmine, in transaction: Transaction
    ) throws -> Trial {
        let address: RedmineAddress
        do { address = try RedmineAddress(command.server) } catch {
            throw Refusal.invalid(error.description)
        }
        let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains(address.host)
        guard address.isEncrypted || isLocal || command.unencrypted else {
            throw Refusal.invalid(
                "\(address.text) isn't encrypted, so anyone on the network could read the key; "
                    + "write https://, or say --unencrypted")
        }
        let secret = command.secret
        guard (1...500).contains(secret.utf8.count),
            secret.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
        else { throw Refusal.invalid("the key or password is missing, or isn't a single line") }
        guard
            try RedmineLogInRow.all(
                of: transaction.principal.account, in: transaction.principal.organisation,
                transaction.db
            ).count < mostLogIns
        else {
            throw Refusal.conflict("there are \(mostLogIns) log-ins already; log out of one")
        }
        let server = RedmineServer(
            address,
            command.user.isEmpty
                ? .key(secret) : .password(user: command.user, password: secret),
            reach(of: address, isShared: transaction.isBusShared, transaction.settings))
        return Trial(address: address, server: server)
    }

    private static func logIn(
        _ command: LogInToRedmine, _ user: RemoteUser, in transaction: Transaction
    ) throws -> RedmineLogIn {
        // The password isn't kept: the server reveals the person's key.
        let key = command.user.isEmpty ? command.secret : user.key
        guard !key.isEmpty else {
            throw Refusal.conflict(
                "the server reveals no API key for \(user.login); show it there under “My account” "
                    + "and log in with it")
        }
        let address: RedmineAddress
        do { address = try RedmineAddress(command.server) } catch {
            throw Refusal.invalid(error.description)
        }
        let principal = transaction.principal
        guard try !FormerAccount.includes(principal.account, transaction.db) else {
            throw Refusal.forbidden(
                "your account was disabled, or has lost its roles; if it has them again, log in "
                    + "once more in a moment")
        }
        // A new log-in of the same person replaces the old one, also for its projects.
        let same = try RedmineLogInRow.all(
            of: principal.account, in: principal.organisation, transaction.db
        ).first { $0.logIn.server == address.text && $0.user == user.id }
        let logIn = RedmineLogIn(
            id: same?.logIn.id ?? "\(transaction.id)", server: address.text, login: user.login,
            account: principal.account, time: transaction.now)
        try RedmineLogInRow(
            logIn: logIn, organisation: principal.organisation, user: user.id,
            sealed: try sealingKey(transaction).sealed(key)
        ).save(transaction.db)
        for var mirror in try MirrorRow.with(logIn.id, transaction.db) {
            (mirror.due, mirror.failures, mirror.failure) = (transaction.now, 0, "")
            try mirror.save(transaction.db)
        }
        return logIn
    }

    private static func listLogIns(
        _ query: ListRedmineLogIns, in transaction: Transaction
    ) throws -> RedmineLogIns {
        RedmineLogIns(
            logIns: try RedmineLogInRow.all(
                of: transaction.principal.account, in: transaction.principal.organisation,
                transaction.db
            ).map(\.logIn))
    }

    private static func logOut(
        _ command: LogOutOfRedmine, in transaction: Transaction
    ) throws -> RedmineLogIn {
        let row = try ownLogIn(command.logIn, in: transaction)
        try row.delete(transaction.db)
        // Neither the store nor its write-ahead log contains the key any more.
        transaction.erase()
        return row.logIn
    }

    /// The log-in of the sender that an id, the beginning of an id, or a server names; without any
    /// of these, the only one.
    private static func ownLogIn(
        _ reference: String, in transaction: Transaction
    ) throws -> RedmineLogInRow {
        let all = try RedmineLogInRow.all(
            of: transaction.principal.account, in: transaction.principal.organisation,
            transaction.db)
        let found = all.filter {
            reference.isEmpty || $0.logIn.id.hasPrefix(reference)
                || $0.logIn.server == reference || $0.logIn.server.contains("//\(reference)")
        }
        guard let row = found.first else {
            throw Refusal.notFound(
                reference.isEmpty
                    ? "you are logged in at no Redmine server; see steward redmine login"
                    : "you have no log-in “\(reference.prefix(100))”; see steward redmine status")
        }
        guard found.count == 1 else {
            throw Refusal.conflict(
                "you are logged in at \(found.map(\.logIn.server).joined(separator: ", ")); say "
                    + "which one is meant")
        }
        return row
    }

    // MARK: Projects there

    /// What to look for at a server, outside the loop.
    struct Search: Sendable {
        let server: RedmineServer
        let reference: String

        func list(atMost longest: Duration = .seconds(60)) throws -> RedmineProjects {
            var (server, walk) = (self.server, PageWalk())
            // Others wait for the thread. The last page may take two more minutes.
            let deadline: ContinuousClock.Instant = .now + longest
            server.deadline = deadline
            var projects: [RedmineProject] = []
            do throws(RedmineProblem) {
                while !walk.isDone, projects.count < Redmines.mostProjects {
                    let page = try server.get(
                        "/projects.json",
                        ["limit": "\(PageWalk.wanted)", "offset": "\(walk.offset)"],
                        read: RedmineReader.projects)
                    projects += page.items.map {
                        RedmineProject(
                            number: UInt32(clamping: $0.id), identifier: $0.identifier,
                            name: $0.name)
                    }
                    do { try walk.note(page) } catch { throw .strange(error.description) }
                }
            } catch { throw Refusal.conflict("\(server.address.text): \(error)") }
            let told = Array(projects.prefix(Redmines.mostProjects))
            return RedmineProjects(
                projects: told, more: !walk.isDone || told.count < projects.count)
        }

        func find() throws -> RemoteProject {
            do throws(RedmineProblem) {
                return try server.get(
                    "/projects/\(reference).json", ["include": "trackers"],
                    read: RedmineReader.project)
            } catch .missing {
                throw Refusal.notFound(
                    "\(server.address.text) has no project “\(reference)”; see steward redmine "
                        + "projects")
            } catch { throw Refusal.conflict("\(server.address.text): \(error)") }
        }
    }

    private static func search(
        _ logIn: String, _ reference: String, in transaction: Transaction
    ) throws -> Search {
        let row = try ownLogIn(logIn, in: transaction)
        guard let server = try server(of: row, in: transaction) else {
            throw Refusal.conflict(
                "the log-in at \(row.logIn.server) can't be opened; log in again: steward redmine "
                    + "login")
        }
        return Search(server: server, reference: reference)
    }

    private static func prepareList(
        _ query: ListRedmineProjects, in transaction: Transaction
    ) throws -> Search { try search(query.logIn, "", in: transaction) }

    private static func prepareLink(
        _ command: LinkRedmine, in transaction: Transaction
    ) throws -> Search {
        let isPlain = command.remote.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95
        }
        guard isPlain, (1...100).contains(command.remote.utf8.count) else {
            throw Refusal.invalid(
                "“\(command.remote.prefix(100))” isn't the identifier of a project; see steward "
                    + "redmine projects")
        }
        return try search(command.logIn, command.remote, in: transaction)
    }

    static func link(
        _ command: LinkRedmine, _ remote: RemoteProject, in transaction: Transaction
    ) throws -> RedmineLink {
        let logIn = try ownLogIn(command.logIn, in: transaction)
        if let found = try find(remote, at: logIn.logIn.server, in: transaction) {
            var mirror = found.mirror
            guard try RedmineLogInRow.ofID(mirror.logIn, transaction.db) == nil else {
                throw Refusal.conflict(
                    "\(found.project.identifier) mirrors \(remote.identifier) already; one is "
                        + "enough")
            }
            // The person who had logged in has left or logged out: the mirror goes on with this
            // log-in.
            try MirrorRow.requireRoom(
                of: logIn.logIn.account, in: logIn.organisation, isNew: false, transaction.db)
            (mirror.logIn, mirror.server) = (logIn.logIn.id, logIn.logIn.server)
            (mirror.due, mirror.failures, mirror.failure) = (transaction.now, 0, "")
            try mirror.save(transaction.db)
            return try told(mirror, in: transaction)
        }
        try MirrorRow.requireRoom(
            of: logIn.logIn.account, in: logIn.organisation, transaction.db)
        let first = remote.identifier.utf8.first ?? 0
        let identifier =
            (97...122).contains(first) ? remote.identifier : "p-\(remote.identifier)"
        let others = try ProjectRow.identified(
            identifier, of: .one(transaction.principal.organisation), transaction.db)
        guard others.isEmpty else {
            throw Refusal.conflict(
                "there is a project “\(identifier)” already, and its mirror would have the same "
                    + "identifier; give that project another one: steward project change "
                    + "-p \(identifier) --identifier NAME")
        }
        let made = try makeProject(identifier, like: remote, in: transaction)
        var mirror = MirrorRow(
            project: made.id, logIn: logIn.logIn.id, remote: remote.id,
            identifier: remote.identifier, due: transaction.now)
        mirror.server = logIn.logIn.server
        try mirror.save(transaction.db)
        return try Self.told(mirror, in: transaction)
    }

    /// The mirror of a project at a server in the organisation of the sender, with its project.
    ///
    /// An earlier version didn't keep the server of a mirror whose log-in was gone. Such a mirror
    /// is that of a project with the same number, identifier and name there, if it is the only one.
    /// If it hasn't kept the name there, the name here counts.
    private static func find(
        _ remote: RemoteProject, at server: String, in transaction: Transaction
    ) throws -> (mirror: MirrorRow, project: Project)? {
        var unknown: [(mirror: MirrorRow, project: Project)] = []
        for mirror in try MirrorRow.all(transaction.db) where mirror.remote == remote.id {
            guard let row = try ProjectRow.ofID(mirror.project, transaction.db),
                row.project.organisation == transaction.principal.organisation
            else { continue }
            if mirror.server == server { return (mirror, row.project) }
            guard mirror.server.isEmpty, mirror.identifier == remote.identifier,
                try RedmineLogInRow.ofID(mirror.logIn, transaction.db) == nil
            else { continue }
            let links = try MirroredStore.links(of: mirror.project, transaction.db)
            let known = links[.project, MirrorState.itself].flatMap { MirrorState.base(of: $0) }
            var name = row.project.name
            if case .text(let kept)? = known?.values[.name], !kept.isEmpty { name = kept }
            guard name == remote.name else { continue }
            unknown.append((mirror, row.project))
        }
        guard unknown.count < 2 else {
            let all = unknown.map { $0.project.identifier }.joined(separator: ", ")
            throw Refusal.conflict(
                "\(all) mirror a \(remote.identifier) of a server that isn't known any more; "
                    + "unlink those of other servers: steward redmine unlink")
        }
        return unknown.first
    }

    private static func unlink(
        _ command: UnlinkRedmine, in transaction: Transaction
    ) throws -> RedmineLink {
        let mirror = try mirror(of: command.project, in: transaction)
        let told = try told(mirror, in: transaction)
        try Mirrors.end(mirror.project, in: transaction)
        try transaction.withdrawAlerts(of: MirrorAlerts.subject(mirror.project))
        return told
    }

    // MARK: Mirrors

    static func mirror(
        of project: String, in transaction: Transaction
    ) throws -> MirrorRow {
        let row = try transaction.project(project)
        guard let mirror = try MirrorRow.of(row.project.id, transaction.db) else {
            throw Refusal.conflict(
                "\(row.project.identifier) mirrors no project of a Redmine server; see steward "
                    + "redmine link")
        }
        return mirror
    }

    private static func sync(
        _ command: SyncRedmine, in transaction: Transaction
    ) throws -> RedmineLink {
        var mirror = try mirror(of: command.project, in: transaction)
        (mirror.due, mirror.asked) = (min(mirror.due, transaction.now), transaction.now)
        if command.everything {
            mirror.swept = 0
            try MirroredStore.readNotesAgain(of: mirror.project, transaction.db)
        }
        try mirror.save(transaction.db)
        return try told(mirror, in: transaction)
    }
}
