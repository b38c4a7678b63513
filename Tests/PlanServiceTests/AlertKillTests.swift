import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    /// Kills at any moment of a change, of the check that follows, and of a mail.
    @Suite struct AlertKillTests {
        @Test(arguments: Seed.some(1))
        func `no alert of a check is lost or raised twice, whenever the service is killed`(
            seed: Seed
        ) throws {
            var seed = seed
            let office = try Office()
            try office.system.start("notifier")
            let tokens = try ["ann", "bob"].map { try office.token($0, Grant(role: .crew)) }
            let plan = try office.make("Storgata 1", CheckTests.home(clear: 600), as: tokens[0]) {
                ($0.standards, $0.chair) = (["tek17", "adm"], "chair")
            }.id

            for _ in 0..<KillTests.kills / 2 {
                let token = seed.pick(tokens)
                let narrow = try #require(
                    CheckTests.home(clear: seed.pick([600, 900])).first { $0.id == "door-1" })
                var details = try #require(try office.read(plan).plan.details)
                details.standards = seed.oneIn(3) ? [] : ["tek17", "adm"]
                // A change is checked 300 ms later: kills before, during and after that.
                let moment = Duration.microseconds(
                    seed.oneIn(3) ? seed.below(4_000) : 290_000 + seed.below(80_000))
                if seed.oneIn(3) {
                    _ = try office.killed(
                        ChangePlanDetails(plan: plan, details: details), for: Plan.self,
                        after: moment, as: token)
                } else {
                    let action = PlanAction(action: .replace(narrow))
                    _ = try office.killed(
                        EditPlan(plan: plan, actions: [action]), for: PlanEdited.self,
                        after: moment, as: token)
                }
                if seed.oneIn(2) { try office.untilChecked() }
            }
            let open = try office.expectFindingsTold(of: plan, "\(seed)")
            let recipients = Set(try office.told(AlertRaised.self).map(\.recipient))
            let notifier = try office.system.client(of: .notifier)
            try eventually("the notifier has what is open, \(seed)") {
                let alerts = try recipients.flatMap {
                    try notifier.ask(
                        ListAlerts(recipient: $0, openOnly: true), for: Alerts.self
                    ).alerts
                }
                return alerts.compactMap { $0.raised?.key } == open
            }
        }

        @Test(arguments: Seed.some(1))
        func `no acknowledged mail is lost or requested twice, whenever the service is killed`(
            seed: Seed
        ) throws {
            var seed = seed
            let office = try Office()
            let plan = try office.make("Storgata 1", CheckTests.home(clear: 600)).id
            var keys: [String] = []
            for _ in 0..<KillTests.kills / 2 {
                let mail = SendPlan(plan: plan, to: ["ann@example.org"], formats: ["nav", "svg"])
                keys.append(
                    try office.killed(
                        mail, for: PlanSent.self, after: .microseconds(seed.below(30_000))
                    ).key)
            }
            #expect(try office.told(MailRequested.self).map(\.key) == keys, "\(seed)")
            #expect(Set(keys).count == keys.count)
        }
    }
}

extension Office {
    /// Sends a command, kills the service after this time, starts it again and returns the answer.
    func killed<R: ProtobufMessage>(
        _ command: some ProtobufMessage, for _: R.Type, after moment: Duration,
        as token: [UInt8] = []
    ) throws -> R {
        try client.ask(command, for: R.self, as: token, killedAfter: moment) { try restart() }
    }
}
