import FloorPlan
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct LibraryTests {
        func keep(_ label: String, _ item: PlanItem, in office: Office) throws -> LibraryItem {
            try office.ask(
                KeepInLibrary(item: LibraryItem(label: label, item: item)), for: LibraryItem.self)
        }

        func place(
            _ name: String, at centre: (Int32, Int32), angle: UInt32 = 0, id: String = ""
        ) -> PlanAction.Action {
            .place(
                PlaceItem(
                    name: name, id: id, centre: PlanPoint(x: centre.0, y: centre.1),
                    angle: angle))
        }

        @Test
        func `a thing saved under a label is placed by it, and placed things stay as they are`()
            throws
        {
            let office = try Office()
            try office.make()
            let kept = try keep(
                "Høy seng", .element("bed-9", at: (500, 700), 1_000, 2_100, "Bed"), in: office)
            #expect(kept.label == "Høy seng" && kept.changed > 0 && kept.changedBy != "")

            let edited = try office.edit(
                "Storgata 1", place("høy SENG", at: (2_000, 3_000), angle: 450_000))
            let element = try #require(edited.changes[0].after?.element)
            #expect(element.id == "bed-1" && element.custom == "Høy seng")
            #expect(element.label == "Høy seng" && element.angle == 90_000)
            #expect(element.centre == PlanPoint(x: 2_000, y: 3_000) && element.width == 1_000)

            _ = try keep("høy seng", .element("", at: (0, 0), 800, 2_000), in: office)
            #expect(try office.read().items == [edited.changes[0].after])
            let listed = try office.ask(ListLibrary(text: "HOY"), for: Messages.Library.self)
            #expect(listed.items.map { $0.item.element?.width } == [800])
            #expect(
                try office.ask(RemoveFromLibrary(label: "Høy seng"), for: LibraryItem.self)
                    == listed.items[0])
            #expect(
                try office.refusal(of: RemoveFromLibrary(label: "Høy seng"))?.code == .notFound)
        }

        @Test func `a wall and a room are placed by their middle and turned`() throws {
            let office = try Office()
            try office.make()
            _ = try keep("Long wall", .wall("w", (1_000, 0), (5_000, 0)), in: office)
            let corners = [(0, 0), (3_000, 0), (3_000, 2_000), (0, 2_000)]
                .map { PlanPoint(x: Int32($0.0), y: Int32($0.1)) }
            let room = PlanItem(item: .room(Room(id: "r", use: .bathroom, corners: corners)))
            _ = try keep("Bath", room, in: office)
            let edited = try office.edit(
                "Storgata 1", place("long wall", at: (0, 0), angle: 90_000, id: "w"),
                place("bath", at: (5_000, 5_000), angle: 270_000))

            let wall = try #require(edited.changes[0].after?.wall)
            #expect(wall.id == "w" && wall.label == "Long wall")
            #expect(
                [wall.from, wall.to]
                    == [(0, -2_000), (0, 2_000)].map { PlanPoint(x: $0.0, y: $0.1) })
            let placed = try #require(edited.changes[1].after?.room)
            #expect(placed.id == "room-1" && placed.name == "Bath" && placed.use == .bathroom)
            #expect(placed.corners[0] == PlanPoint(x: 4_000, y: 6_500))
            #expect(placed.squareMetres == 6)
        }

        @Test func `a placed product keeps its catalogue data from when it was placed`() throws {
            let office = try Office()
            try office.make()
            var chair = Product(
                id: "p1", number: "245879", name: "Netti 4U", maker: "My Netti",
                isoCode: "12220303", state: .active, updated: 1, width: ProductMeasure(most: 650),
                depth: ProductMeasure(most: 1_100))
            _ = try office.ask(PutProducts(products: [chair]), for: ProductsPut.self)
            let place = PlanAction.Action.place(
                PlaceItem(
                    name: "245879", product: true, centre: PlanPoint(x: 500, y: 0), angle: 90_000))
            let edited = try office.edit("Storgata 1", place)
            let element = try #require(edited.changes[0].after?.element)
            #expect(element.id == "wheelchair-1" && element.kind == .wheelchair)
            #expect(element.width == 650 && element.angle == 90_000)
            #expect(element.product?.name == "Netti 4U" && element.product?.number == "245879")

            (chair.name, chair.updated) = ("Netti 5", 2)
            _ = try office.ask(PutProducts(products: [chair]), for: ProductsPut.self)
            #expect(try office.read().items == [edited.changes[0].after])
            let unknown = PlanAction(action: .place(PlaceItem(name: "1", product: true)))
            #expect(
                try office.refusal(of: EditPlan(plan: "Storgata 1", actions: [unknown]))?.code
                    == .notFound)
        }

        @Test func `a thing that couldn't be placed isn't saved`() throws {
            let office = try Office()
            for (label, item) in [
                ("Door", PlanItem.door("d", in: "w", at: 0)), ("Nothing", PlanItem()),
                ("", PlanItem.element("x", at: (0, 0))),
                ("Flat", PlanItem.element("x", at: (0, 0), 0, 100)),
                ("a\u{1B}", PlanItem.element("x", at: (0, 0))),
            ] {
                let refusal = try office.refusal(
                    of: KeepInLibrary(item: LibraryItem(label: label, item: item)))
                #expect(refusal?.code == .invalid, "\(label)")
            }
            #expect(try office.refusal(of: KeepInLibrary())?.code == .invalid)
            let plan = try office.make()
            let action = PlanAction(action: place("Nothing", at: (0, 0)))
            #expect(
                try office.refusal(of: EditPlan(plan: plan.id, actions: [action]))?.code
                    == .notFound)
        }
    }
}

extension PlanItem {
    var element: Element? { if case .element(let element) = item { element } else { nil } }
    var wall: Wall? { if case .wall(let wall) = item { wall } else { nil } }
    var room: Room? { if case .room(let room) = item { room } else { nil } }
}
