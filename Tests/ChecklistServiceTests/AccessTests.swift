import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct AccessTests {
        /// Who may send which message at a site: this role, or a higher one.
        static let needed: [(role: Role, message: @Sendable (Place) -> any ProtobufMessage)] = [
            (.siteManager, { PutTemplate(template: ChecklistTemplate(site: $0.site)) }),
            (.siteManager, { EditTemplate(template: "none", site: $0.site) }),
            (.siteManager, { RemoveTemplate(template: "none", site: $0.site) }),
            (.shiftManager, { ListTemplates(site: $0.site) }),
            (.shiftManager, { ReadTemplate(template: "Opening", site: $0.site) }),
            (.siteManager, { ChangeSettings(settings: SiteSettings(site: $0.site)) }),
            (.shiftManager, { ReadSettings(site: $0.site) }),
            (.shiftManager, { StartShift(site: $0.site, dayPart: 1) }),
            (.shiftManager, { EndShift(shift: $0.shift) }),
            (.shiftManager, { EndShift(site: $0.site) }),
            (.shiftManager, { MailTodos(shift: $0.shift) }),
            (.display, { ReadShift(shift: $0.shift) }),
            (.display, { ReadShift(site: $0.site) }),
            (.display, { ReadOperations(shift: $0.shift) }),
            (
                .crew,
                { place in
                    let device = Device("x", in: place.shift)
                    device.make(.mark("none", "t1", .ok))
                    // The operation comes after a gap, so it is refused individually and changes
                    // nothing.
                    return device.record([device.make(.mark("none", "t1", .ok))])
                }
            ),
            (.crew, { KeepPhoto(shift: $0.shift) }), (.shiftManager, { KeepPhoto(site: $0.site) }),
            (.display, { ReadPhoto(shift: $0.shift) }), (.crew, { ReadPhoto(site: $0.site) }),
            (.display, { ListPhotos(shift: $0.shift) }),
            (.shiftManager, { FindShifts(site: $0.site) }),
            (.siteManager, { ReadArchive(site: $0.site) }),
            (.siteManager, { ReadArchiveHead(site: $0.site) }),
            (.shiftManager, { ListRememberedTodos(site: $0.site) }),
            (.siteManager, { ReadStatistics(site: $0.site) }),
            (.crew, { ReportEquipment(site: $0.site, name: "") }),
            (.display, { ListEquipment(site: $0.site) }),
            (.crew, { ListStandingTodos(site: $0.site) }),
            (.shiftManager, { ChangeStandingTodo(site: $0.site) }),
            (.shiftManager, { PutSparePart(part: SparePart(site: $0.site)) }),
            (.shiftManager, { RemoveSparePart(site: $0.site, part: "none") }),
            (.crew, { FindSpareParts(site: $0.site) }),
            (.siteManager, { ScheduleShift(shift: ScheduledShift(site: $0.site)) }),
            (.siteManager, { UnscheduleShift(id: "none", site: $0.site) }),
            (.shiftManager, { ListScheduledShifts(site: $0.site) }),
        ]

        static let ladder: [Role] = [
            .display, .crew, .shiftManager, .siteManager, .supervisor, .administrator,
        ]

        /// A site with an open shift.
        struct Place {
            let site: String
            let shift: String
        }

        @Test func `each role may do at its site what the table allows, and nothing elsewhere`()
            throws
        {
            let restaurant = try Restaurant()
            let here = try restaurant.open("Harbour")
            let there = try restaurant.open("Quay")
            let diner = try restaurant.accounts.ask(
                CreateOrganisation(name: "Diner"), for: Organisation.self)
            let before = try restaurant.rows()

            for (rung, role) in Self.ladder.enumerated() {
                let site = role == .administrator ? "" : here.site
                let token = try restaurant.token("\(role)", Grant(role: role, site: site))
                let foreign = try restaurant.token(
                    "\(role)2", in: diner.id, Grant(role: role))
                for (needed, message) in Self.needed {
                    let name = "\(type(of: message(here)).protobufName) as \(role)"
                    let isEnough = rung >= (Self.ladder.firstIndex(of: needed) ?? .max)
                    let verdicts = [
                        try restaurant.isDenied(message(here), as: token),
                        try restaurant.isDenied(message(there), as: token),
                        try restaurant.isDenied(message(here), as: foreign),
                    ]
                    let isEverywhere = role == .administrator
                    #expect(verdicts == [!isEnough, !isEverywhere, true], "\(name)")
                }
            }
            let nobody = try restaurant.token("nobody")
            for (_, message) in Self.needed {
                #expect(try restaurant.isDenied(message(here), as: nobody))
            }
            #expect(try restaurant.rows() == before)
        }

        @Test func `a crew member ticks, adds and comments on to-dos only in their own areas`()
            throws
        {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let token = try restaurant.token(
                "cook", Grant(role: .crew, site: restaurant.site, area: "drive-through"))
            let lead = Device("tablet", in: shift.id)
            let outcomes = try lead.send(
                .mark(list, "t1", .notOk),
                .addTodo(
                    AddTodo(title: "Sweep", area: "drive-through", priority: "immediate")),
                to: restaurant)
            let own = try #require(outcomes.last?.operation.flatMap { MessageID(bytes: $0.id) })

            let cook = Device("phone", in: shift.id)
            let tick = { (todo: String, mark: TodoMark) in
                try cook.send(
                    .markTodo(MarkTodo(todo: todo, mark: mark)), to: restaurant, as: token
                ).first?.kind
            }
            #expect(try tick("\(own)", .done) == .takenIn)
            #expect(try tick("\(own)", .open) == .takenIn)
            #expect(try tick("\(own)", .removed) == .refused)
            #expect(try tick("\(list)/t1", .done) == .refused)
            let mine: [ShiftOperation.Change] = [
                .addTodo(
                    AddTodo(title: "Smell of gas", area: "drive-through", priority: "immediate")),
                .noteTodo(NoteTodo(todo: "\(own)", text: "x")),
            ]
            for change in mine {
                #expect(try cook.send(change, to: restaurant, as: token).first?.kind == .takenIn)
            }
            let others: [ShiftOperation.Change] = [
                .mark(list, "t2", .ok), .note(NoteTask(list: list, task: "t2", text: "x")),
                .addTodo(AddTodo(title: "x", area: "kitchen", priority: "immediate")),
                .noteTodo(NoteTodo(todo: "\(list)/t1", text: "x")),
                .changeTodo(ChangeTodo(todo: "\(own)", assignee: "x")),
                .letCrew(LetCrew(list: list, may: 2)),
                .beginTravelPath(BeginTravelPath()), .logTravelPath(LogTravelPath()),
                .figure(EnterFigure(hour: 1, kind: .salesActual, value: 1)),
                .review(ReviewTask(list: list, task: "t1", finding: .ok)),
            ]
            for change in others {
                let outcome = try cook.send(change, to: restaurant, as: token).first
                #expect(outcome?.kind == .refused)
                #expect(outcome?.refusalCode == UInt32(Refusal.Code.forbidden.rawValue))
            }
        }

        @Test func `a crew member's tick counts even if its to-do came late or is gone`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list { _, task in task.area = "drive-through" }).id
            let shift = try #require(try restaurant.start().shift)
            let site = restaurant.site
            _ = try restaurant.accounts.ask(
                ChangeSite(site: site, addedAreas: ["terrace"]), for: Organisation.self)
            let token = try restaurant.token(
                "cook", Grant(role: .crew, site: site, area: "drive-through"))
            let other = try restaurant.token(
                "bar", Grant(role: .crew, site: site, area: "terrace"))
            let task = "\(list)/t1"
            // The cook is out of touch when the task is put right.
            try Device("tablet", in: shift.id).send(
                .mark(list, "t1", .notOk), .mark(list, "t1", .ok), to: restaurant)

            let cook = Device("phone", in: shift.id)
            let gone = try cook.send(
                .markTodo(MarkTodo(todo: task, mark: .done)),
                .noteTodo(NoteTodo(todo: task, text: "new fuse")), to: restaurant, as: token)
            #expect(gone.map(\.kind) == [.takenIn, .takenIn])
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            let added = cook.make(
                .addTodo(AddTodo(title: "Sweep", area: "drive-through", priority: "immediate")))
            let id = try #require(MessageID(bytes: added.id)).description
            let tick = ShiftOperation.Change.markTodo(MarkTodo(todo: id, mark: .done))
            let late = try restaurant.ask(
                cook.record([added, cook.make(tick)]), for: OperationsRecorded.self, as: token)
            #expect(late.outcomes.map(\.kind) == [.takenIn, .takenIn])
            let kept = try restaurant.ask(ListStandingTodos(site: site), for: StandingTodos.self)
            #expect(kept.todos == [])

            let bar = Device("till", in: shift.id)
            for todo in [task, id] {
                let outcome = try bar.send(
                    .markTodo(MarkTodo(todo: todo, mark: .done)), to: restaurant, as: other
                ).first
                #expect(outcome?.refusalCode == UInt32(Refusal.Code.forbidden.rawValue))
            }
        }

        @Test func `a crew member marks tasks of their own areas as the shift manager allows`()
            throws
        {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(
                .list { number, task in if number < 3 { task.area = "drive-through" } }
            ).id
            let shift = try #require(try restaurant.start().shift)
            let cook = try restaurant.token(
                "cook", Grant(role: .crew, site: restaurant.site, area: "drive-through"))
            let temp = try restaurant.token(
                "temp", Grant(role: .crew, site: restaurant.site, area: "drive-through"))
            let (phone, other) = (Device("phone", in: shift.id), Device("other", in: shift.id))
            let lead = Device("tablet", in: shift.id)
            func kinds(_ device: Device, _ token: [UInt8]) throws -> [Bool] {
                let changes: [ShiftOperation.Change] = [
                    .mark(list, "t1", .ok), .mark(list, "t2", .notOk),
                    .note(NoteTask(list: list, task: "t1", text: "x")), .mark(list, "t3", .ok),
                ]
                return try changes.map { change in
                    let outcome = try device.send(change, to: restaurant, as: token).first
                    let isRefused = outcome?.kind == .refused
                    if isRefused {
                        let forbidden = UInt32(Refusal.Code.forbidden.rawValue)
                        #expect(outcome?.refusalCode == forbidden)
                    }
                    return !isRefused
                }
            }
            #expect(try kinds(phone, cook) == [false, false, false, false])

            try lead.send(.letCrew(LetCrew(list: list, may: 1)), to: restaurant)
            #expect(try kinds(phone, cook) == [true, false, false, false])
            try lead.send(.letCrew(LetCrew(list: list, may: 2, account: "cook")), to: restaurant)
            restaurant.kill()
            try restaurant.restart()
            #expect(try kinds(phone, cook) == [true, true, true, false])
            #expect(try kinds(other, temp) == [true, false, false, false])
            let nobody = try lead.send(
                .letCrew(LetCrew(list: list, may: 2, account: "nobody")), to: restaurant
            ).first
            #expect(nobody?.refusal.contains("no account “nobody”") == true)
        }

        @Test func `an ended shift is visible to its manager and to those who run the site`() throws
        {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            let site = restaurant.site
            let ann = try restaurant.token("ann", Grant(role: .shiftManager, site: site))
            let bob = try restaurant.token("bob", Grant(role: .shiftManager, site: site))
            let boss = try restaurant.token("boss", Grant(role: .siteManager, site: site))
            let cook = try restaurant.token("cook", Grant(role: .crew, site: site))
            let shift = try #require(
                try restaurant.ask(
                    StartShift(site: "Harbour", dayPart: 1), for: ShiftSnapshot.self, as: ann
                ).shift)
            #expect(shift.managerName == "ann" && shift.managerAccountName == "ann")
            _ = try restaurant.ask(
                EndShift(shift: shift.id, despiteOpen: true), for: Shift.self, as: bob)

            #expect(try !restaurant.isDenied(ReadShift(shift: shift.id), as: ann))
            #expect(try !restaurant.isDenied(ReadOperations(shift: shift.id), as: boss))
            #expect(try restaurant.isDenied(ReadShift(shift: shift.id), as: bob))
            let toldCook = try restaurant.ask(
                ReadOperations(shift: shift.id), for: OperationPage.self, as: cook)
            #expect(toldCook.ended > 0 && toldCook.operations.map(\.sequence) == [toldCook.head])
            let found = { (token: [UInt8]) in
                try restaurant.ask(FindShifts(), for: FoundShifts.self, as: token).shifts.count
            }
            #expect(try found(ann) == 1 && found(boss) == 1 && found(bob) == 0)
        }
    }
}

extension Restaurant {
    /// A site of that name with an open shift.
    func open(_ name: String) throws -> Processes.AccessTests.Place {
        var id = site
        if name != "Harbour" {
            let organisation = try accounts.ask(
                CreateSite(name: name, timeZone: "Etc/UTC"), for: Organisation.self)
            id = try #require(organisation.sites.last).id
            try waitForSite(id)
        }
        try keep(.list(site: id))
        let begun = try ask(StartShift(site: id, dayPart: 1), for: ShiftSnapshot.self)
        return .init(site: id, shift: try #require(begun.shift).id)
    }

    /// True if a message is refused because of its sender: explicitly, or as if the site or shift
    /// of another organisation didn't exist.
    func isDenied(_ message: some ProtobufMessage, as token: [UInt8]) throws -> Bool {
        guard let refusal = try refusal(of: message, as: token) else { return false }
        return refusal.code == .forbidden
            || refusal.code == .notFound && refusal.message.contains(/no (site|shift) “/)
    }

    /// The number of rows in each of the service's own tables.
    func rows() throws -> [[String]] {
        try system.query(
            .checklist,
            """
            SELECT (SELECT count(*) FROM operation), (SELECT count(*) FROM templateVersion),
                (SELECT count(*) FROM settings), (SELECT count(*) FROM equipment),
                (SELECT count(*) FROM sparePart), (SELECT count(*) FROM refusedOperation),
                (SELECT count(*) FROM outbox
                    WHERE instr(envelope, CAST('.AccessDenied' AS BLOB)) = 0
                        AND instr(envelope, CAST('.Alert' AS BLOB)) = 0)
            """)
    }
}
