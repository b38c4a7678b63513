import Foundation
import Messages

/// The rules of an account: its name, its password, and its power over others.
extension Account {
    /// The name as typed, in composed form.
    ///
    /// - Throws: `Refusal` when nobody could log in with it.
    static func checkedName(_ typed: String) throws(Refusal) -> String {
        let name = typed.precomposedStringWithCanonicalMapping
        guard (1...100).contains(name.count), name.utf8.count <= 400 else {
            throw Refusal.invalid("a name has 1 to 100 characters").because(1...100, in: "name")
        }
        let isWord = name.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
                && $0.properties.generalCategory != .format
        }
        guard isWord else {
            throw Refusal.invalid("a name is an e-mail address or a word, without spaces")
                .because(.nameForm)
        }
        guard MessageID(name) == nil else { throw .idAsName }
        return name
    }

    /// An e-mail address as typed; empty for none. Only a mail can show whether it works.
    static func checkedEmail(_ typed: String) throws(Refusal) -> String {
        guard !typed.isEmpty else { return "" }
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), typed.utf8.count <= 254 else {
            throw Refusal.invalid("an e-mail address is like ann@example.org")
                .because(.addressForm, of: String(typed.prefix(100)))
        }
        return try checkedName(typed)
    }

    /// The form in which names are compared: without regard to case.
    static func folded(_ name: String) -> String {
        name.precomposedStringWithCompatibilityMapping.lowercased()
            .precomposedStringWithCompatibilityMapping
    }

    /// Refuses a password that may not be set.
    static func validatePassword(_ password: String, name: String) throws(Refusal) {
        guard password.count >= 8 else {
            throw Refusal.invalid("a password has at least 8 characters").because(.passwordShort)
        }
        guard password.utf8.count <= longestPassword else {
            throw Refusal.invalid("a password has at most \(longestPassword) bytes")
                .because(.passwordLong, ["most": "\(longestPassword)"])
        }
        let plain = folded(password)
        guard !commonPasswords.contains(plain), Set(plain).count > 2, plain != folded(name) else {
            throw Refusal.invalid("this password is too easy to guess").because(.passwordEasy)
        }
    }

    /// The maximum length of a password in bytes; a longer one is not hashed, so that nobody can
    /// keep the service busy with it.
    static let longestPassword = 1024

    /// The passwords of eight characters or more at the top of lists of leaked ones.
    private static let commonPasswords: Set<String> = [
        "123456789", "12345678", "1234567890", "password", "password1", "password12",
        "password123", "passw0rd", "qwertyuiop", "qwerty123", "qwertz123", "1q2w3e4r",
        "1q2w3e4r5t", "1qaz2wsx", "iloveyou", "sunshine", "princess", "football", "baseball",
        "superman", "welcome1", "trustno1", "abcd1234", "abc12345", "asdfghjkl", "zaq12wsx",
        "letmein1", "whatever", "michelle", "jennifer", "computer", "corvette", "starwars",
        "internet", "startrek", "einstein", "changeme", "12341234", "87654321", "987654321",
        "passwort", "passwort1", "hallo123", "steward1", "administrator",
    ]

    /// True when the account administers its organisation.
    var isHead: Bool { grants.contains { $0.role == .administrator || $0.role == .owner } }

    /// True when the account runs the installation.
    var isOwner: Bool { grants.contains { $0.role == .owner } }

    /// The maximum number of roles of an account.
    static let mostGrants = 100
    /// The maximum number of others that an account cares for.
    static let mostCaredFor = 100
    /// The maximum number of carers to whom a person has not agreed.
    static let mostProposed = 100

    /// The refusal of more roles than an account may have.
    static var tooManyGrants: Refusal {
        .conflict("an account has at most \(mostGrants) roles")
            .because(.grantLimit, ["most": "\(mostGrants)"])
    }

    /// Grants the account a role.
    ///
    /// - Returns: false when it already has the role.
    mutating func add(_ grant: Grant) throws(Refusal) -> Bool {
        guard !grants.contains(grant) else { return false }
        guard grants.count < Self.mostGrants else { throw Self.tooManyGrants }
        grants.append(grant)
        return true
    }

    /// Revokes a role.
    mutating func remove(_ grant: Grant) throws(Refusal) {
        guard let index = grants.firstIndex(of: grant) else {
            throw Refusal.notFound("\(name) has no such role; see the roles with steward role list")
                .because(.grantMissing, of: name)
        }
        grants.remove(at: index)
    }

    /// Whether a person consents to a carer.
    enum Consent {
        /// The person names the carer, or agrees.
        case given
        /// Somebody else names the carer, and the person has not been asked.
        case awaited
        /// Somebody else names the carer, and nobody can log in to agree.
        case impossible
    }

    /// Adds a carer, or proposes one until the person agrees.
    ///
    /// - Parameters:
    ///   - carer: the account of the carer, which cares for this one afterwards unless the consent
    ///     is awaited.
    ///   - consent: whether the person consents.
    /// - Throws: a `Refusal` when there are too many; neither account may be saved then.
    mutating func gain(carer: inout Account, _ consent: Consent) throws(Refusal) {
        let isCarer = carer.caresFor.contains(id)
        if consent == .given {
            proposedCarers.removeAll { $0 == carer.id }
        } else if !isCarer, !proposedCarers.contains(carer.id) {
            guard proposedCarers.count < Self.mostProposed else {
                throw Refusal.conflict(
                    "\(Self.mostProposed) carers are proposed to \(name) already; remove one first"
                ).because(.carerProposed, ["most": "\(Self.mostProposed)"])
            }
            proposedCarers.append(carer.id)
        }
        guard consent != .awaited, !isCarer else { return }
        guard carer.caresFor.count < Self.mostCaredFor else {
            throw Refusal.conflict("an account cares for at most \(Self.mostCaredFor) others")
                .because(.carerLimit, ["most": "\(Self.mostCaredFor)"])
        }
        carer.caresFor.append(id)
    }

    /// Refuses a change that would leave an organisation without an administrator, or the
    /// installation without an owner. `otherHeads` and `otherOwners` do not count this account.
    func checkSuccession(
        from before: Account, otherHeads: Int, otherOwners: Int
    ) throws(Refusal) {
        let (isHead, wasHead) = (isHead && !isDisabled, before.isHead && !before.isDisabled)
        guard isHead || !wasHead || otherHeads > 0 else { throw .lastAdministrator }
        let (isOwner, wasOwner) = (isOwner && !isDisabled, before.isOwner && !before.isDisabled)
        guard isOwner || !wasOwner || otherOwners > 0 else { throw .lastOwner }
    }
}

extension Refusal {
    /// The organisation would be without an administrator.
    static let lastAdministrator = Refusal.conflict(
        "this is the last administrator of the organisation; make another one first"
    ).because(.administratorLast)
    /// The installation would be without an owner.
    static let lastOwner = Refusal.conflict(
        "this is the last owner of the installation; make another one first"
    ).because(.ownerLast)
    /// The refusal if there is no such account, or the asker may not see it: the same in both
    /// cases.
    static func noAccount(_ typed: String) -> Refusal {
        let shown = String(typed.prefix(100))
        return Refusal.notFound("there is no account “\(shown)” in your organisation")
            .because(.accountMissing, of: shown)
    }
    /// A name could be mistaken for an id.
    static let idAsName = Refusal.invalid("an id can't be a name").because(.nameId)
}
