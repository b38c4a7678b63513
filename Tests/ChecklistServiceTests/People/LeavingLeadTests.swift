import Messages
import TestSupport
import Testing

extension Processes {
    /// Tests that a shift is watched by somebody after its manager has left.
    @Suite struct LeavingLeadTests {
        @Test(arguments: [false, true])
        func `what is overdue is told to superiors once the shift manager has left`(
            isDisabled: Bool
        ) throws {
            let restaurant = try Restaurant()
            let role = Grant(role: .shiftManager, site: restaurant.site)
            let mia = try restaurant.token("mia", role)
            _ = try restaurant.token("sue", Grant(role: .supervisor))
            let ids = try ["mia", "sue"].map { try #require(try restaurant.account($0)) }
            try restaurant.set { $0.grace = 0 }
            try restaurant.keep(
                .list("Rush", .before, tasks: 1) { _, task in
                    task.carryOut = restaurant.minute(in: -2)
                })
            _ = try restaurant.ask(
                StartShift(site: restaurant.site, dayPart: 1), for: ShiftSnapshot.self, as: mia)
            func recipients() throws -> [String] {
                try restaurant.raised().filter { $0.kind == "checklist.overdue" }.map(\.recipient)
            }
            try eventually("the shift manager is told") { try recipients() == [ids[0]] }

            if isDisabled {
                _ = try restaurant.accounts.ask(
                    SetAccountDisabled(account: "mia", isDisabled: true), for: Account.self)
            } else {
                _ = try restaurant.accounts.ask(
                    RevokeRole(account: "mia", grant: role), for: Account.self)
            }

            try eventually("the supervisor is told instead") { try recipients() == ids }
        }
    }
}
