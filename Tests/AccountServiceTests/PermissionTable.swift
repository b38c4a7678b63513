import Messages

/// The senders in the table: a role at the site “here”, or another property that matters.
enum Who: String, CaseIterable, Hashable {
    /// An account without any role.
    case none
    case display, crew, shiftManager, siteManager, supervisor
    /// These two apply in the whole organisation, and the owner's everywhere.
    case administrator, owner
    /// An account without a role that is the carer of the target “here”.
    case carer
    /// An administrator whose session began with a reset code.
    case withCode

    var role: Role? {
        switch self {
        case .none, .carer: nil
        case .display: .display
        case .crew: .crew
        case .shiftManager: .shiftManager
        case .siteManager: .siteManager
        case .supervisor: .supervisor
        case .administrator, .withCode: .administrator
        case .owner: .owner
        }
    }
}

/// The place of the target, as seen by the sender.
enum Where: String, CaseIterable, Hashable {
    /// At the site of the sender.
    case here
    /// At another site of the same organisation.
    case there
    /// In another organisation.
    case far
}

/// The target of a message: an account at a site of an organisation, and another account there.
struct Target {
    let place: Where
    let name: String
    let id: String
    let other: String
    let site: String
    let organisation: String
    /// A session of the account, and its refresh token; only for messages that name one.
    var session = ""
    var refreshToken: [UInt8] = []
    /// A code that is valid for a sign-up.
    var invitation = ""
    /// A name that is unique in the test.
    var fresh = ""
}

/// A row: a message, and who may send it about targets here, there and far.
struct Permission: Sendable {
    let message: any ProtobufMessage.Type
    /// What this row is about, if a message has several.
    let note: String
    let allowed: [Where: Set<Who>]
    let make: @Sendable (Target) -> any ProtobufMessage

    init(
        _ message: any ProtobufMessage.Type, _ note: String = "", here: Set<Who>, there: Set<Who>,
        far: Set<Who>, _ make: @escaping @Sendable (Target) -> any ProtobufMessage
    ) {
        self.message = message
        self.note = note
        allowed = [.here: here, .there: there, .far: far]
        self.make = make
    }
}

/// The expected permissions, derived from the purpose of the roles and not from the code.
enum PermissionTable {
    private static let everyone = Set(Who.allCases)
    private static let withPassword = everyone.subtracting([.withCode])
    private static let heads: Set<Who> = [.administrator, .owner]
    private static let owner: Set<Who> = [.owner]
    private static let nobody: Set<Who> = []
    private static let leaders: Set<Who> = [.shiftManager, .siteManager, .supervisor]
    private static let managers = heads.union([.siteManager])

    static let rows = open + own + accounts + roles + organisations + questions

    /// Messages that need no account.
    private static let open = [
        Permission(SignUp.self, here: everyone, there: everyone, far: everyone) {
            SignUp(name: $0.fresh, password: Office.password, invitation: $0.invitation)
        },
        Permission(LogIn.self, here: everyone, there: everyone, far: everyone) {
            LogIn(name: $0.name, password: Office.password)
        },
        Permission(RefreshAccess.self, here: everyone, there: everyone, far: everyone) {
            // The same exchange may be repeated.
            RefreshAccess(
                refreshToken: $0.refreshToken, nextRefreshToken: Array($0.refreshToken.reversed()))
        },
    ]

    /// Messages about the sender alone.
    private static let own = [
        Permission(WhoAmI.self, here: everyone, there: everyone, far: everyone) { _ in WhoAmI() },
        Permission(LogOut.self, "another's session", here: nobody, there: nobody, far: nobody) {
            LogOut(session: $0.session)
        },
        Permission(ListSessions.self, here: nobody, there: nobody, far: nobody) { _ in
            ListSessions()
        },
        Permission(
            MakeLogInCode.self, here: withPassword, there: withPassword, far: withPassword
        ) { _ in
            MakeLogInCode()
        },
        Permission(
            ChangePassword.self, "with another's password", here: nobody, there: nobody, far: nobody
        ) { _ in
            ChangePassword(present: "the password of another", new: Office.password)
        },
    ]

    private static let accounts = [
        Permission(ResetPassword.self, here: heads, there: heads, far: owner) {
            ResetPassword(account: $0.name)
        },
        Permission(SetAccountDisabled.self, here: heads, there: heads, far: owner) {
            SetAccountDisabled(account: $0.id, isDisabled: true)
        },
        Permission(AddCarer.self, here: heads, there: heads, far: owner) {
            AddCarer(carer: $0.name, account: $0.other)
        },
        Permission(AddCarer.self, "of an owner", here: owner, there: owner, far: owner) {
            AddCarer(carer: $0.name, account: "owner-\($0.place.rawValue)")
        },
        Permission(RemoveCarer.self, here: heads, there: heads, far: owner) {
            RemoveCarer(carer: $0.name, account: $0.other)
        },
    ]

    private static let roles = [
        grant(.crew, here: managers, there: heads),
        grant(.display, here: managers, there: heads),
        grant(.shiftManager, here: managers, there: heads),
        grant(.siteManager, here: heads, there: heads),
        grant(.supervisor, here: heads, there: heads),
        grant(.administrator, here: heads, there: heads),
        grant(.owner, here: owner, there: owner),
        revoke(.crew, here: managers, there: heads),
        revoke(.siteManager, here: heads, there: heads),
        revoke(.administrator, here: heads, there: heads),
        revoke(.owner, here: owner, there: owner),
        invite(.crew, here: managers, there: heads),
        invite(.siteManager, here: heads, there: heads),
        invite(.owner, here: owner, there: owner),
    ]

    private static func place(_ role: Role, _ target: Target) -> Grant {
        let isWide = role == .administrator || role == .owner
        return Grant(role: role, site: isWide ? "" : target.site)
    }

    private static func grant(_ role: Role, here: Set<Who>, there: Set<Who>) -> Permission {
        Permission(GrantRole.self, "\(role)", here: here, there: there, far: owner) {
            GrantRole(account: $0.name, grant: place(role, $0))
        }
    }

    private static func revoke(_ role: Role, here: Set<Who>, there: Set<Who>) -> Permission {
        Permission(RevokeRole.self, "\(role)", here: here, there: there, far: owner) {
            RevokeRole(account: $0.name, grant: place(role, $0))
        }
    }

    private static func invite(_ role: Role, here: Set<Who>, there: Set<Who>) -> Permission {
        Permission(Invite.self, "\(role)", here: here, there: there, far: owner) {
            Invite(organisation: $0.organisation, grants: [place(role, $0)])
        }
    }

    private static let organisations = [
        Permission(CreateOrganisation.self, here: owner, there: owner, far: owner) {
            CreateOrganisation(name: $0.fresh)
        },
        Permission(CreateSite.self, here: heads, there: heads, far: owner) {
            CreateSite(organisation: $0.organisation, name: $0.fresh, timeZone: "Europe/Berlin")
        },
        Permission(ChangeSite.self, here: heads, there: heads, far: owner) {
            ChangeSite(organisation: $0.organisation, site: $0.site, addedAreas: [$0.fresh])
        },
        Permission(SetSignUp.self, here: heads, there: heads, far: owner) {
            SetSignUp(organisation: $0.organisation, isOpen: true)
        },
    ]

    /// Allowed means that the answer names the target.
    private static let questions = [
        Permission(
            ListAccounts.self, here: heads.union(leaders).union([.carer]), there: heads, far: owner
        ) { ListAccounts(organisation: $0.organisation) },
        Permission(
            ListAccounts.self, "of a site", here: heads.union(leaders).union([.carer]),
            there: heads, far: owner
        ) { ListAccounts(site: $0.site, organisation: $0.organisation) },
        Permission(
            ListOrganisations.self, here: withPassword, there: withPassword, far: owner
        ) { _ in ListOrganisations() },
        Permission(ReadAudit.self, here: heads, there: heads, far: owner) { _ in
            ReadAudit(limit: 500)
        },
    ]
}
