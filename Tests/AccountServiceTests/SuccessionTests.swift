import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct SuccessionTests {
        /// Owners take power away at random, in every way there is.
        @Test(arguments: Seed.some(2))
        func `whatever happens, someone administers everything`(seed: Seed) throws {
            var seed = seed
            let office = try Office()
            let machine = try office.ask(WhoAmI(), for: Account.self)
            let diner = try office.ask(CreateOrganisation(name: "Diner"), for: Organisation.self)
            let names = ["a", "b"].map { "local-\($0)" } + ["a", "b", "c"].map { "diner-\($0)" }
            for name in names {
                try office.person(
                    name, in: name.hasPrefix("diner") ? diner.id : "",
                    Grant(role: .administrator))
            }
            var refused = 0
            for _ in 0..<60 {
                let accounts = try Self.accounts(office)
                let owner = try #require(
                    accounts.first { $0.id == machine.id && Self.isOwner($0) }
                        ?? accounts.first(where: Self.isOwner), "no owner is left: \(seed.start)")
                let token = owner.id == machine.id ? [] : try office.access(owner.name)
                try office.forgetFailures()
                let subject = (names + [machine.name])[Int(seed.below(names.count + 1))]
                let role: Role = seed.below(2) == 0 ? .administrator : .owner
                let grant = Grant(role: role)
                let command: any ProtobufMessage =
                    switch seed.below(6) {
                    case 0: GrantRole(account: subject, grant: grant)
                    case 1, 2, 3: RevokeRole(account: subject, grant: grant)
                    case 4: SetAccountDisabled(account: subject, isDisabled: true)
                    default: SetAccountDisabled(account: subject, isDisabled: false)
                    }
                // It may be refused, which is the point.
                let answer = try office.answer(to: command, as: token)
                if command is RevokeRole, answer.type == Refusal.protobufName { refused += 1 }

                let after = try Self.accounts(office)
                for organisation in ["local", diner.id] {
                    let heads = after.filter {
                        $0.organisation == organisation && !$0.isDisabled
                            && $0.grants.contains {
                                [.administrator, .owner].contains($0.role)
                            }
                    }
                    #expect(!heads.isEmpty, "\(organisation) after \(command): \(seed.start)")
                }
                #expect(after.contains(where: Self.isOwner), "after \(command): \(seed.start)")
            }
            #expect(refused > 0, "\(seed.start)")
        }

        private static func isOwner(_ account: Account) -> Bool {
            !account.isDisabled && account.grants.contains { $0.role == .owner }
        }

        private static func accounts(_ office: Office) throws -> [Account] {
            try office.system.reading(.account) { db in
                try Data.fetchAll(db, sql: "SELECT account FROM account ORDER BY name")
                    .map { try Account(unpacking: [UInt8]($0)) }
            }
        }
    }
}
