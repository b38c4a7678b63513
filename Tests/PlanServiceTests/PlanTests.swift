import Bus
import FloorPlan
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct PlanTests {
        @Test func `a plan is found by its id, the beginning of its id, or its name`() throws {
            let office = try Office()
            let plan = try office.make("  Blåbærveien 3 ")
            #expect(plan.details?.name == "Blåbærveien 3")
            #expect(plan.revision == 1 && plan.created == plan.changed && plan.changedBy != "")

            for reference in [plan.id, "BLÅBÆRVEIEN 3", String(plan.id.prefix(13))] {
                #expect(try office.read(reference).plan == plan)
            }
            #expect(try office.refusal(of: ReadPlan(plan: "Blåbær"))?.code == .notFound)
            #expect(try office.refusal(of: ReadPlan(plan: ""))?.code == .invalid)

            let other = try office.make(String(plan.id.prefix(8)))
            #expect(try office.read(String(plan.id.prefix(8))).plan == other)
            try office.make("Third")
            let shared = String(zip(plan.id, other.id).prefix { $0 == $1 }.map(\.0))
            #expect(try office.refusal(of: ReadPlan(plan: shared))?.code == .conflict)
        }

        @Test func `two plans of an organisation have different names`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1")
            let other = try office.make("Storgata 2")
            let taken = PlanDetails(name: "STORGATA 1")

            #expect(try office.refusal(of: CreatePlan(details: taken))?.code == .conflict)
            #expect(
                try office.refusal(of: ChangePlanDetails(plan: other.id, details: taken))?.code
                    == .conflict)
            #expect(
                try office.refusal(of: CopyPlan(plan: other.id, name: "storgata 1"))?.code
                    == .conflict)
            let changed = try office.ask(
                ChangePlanDetails(plan: plan.id, details: taken), for: Plan.self)
            #expect(changed.details?.name == "STORGATA 1" && changed.revision == 1)
        }

        @Test func `details that someone else has changed since they were read aren't replaced`()
            throws
        {
            let office = try Office()
            let seen = try #require(try office.make("Storgata 1").details)
            var (theirs, mine) = (seen, seen)
            theirs.client = "4711"
            mine.author = "A. Berg"
            func change(_ details: PlanDetails, _ expected: PlanDetails?) -> ChangePlanDetails {
                ChangePlanDetails(plan: "Storgata 1", details: details, expected: expected)
            }
            #expect(try office.refusal(of: change(theirs, seen)) == nil)
            let refusal = try office.refusal(of: change(mine, seen))
            #expect(refusal == .changedSince("the details of the plan"))
            #expect(try office.read().plan.details == theirs)

            // An edit of the drawing changes no details. A command that names none, as before,
            // replaces all.
            try office.edit("Storgata 1", .add(AddItems(items: PlanItem.beds(1))))
            var both = theirs
            both.author = mine.author
            #expect(try office.refusal(of: change(both, theirs)) == nil)
            #expect(try office.read().plan.details == both)
            #expect(try office.refusal(of: change(seen, nil)) == nil)
            #expect(try office.read().plan.details == seen)
        }

        @Test(arguments: [
            (PlanDetails(name: ""), "name of a plan is missing"),
            (PlanDetails(name: String(repeating: "x", count: 101)), "1 to 100 characters"),
            (PlanDetails(name: "a\u{7}b"), "control character"),
            (PlanDetails(name: "a", tolerance: 501), "500"),
            (PlanDetails(name: "a", standards: ["tek18"]), "tek17"),
            (PlanDetails(name: "a", chair: "bed-1"), "no wheelchair"),
            (PlanDetails(name: "a", author: String(repeating: "x", count: 101)), "author"),
        ])
        func `a plan's details are validated, and the refusal says what is wrong`(
            details: PlanDetails, message: String
        ) throws {
            let office = try Office()
            try office.make("Storgata 1", PlanItem.beds(1))
            let refusal = try office.refusal(
                of: ChangePlanDetails(plan: "Storgata 1", details: details))
            #expect(refusal?.message.contains(message) == true, "\(refusal?.message ?? "")")
            let made = try office.refusal(
                of: CreatePlan(details: details, items: PlanItem.beds(1)))
            #expect(made == refusal)
            #expect(try office.ask(ListPlans(), for: Messages.Plans.self).plans.count == 1)
        }

        @Test func `every typed word is searched for, ignoring case and accents`() throws {
            let office = try Office()
            try office.make("Ene") { ($0.address, $0.client) = ("Sjøgata 5, Bodø", "K-17") }
            try office.make("Andre") { ($0.author, $0.description) = ("Åse Næss", "to rom") }
            let found = { (text: String) in
                try office.ask(ListPlans(text: text), for: Messages.Plans.self).plans
                    .compactMap { $0.details?.name }
            }
            #expect(try found("") == ["Andre", "Ene"])
            #expect(try found("bodo SJOGATA") == ["Ene"])
            #expect(try found("k-17") == ["Ene"])
            #expect(try found("ase næss rom") == ["Andre"] && found("ase bodø") == [])
            #expect(try found("bodø \u{1}\" %") == ["Ene"])
        }

        @Test func `a list of plans says whether there are more`() throws {
            let office = try Office()
            try office.make("Ene")
            try office.make("Andre")
            let listed = { (limit: UInt32) in
                try office.ask(ListPlans(limit: limit), for: Messages.Plans.self)
            }
            #expect(try listed(1).plans.count == 1 && listed(1).more)
            #expect(try listed(2).plans.count == 2 && !listed(2).more)
        }

        @Test func `a large plan is read in parts that fit in a message`() throws {
            let office = try Office()
            let items = PlanItem.beds(3_000).map { item in
                guard case .element(var element) = item.item else { return item }
                element.label = String(repeating: "æ", count: 100)
                return PlanItem(item: .element(element))
            }
            let plan = try office.make("Storgata 1", Array(items.prefix(1_500)), force: true)
            try office.edit(
                plan.id, .add(AddItems(items: Array(items.suffix(1_500)))), force: true)

            let first = try office.ask(ReadPlan(plan: plan.id), for: PlanContents.self)
            #expect(first.next > 0 && first.packed().count < 500_000)
            #expect(try office.read(plan.id).items == items)
            let copy = try office.ask(CopyPlan(plan: plan.id, name: "Copy"), for: Plan.self)
            #expect(copy.undoable == 0 && copy.revision == 1 && copy.id != plan.id)
            #expect(try office.read("copy").items == items)
        }

        @Test func `a deleted plan is gone, and stays away after a restart`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.room)
            try office.edit(plan.id, .move("east", by: (100, 0)))
            _ = try office.ask(ChangePlanView(plan: plan.id, zoom: 200), for: PlanView.self)
            let deleted = try office.ask(DeletePlan(plan: "storgata 1"), for: PlanDeleted.self)
            #expect(deleted == PlanDeleted(plan: plan.id, name: "Storgata 1"))

            for isRestarted in [false, true] {
                if isRestarted { try office.restart() }
                #expect(try office.refusal(of: ReadPlan(plan: plan.id))?.code == .notFound)
                #expect(try office.refusal(of: UndoEdits(plan: plan.id))?.code == .notFound)
                for table in ["plan", "item", "step", "view"] {
                    #expect(try office.system.query(.plan, "SELECT * FROM \(table)") == [])
                }
            }
            #expect(try office.told(PlanDeleted.self) == [deleted])
            #expect(try office.make("Storgata 1").items == 0)
        }

        @Test func `every change of a plan is published`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.beds(1))
            try office.edit(plan.id, .move("bed-1", by: (10, 0)))
            try office.undo()
            try office.redo()
            let told = try office.told(PlanChanged.self).map(\.plan)
            #expect(told.map(\.revision) == [1, 2, 3, 4])
            #expect(told.map(\.redoable) == [0, 0, 1, 0])
            #expect(try told.last == office.read().plan)

            let page = try office.client.replay(Replay(epoch: 1, limit: 500))
            #expect(page.snapshot)
            let now = try page.events.map { try Envelope(unpacking: $0) }
            #expect(now.map(\.type) == [PlanChanged.protobufName])
            #expect(try PlanChanged(unpacking: now[0].data).plan == told.last)
        }

        @Test func `a person sees only the plans of their own organisation`() throws {
            let office = try Office()
            let own = try office.organisation("Commune")
            let ann = try office.token("ann", in: own, Grant(role: .crew))
            let bob = try office.token(
                "bob", in: try office.organisation("Agency"), Grant(role: .administrator))
            let screen = try office.token("screen", in: own, Grant(role: .display))
            let plan = try office.make("Storgata 1", PlanItem.beds(1), as: ann)
            #expect(plan.organisation == own && plan.changedBy == "ann")
            _ = try office.ask(
                KeepInLibrary(item: LibraryItem(label: "Bed", item: .element("", at: (0, 0)))),
                for: LibraryItem.self, as: ann)

            for message: any ProtobufMessage in [
                ReadPlan(plan: plan.id), ReadPlan(plan: "Storgata 1"), DeletePlan(plan: plan.id),
                CopyPlan(plan: plan.id, name: "mine"), UndoEdits(plan: plan.id),
                RedoEdits(plan: plan.id), ReadPlanHistory(plan: plan.id),
                EditPlan(plan: plan.id), ReadPlanView(plan: plan.id),
                ChangePlanView(plan: plan.id), ChangePlanDetails(plan: plan.id),
            ] {
                let refusal = try office.refusal(of: message, as: bob)
                #expect(refusal?.code == .notFound, "\(message)")
                #expect(try office.refusal(of: message, as: screen)?.code == .forbidden)
            }
            let absent = MessageID.Generator.any.description
            #expect(
                try office.refusal(of: ReadPlan(plan: absent), as: bob)?.message
                    .replacing(absent, with: plan.id)
                    == office.refusal(of: ReadPlan(plan: plan.id), as: bob)?.message)
            #expect(try office.ask(ListPlans(), for: Messages.Plans.self, as: bob).plans == [])
            #expect(
                try office.ask(ListLibrary(), for: Messages.Library.self, as: bob).items == [])
            // Another organisation may use the same name.
            let theirs = try office.make("Storgata 1", as: bob)
            #expect(try office.read("Storgata 1", as: bob).plan == theirs)
            #expect(try office.read("Storgata 1", as: ann).plan == plan)
            // The owner of the machine sees both, and has to say which one is meant.
            #expect(try office.refusal(of: ReadPlan(plan: "Storgata 1"))?.code == .conflict)
            #expect(try office.read(plan.id).plan == plan)
        }

        @Test func `a person without a role in an organisation can't see or change its plans`()
            throws
        {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.beds(1))
            let stranger = try office.token("eve")
            let before = try office.read()

            for message: any ProtobufMessage in [
                CreatePlan(details: PlanDetails(name: "Mine")), ReadPlan(plan: plan.id),
                DeletePlan(plan: plan.id), CopyPlan(plan: plan.id, name: "mine"),
                UndoEdits(plan: plan.id), RedoEdits(plan: plan.id),
                ReadPlanHistory(plan: plan.id), EditPlan(plan: plan.id),
                ReadPlanView(plan: plan.id), ChangePlanView(plan: plan.id),
                ChangePlanDetails(plan: plan.id), ListPlans(), CheckPlan(plan: plan.id),
                ReachPlan(plan: plan.id), SendPlan(plan: plan.id), ListLibrary(),
                KeepInLibrary(), RemoveFromLibrary(), FindProducts(),
            ] {
                let refusal = try office.refusal(of: message, as: stranger)
                #expect(refusal?.code == .forbidden, "\(message)")
            }

            #expect(try office.read().plan == before.plan && office.read().items == before.items)
            let colleague = try office.token("ann", Grant(role: .crew))
            #expect(try office.read(plan.id, as: colleague).plan == plan)
        }
    }
}

extension MessageID.Generator {
    /// An id that nothing has.
    static var any: MessageID {
        var ids = MessageID.Generator()
        return ids.next(at: WallClock.milliseconds())
    }
}
