import Foundation
import TestSupport

/// An installation whose people keep projects, at the command line.
final class ProjectUser: CommandLineUser {
    private(set) var service: Program
    /// Knows the sites, by whose clock times and days are typed.
    let accounts: Program

    /// - Parameter hasProject: whether it has a project that is in use.
    init(hasProject: Bool = true) throws {
        let system = try System()
        service = try system.launch("project-service")
        accounts = try system.launch("account-service")
        super.init(of: system, device: "desk")
        try service.waitUntilReady()
        try accounts.waitUntilReady()
        if hasProject { try run("project create House") }
    }

    /// Kills the service, as a power cut would, and starts it again.
    func restart() throws {
        service.kill()
        service = try system.launch("project-service")
        try service.waitUntilReady()
    }

    /// Three issues, one after the other, in the first week of March 2027.
    func makeChain() throws {
        try run("issue create Dig --start 2027-03-01 --due 2027-03-02")
        try run("issue create Build --start 2027-03-03 --due 2027-03-04 --after 1")
        try run("issue create Paint --start 2027-03-05 --due 2027-03-05 --after 2")
    }

    /// An issue as `issue show --json` prints it.
    func issue(_ number: Int) throws -> [String: Any] {
        let contents = try answer("issue show \(number)")
        let listed = contents["issue"] as? [String: Any]
        guard let issue = listed?["issue"] as? [String: Any] else {
            throw Complaint("no issue in \(contents)")
        }
        return issue
    }

    /// The error of a command that has to be refused.
    func refusal(of line: String) throws -> String {
        let said = try say(line)
        guard [.exited(1), .exited(64)].contains(said.end) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return said.err
    }
}
