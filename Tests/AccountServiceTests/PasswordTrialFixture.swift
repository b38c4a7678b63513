import Credentials

/// Hashes as an older version would have kept them.
enum PasswordTrialFixture {
    static func cheapHash(of password: String) throws -> String {
        try PasswordHash(of: password, cost: .least).text
    }

    static func hash(of password: String) throws -> String {
        try PasswordHash(of: password).text
    }
}
