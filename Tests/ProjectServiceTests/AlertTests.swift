import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct AlertTests {
        /// A project with a lead, and with Ann, who has said which of its people she is.
        private struct Crew {
            let team: Team
            let ann: [UInt8]
            let lead: [UInt8]

            init() throws {
                team = try Team()
                try team.system.start("notifier")
                lead = try team.token("lead", Grant(role: .shiftManager))
                ann = try team.token("ann", Grant(role: .crew))
                try team.make(as: lead)
                try edit(.keep(.member(TeamMember(name: "Ann", timeZone: "UTC", share: 100))))
                try edit(
                    .keep(
                        .member(
                            TeamMember(
                                number: 1, name: "Ann", account: "me", timeZone: "UTC", share: 100)
                        )), as: ann)
            }

            @discardableResult
            func edit(_ actions: ProjectAction..., as token: [UInt8]? = nil) throws -> ProjectEdited
            {
                try team.ask(
                    EditProject(project: "house", actions: actions), for: ProjectEdited.self,
                    as: token ?? lead)
            }

            /// The account that Ann has in the project; nil when she isn't in it.
            func account() throws -> String? {
                try team.read(as: lead).things.compactMap { thing -> String? in
                    guard case .member(let member) = thing.thing else { return nil }
                    return member.account
                }.first
            }

            /// Undoes the newest step.
            func undo(as token: [UInt8]) throws {
                _ = try team.ask(
                    UndoProject(project: "house"), for: ProjectEdited.self, as: token)
            }

            /// The titles of the alerts that the notifier has open for Ann, in order.
            func open() throws -> [String] {
                let own = try #require(try account())
                let told = try team.system.published(by: .project)
                var titles: [String: String] = [:]
                for event in told {
                    if event.type == AlertRaised.protobufName {
                        let raised = try AlertRaised(unpacking: event.data)
                        #expect(raised.recipient == own || own.isEmpty)
                        titles[raised.key] = raised.title
                    } else if event.type == AlertWithdrawn.protobufName {
                        titles[try AlertWithdrawn(unpacking: event.data).key] = nil
                    }
                }
                return titles.values.sorted()
            }
        }

        @Test func `an undo puts an account back only for its owner and for who removed it`()
            throws
        {
            let crew = try Crew()
            let own = try crew.account()
            #expect(own?.isEmpty == false)
            try crew.edit(
                .keep(.member(TeamMember(number: 1, name: "Ann", timeZone: "UTC", share: 100))),
                as: crew.ann)
            try crew.undo(as: crew.lead)
            #expect(try crew.account() == "")
            _ = try crew.team.ask(
                RedoProject(project: "house"), for: ProjectEdited.self, as: crew.lead)
            try crew.undo(as: crew.ann)
            #expect(try crew.account() == own)

            try crew.edit(.remove(.member(TeamMember(number: 1))))
            try crew.undo(as: crew.lead)
            #expect(try crew.account() == own)
            try crew.edit(.remove(.member(TeamMember(number: 1))))
            #expect(try crew.account() == nil)
            let bob = try crew.team.token("bob", Grant(role: .crew))
            try crew.undo(as: bob)
            #expect(try crew.account() == "")
        }

        /// An import of a person with an account.
        private static func adding(_ name: String, _ account: String) -> ProjectAction {
            let member = TeamMember(
                number: 7, name: name, account: account, timeZone: "UTC", share: 100)
            return ProjectAction(
                action: .added(AddedThings(things: [ProjectThing(thing: .member(member))])))
        }

        private static func issue(
            _ subject: String, _ start: String = "", _ due: String = "", number: UInt32 = 0,
            assignee: UInt32 = 1, status: String = ""
        ) -> ProjectAction {
            .keep(
                .issue(
                    TrackedIssue(
                        number: number, subject: subject, status: status, assignee: assignee,
                        start: start, due: due)))
        }

        @Test func `people are alerted to issues that somebody else assigns to them`() throws {
            let crew = try Crew()
            try crew.edit(Self.issue("Roof"))
            #expect(try crew.open() == ["Yours now: #1 Roof"])
            try crew.edit(Self.issue("Door"), as: crew.ann)
            #expect(try crew.open() == ["Yours now: #1 Roof"])
            try crew.edit(Self.issue("Roof", number: 1, assignee: 0))
            #expect(try crew.open() == [])
            try crew.team.undo()
            #expect(try crew.open() == ["Yours now: #1 Roof"])
            _ = try crew.team.ask(
                DeleteProject(project: "house"), for: ProjectDeleted.self, as: crew.lead)
            let told = try crew.team.told(AlertWithdrawn.self).map(\.key)
            #expect(told.count == 2 && Set(told).count == 1)
        }

        @Test func `a moved issue raises one alert, with the issue that caused the move`() throws {
            let crew = try Crew()
            try crew.edit(Self.issue("Dig", "2091-03-01", "2091-03-01", assignee: 0))
            try crew.edit(
                Self.issue("Build", "2091-03-02", "2091-03-02"),
                .keep(.relation(IssueLink(kind: .precedes, from: 1))), as: crew.ann)
            #expect(try crew.open() == [])
            try crew.edit(
                Self.issue("Dig", "2091-03-01", "2091-03-05", number: 1, assignee: 0))
            #expect(try crew.open() == ["New dates: #2 Build"])
            let moved = try #require(try crew.team.told(AlertRaised.self).last)
            #expect(moved.kind == "project.moved" && moved.body.contains("because of #1 Dig"))
            try crew.edit(Self.issue("Dig it", "2091-03-01", "2091-03-05", number: 1, assignee: 0))
            #expect(try crew.team.told(AlertRaised.self).count == 1)
            // A restart doesn't repeat an alert.
            try crew.team.restart()
            try crew.edit(Self.issue("Dig", "2091-03-01", "2091-03-05", number: 1, assignee: 0))
            #expect(try crew.team.told(AlertRaised.self).count == 1)
        }

        @Test
        func `an overdue issue alerts until it is closed, and an acknowledged alert stays so`()
            throws
        {
            let crew = try Crew()
            try crew.edit(Self.issue("Roof", "2020-01-01", "2020-01-02"), as: crew.ann)
            #expect(try crew.open() == ["Overdue since 2020-01-02: #1 Roof"])
            let notifier = try crew.team.system.client(of: .notifier)
            let account = try #require(try crew.team.told(AlertRaised.self).first).recipient
            var alert: Alert?
            try eventually("the notifier has the alert") {
                alert = try notifier.ask(
                    ListAlerts(recipient: account, openOnly: true), for: Alerts.self
                ).alerts.first
                return alert != nil
            }
            _ = try notifier.ask(
                AcknowledgeAlert(id: try #require(alert).id), for: AlertAcknowledged.self)
            try eventually("the service knows that it is acknowledged") {
                try crew.team.system.query(
                    .project, "SELECT key FROM standingAlert WHERE acknowledged IS NOT NULL"
                ).count == 1
            }
            try crew.edit(Self.issue("The roof", "2020-01-01", "2020-01-02", number: 1))
            #expect(try crew.team.told(AlertRaised.self).count == 1)
            // Another due date is a reason for a new alert.
            try crew.edit(
                Self.issue("The roof", "2020-01-01", "2020-01-03", number: 1), as: crew.ann)
            #expect(try crew.team.told(AlertRaised.self).count == 2)
            try crew.edit(
                Self.issue(
                    "The roof", "2020-01-01", "2020-01-03", number: 1, status: "Closed"),
                as: crew.ann)
            #expect(try crew.open() == [])
        }

        @Test func `alerts end when an account is disabled, and overdue ones come back with it`()
            throws
        {
            let crew = try Crew()
            let overdue = "Overdue since 2020-01-02: #1 Roof"
            try crew.edit(Self.issue("Roof", "2020-01-01", "2020-01-02"))
            #expect(try crew.open() == [overdue, "Yours now: #1 Roof"])

            try crew.team.change("ann", isDisabled: true)
            try eventually("the alerts are withdrawn") { try crew.open().isEmpty }
            try crew.team.change("ann", isDisabled: false)
            try eventually("she is alerted again") { try crew.open() == [overdue] }
        }

        @Test func `nobody can send a project's alerts to another person's account`() throws {
            let crew = try Crew()
            let account = try #require(
                try crew.team.read(as: crew.ann).things.compactMap { thing -> String? in
                    guard case .member(let member) = thing.thing else { return nil }
                    return member.account
                }.first)
            #expect(account != "" && account != "me")
            let foreign = EditProject(
                project: "house",
                actions: [
                    .keep(.member(TeamMember(name: "X", account: account, timeZone: "UTC")))
                ])
            let refusal = try crew.team.refusal(of: foreign, as: crew.lead)
            #expect(refusal?.code == .forbidden)
            let imported = EditProject(project: "house", actions: [Self.adding("X", account)])
            #expect(try crew.team.refusal(of: imported, as: crew.lead)?.code == .forbidden)
            // Somebody who imports may name themselves.
            let own = try crew.edit(Self.adding("Lea", "me"))
            let told = own.changes.compactMap { change -> String? in
                guard case .member(let member)? = change.after?.thing else { return nil }
                return member.account
            }
            #expect(told.count == 1 && told.allSatisfy { !["", "me", account].contains($0) })
            // An account stays linked when somebody else changes another trait.
            try crew.edit(
                .keep(
                    .member(
                        TeamMember(
                            number: 1, name: "Ann B", account: account, timeZone: "UTC", share: 50))
                ))
            try crew.edit(Self.issue("Roof", "2020-01-01", "2020-01-02"))
            #expect(try crew.open().count == 2)
            // Without an account there is nobody to alert.
            try crew.edit(
                .keep(.member(TeamMember(number: 1, name: "Ann", timeZone: "UTC", share: 100))))
            #expect(try crew.open() == [])
        }
    }
}
