import Bus
import Foundation
import Messages
import TestSupport

/// Who gets at Ann's things with which messages, listed by hand.
struct ScopeTables: Sendable {
    /// Makes Ann's things, and makes those anew that a message has changed or deleted.
    let prepare: @Sendable (ScopeStage) throws -> Void
    /// Ann's things, as she sees them.
    let state: @Sendable (ScopeStage) throws -> [[UInt8]]
    let makeRows: @Sendable () -> [Scope]
    var rows: [Scope] { makeRows() }

    static let all: [ServiceName: ScopeTables] = [
        .plan: plan, .routine: routine, .transitAlert: transit, .notifier: notifier,
        .project: project,
    ]

    static let mark = ScopeStage.mark
    /// A day that can be planned, and that has not begun when the tests end.
    private static let day = Date.now.addingTimeInterval(30 * 86_400)
        .formatted(.iso8601.year().month().day())

    // MARK: Plans, which belong to an organisation

    private static let bed = PlanItem(
        item: .element(Element(id: "bed", kind: .bed, label: mark, width: 900, depth: 2_000)))

    private static let plan = ScopeTables(
        prepare: { stage in
            stage.ids["plan"] =
                try stage.ask(
                    CreatePlan(
                        details: PlanDetails(name: "\(mark) \(stage.fresh)"), items: [bed]),
                    for: Plan.self
                ).id
            _ = try stage.ask(
                KeepInLibrary(item: LibraryItem(label: mark, item: bed)), for: LibraryItem.self)
            _ = try stage.ask(
                PutProducts(products: [
                    Product(id: mark, name: mark, state: .active, updated: 1)
                ]), for: ProductsPut.self, as: .administrator)
        },
        state: { stage in
            let plan = stage.ids["plan"] ?? ""
            return [
                try stage.ask(ReadPlan(plan: plan), for: PlanContents.self).packed(),
                try stage.ask(ListLibrary(text: mark), for: Messages.Library.self).packed(),
                try stage.ask(ReadProduct(product: mark), for: Product.self).packed(),
            ]
        },
        makeRows: {
            let members = Asker.members
            let id = { (stage: ScopeStage) in stage.ids["plan"] ?? "" }
            return [
                .own { CreatePlan(details: PlanDetails(name: $0.fresh)) },
                .about(members) { CopyPlan(plan: id($0), name: $0.fresh) },
                .about(members) {
                    ChangePlanDetails(plan: id($0), details: PlanDetails(name: $0.fresh))
                },
                .about(members) { DeletePlan(plan: id($0)) },
                .own(seenBy: members) { _ in ListPlans() },
                .about(members) { ReadPlan(plan: id($0)) },
                .about(members) { EditPlan(plan: id($0)) },
                .about(members) { UndoEdits(plan: id($0)) },
                .about(members) { RedoEdits(plan: id($0)) },
                .about(members) { ReadPlanHistory(plan: id($0)) },
                .own {
                    KeepInLibrary(item: LibraryItem(label: $0.fresh, item: PlanItem(item: bedOwn)))
                },
                .about(members) { _ in RemoveFromLibrary(label: mark) },
                .own(seenBy: members) { _ in ListLibrary() },
                .about(members) { ChangePlanView(plan: id($0), zoom: 100) },
                .about(members) { ReadPlanView(plan: id($0)) },
                .own { _ in ListStandards() },
                .about(members) { CheckPlan(plan: id($0)) },
                .about(members) { ReachPlan(plan: id($0), width: 700, length: 1_200) },
                .own {
                    PutProducts(products: [
                        Product(id: $0.fresh, name: "x", state: .active, updated: 1)
                    ])
                },
                .own(seenBy: members) { _ in FindProducts() },
                .about(members) { _ in ReadProduct(product: mark) },
                .about(members) { SendPlan(plan: id($0), to: ["ann@example.org"]) },
            ]
        })

    private static let bedOwn = PlanItem.Item.element(
        Element(id: "bed", kind: .bed, width: 900, depth: 2_000))

    // MARK: Projects, which belong to an organisation

    private static let project = ScopeTables(
        prepare: { stage in
            let name = "\(mark)-\(stage.fresh.split(separator: " ").joined())"
            let id = try stage.ask(
                CreateProject(project: Project(identifier: name, name: name)), for: Project.self
            ).id
            stage.ids["project"] = id
            _ = try stage.ask(
                EditProject(
                    project: id,
                    actions: [
                        ProjectAction(
                            action: .keep(
                                ProjectThing(thing: .issue(TrackedIssue(subject: mark)))))
                    ]), for: ProjectEdited.self)
        },
        state: { stage in
            let id = stage.ids["project"] ?? ""
            return [
                try stage.ask(ReadProject(project: id), for: ProjectContents.self).packed(),
                try stage.ask(ReadIssue(project: id, issue: 1), for: IssueContents.self).packed(),
                try stage.ask(ReadProjectHistory(project: id), for: ProjectHistory.self).packed(),
            ]
        },
        makeRows: {
            let members = Asker.members
            let id = { (stage: ScopeStage) in stage.ids["project"] ?? "" }
            let version = ProjectThing(thing: .version(ProjectVersion(name: "x")))
            return [
                .own { CreateProject(project: Project(identifier: "other", name: $0.fresh)) },
                // Those who lead others may delete projects; crew may not.
                .about(members.subtracting([.crewOfOtherArea])) { DeleteProject(project: id($0)) },
                .own(seenBy: members) { _ in ListProjects() },
                .about(members) { ReadProject(project: id($0)) },
                .about(members) {
                    EditProject(project: id($0), actions: [ProjectAction(action: .keep(version))])
                },
                .about(members) { UndoProject(project: id($0)) },
                .about(members) { RedoProject(project: id($0)) },
                .about(members) { ReadProjectHistory(project: id($0)) },
                .about(members) { ListIssues(project: id($0)) },
                .about(members) { ReadIssue(project: id($0), issue: 1) },
                .about(members) { NoteIssue(project: id($0), issue: 1, note: "x") },
                .about(members) { ListTime(project: id($0)) },
                .own { KeepIssueFilter(filter: IssueFilter(name: $0.fresh)) },
                .own { _ in ListIssueFilters() },
                .own { _ in DeleteIssueFilter(name: "x") },
                .own { _ in LookAtMyIssues() },
                .about(members) { BookMeeting(project: id($0)) },
                // Without a meeting there is nothing of Ann's to get at.
                .own { CancelMeeting(project: id($0), meeting: "0000") },
                .about(members) { DeleteMeetings(project: id($0)) },
                .about(members) { ListMeetings(project: id($0)) },
                .own { _ in ListMeetings() },
                // Nothing listens there.
                .own {
                    AddPersonCalendar(project: id($0), person: 1, address: "http://127.0.0.1:1/")
                },
                .own { RemovePersonCalendar(project: id($0), calendar: "0000") },
                .about(members) { FetchPersonCalendars(project: id($0)) },
                .about(members) { ListPersonCalendars(project: id($0)) },
                .about(members) { ReadBusyTimes(project: id($0)) },
                .about(members) { ProposeSchedule(project: id($0), from: "2027-03-01") },
                // Nothing listens there.
                .own { _ in LogInToRedmine(server: "http://127.0.0.1:1", secret: "x") },
                .own { _ in ListRedmineLogIns() },
                .own { _ in LogOutOfRedmine() },
                .own { _ in ListRedmineProjects() },
                .own { _ in LinkRedmine(remote: "house") },
                .about(members.subtracting([.crewOfOtherArea])) {
                    UnlinkRedmine(project: id($0))
                },
                .about(members) { SyncRedmine(project: id($0)) },
                .about(members) { ListRedmineLinks(project: id($0)) },
                .about(members) { SettleRedmine(project: id($0), issue: 1) },
            ]
        })

    // MARK: Days, which belong to a person

    private static let routine = ScopeTables(
        prepare: { stage in
            let action = RoutineAction(name: mark, minutes: 5, priority: 3)
            // Things that were changed or deleted are made anew under another name.
            let name = "\(mark) \(stage.fresh)"
            _ = try stage.ask(KeepAction(action: action), for: OwnAction.self)
            stage.ids["routine"] =
                try stage.ask(
                    KeepRoutine(
                        routine: Routine(name: name, actions: [action], until: 1_440)),
                    for: Routine.self
                ).id
            _ = try stage.ask(
                PlanDay(
                    date: day, routines: [name], timeZone: "Etc/UTC", anew: true),
                for: Day.self)
            _ = try stage.ask(KeepTemplate(name: mark, date: day), for: DayTemplate.self)
        },
        state: { stage in
            [
                try stage.ask(ListOwnActions(), for: Messages.OwnActions.self).packed(),
                try stage.ask(ListRoutines(), for: Messages.Routines.self).packed(),
                try stage.ask(ReadDay(date: day), for: Day.self).packed(),
                try stage.ask(ListDayTemplates(), for: DayTemplates.self).packed(),
                try stage.ask(ReadDaySettings(), for: DaySettings.self).packed(),
                try stage.ask(ReadRhythm(), for: WeekRhythm.self).packed(),
            ]
        },
        makeRows: {
            let action = RoutineAction(name: "x", minutes: 5, priority: 3)
            // A carer may look; the person has to allow changes.
            return [
                .own { _ in ChangeDaySettings(warning: 5) },
                .about([.carer]) { _ in ReadDaySettings(person: "ann") },
                .about([]) { _ in KeepAction(person: "ann", action: action) },
                .about([]) { _ in ForgetAction(person: "ann", action: mark) },
                .about([.carer]) { _ in ListOwnActions(person: "ann") },
                .about([]) { stage in
                    KeepRoutine(
                        person: "ann",
                        routine: Routine(name: stage.fresh, actions: [action], until: 1_440))
                },
                .about([]) { DeleteRoutine(person: "ann", routine: $0.ids["routine"] ?? "") },
                .about([]) { _ in RestoreRoutine(person: "ann") },
                .about([.carer]) { _ in ListRoutines(person: "ann") },
                .about([]) { PlanDay(person: "ann", routines: [$0.ids["routine"] ?? ""]) },
                .about([]) { _ in
                    ChangeDay(person: "ann", date: day, change: .confirm(true))
                },
                .about([.carer]) { _ in ReadDay(person: "ann", date: day) },
                .about([]) { _ in RecordDay(person: "ann", date: day) },
                // There is no picture here: PictureAcceptanceTests shows that a carer sees one.
                .about([]) { _ in
                    ReadPicture(person: "ann", checksum: [UInt8](repeating: 1, count: 32))
                },
                .about([]) { _ in KeepTemplate(person: "ann", name: "x", date: day) },
                .about([]) { _ in ForgetTemplate(person: "ann", name: mark) },
                .about([.carer]) { _ in ListDayTemplates(person: "ann") },
                .about([]) { _ in ChangeRhythm(person: "ann", morning: true) },
                .about([.carer]) { _ in ReadRhythm(person: "ann") },
                .about([.carer]) { _ in ListMeasuredActions(person: "ann") },
                .about([]) { _ in AdoptMeasured(person: "ann", action: mark) },
                .about([.carer]) { _ in ReadDayStatistics(person: "ann") },
            ]
        })

    // MARK: Alerts, which belong to a person, and mails, which belong to an organisation

    /// Ann's channels without the outcomes of deliveries, which change by themselves.
    private static func channels(at stage: ScopeStage) throws -> AlertChannels {
        var kept = try stage.ask(ListChannels(), for: AlertChannels.self)
        for index in kept.channels.indices {
            kept.channels[index].delivered = 0
            kept.channels[index].waiting = 0
            kept.channels[index].failures = 0
            kept.channels[index].failingSince = 0
            kept.channels[index].error = ""
        }
        return kept
    }

    private static let notifier = ScopeTables(
        prepare: { stage in
            // Only services raise alerts, so this one is put into the store.
            var ids = MessageID.Generator()
            let alert = Alert(
                id: "\(ids.next(at: WallClock.milliseconds()))", source: "test",
                raised: AlertRaised(
                    key: stage.fresh, kind: "test", severity: .info, title: mark,
                    recipient: "ann", needsAcknowledgement: true, organisation: "o"),
                state: .open, time: WallClock.milliseconds())
            let hex = alert.packed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try stage.system.edit(
                .notifier,
                """
                INSERT INTO alert (id, source, key, feed, state, time, alert) VALUES
                ('\(alert.id)', 'test', '\(alert.raised?.key ?? "")', 'alert.o.ann.', 1,
                \(alert.time), X'\(hex)')
                """)
            stage.ids["alert"] = alert.id
            _ = try stage.ask(
                KeepChannel(
                    channel: AlertChannel(
                        name: "phone", kind: .webhook, address: "https://127.0.0.1:9/\(mark)")),
                for: AlertChannel.self)
            stage.ids["silence"] =
                try stage.ask(
                    SilenceAlerts(
                        silence: Silence(source: mark, until: WallClock.milliseconds() + 600_000)),
                    for: Silence.self
                ).id
            let policy = EscalationPolicy(
                name: mark, kind: mark, steps: [EscalationStep(who: Audience(account: "ann"))])
            _ = try stage.ask(
                KeepPolicy(policy: policy), for: EscalationPolicy.self, as: .administrator)
            stage.ids["maintenance"] =
                try stage.ask(
                    BeginMaintenance(
                        window: MaintenanceWindow(
                            source: mark, until: WallClock.milliseconds() + 600_000)),
                    for: MaintenanceWindow.self, as: .administrator
                ).id
            stage.ids["call"] =
                try stage.ask(
                    RaiseAlert(audience: Audience(account: "ann"), title: mark), for: Call.self,
                    as: .administrator
                ).id
            stage.ids["mail"] =
                try stage.ask(
                    SendTestMail(to: "\(mark)@example.org"), for: Mail.self, as: .administrator
                ).id
        },
        state: { stage in
            [
                try stage.ask(ListAlerts(), for: Alerts.self).packed(),
                try stage.ask(OpenFeed(), for: AlertFeed.self).packed(),
                try stage.ask(ReadAlertPreference(), for: AlertPreference.self).packed(),
                try channels(at: stage).packed(),
                try stage.ask(ListSilences(), for: Silences.self).packed(),
                try stage.ask(ReadQuietHours(), for: QuietHours.self).packed(),
                try stage.ask(ReadDigest(), for: AlertDigest.self).packed(),
            ]
        },
        makeRows: {
            [
                .about([.carer]) { AcknowledgeAlert(id: $0.ids["alert"] ?? "") },
                .about([.carer]) { _ in RenewTopic(recipient: "ann") },
                .about([.carer]) { _ in OpenFeed(recipient: "ann") },
                .about([.carer]) { _ in ReadFeed(recipient: "ann") },
                .about([.carer]) { _ in ListAlerts(recipient: "ann") },
                .own { _ in PreferAlerts(mail: "", from: .urgent) },
                .own { _ in ConfirmMailbox(code: "x") },
                .own { _ in ReadAlertPreference() },
                .about([.administrator, .owner]) { RetryMail(id: $0.ids["mail"] ?? "") },
                .own { _ in SendTestMail(to: "x@example.org") },
                .own { stage in
                    KeepChannel(
                        channel: AlertChannel(
                            name: "c\(stage.fresh.prefix(30))", kind: .webhook,
                            address: "https://127.0.0.1:9/"))
                },
                .own { _ in ListChannels() },
                .about([]) { _ in RemoveChannel(name: "phone") },
                .about([]) { _ in TestChannel(name: "phone") },
                .own { _ in SetQuietHours(hours: QuietHours()) },
                .own { _ in ReadQuietHours() },
                .own { _ in
                    SilenceAlerts(
                        silence: Silence(
                            source: "test", until: WallClock.milliseconds() + 60_000))
                },
                .own { _ in ListSilences() },
                .about([]) { EndSilence(id: $0.ids["silence"] ?? "") },
                .about([.carer]) { ReadAlert(id: $0.ids["alert"] ?? "") },
                .own { _ in SetDigest(digest: AlertDigest()) },
                .own { _ in ReadDigest() },
                .own { _ in
                    RaiseAlert(audience: Audience(role: .crew, site: "s"), title: "Come")
                },
                .about([.administrator, .owner]) { WithdrawCall(id: $0.ids["call"] ?? "") },
                .own(seenBy: [.administrator, .owner]) { _ in ListCalls() },
                .about([.administrator, .owner]) { ReadCall(id: $0.ids["call"] ?? "") },
                .own { _ in
                    KeepPolicy(
                        policy: EscalationPolicy(
                            name: "another", kind: "test",
                            steps: [EscalationStep(who: Audience(role: .crew))]))
                },
                .about([.administrator, .owner]) { _ in RemovePolicy(name: mark) },
                .own(seenBy: [.administrator, .owner]) { _ in ListPolicies() },
                .own { _ in
                    BeginMaintenance(
                        window: MaintenanceWindow(
                            source: "test", until: WallClock.milliseconds() + 60_000))
                },
                .about([.administrator, .owner]) {
                    EndMaintenance(id: $0.ids["maintenance"] ?? "")
                },
                .own(seenBy: [.administrator, .owner]) { _ in ListMaintenance() },
                .own(seenBy: [.administrator, .owner]) { _ in ListMails() },
                .about([.administrator, .owner]) { ReadMail(id: $0.ids["mail"] ?? "") },
            ]
        })
}
