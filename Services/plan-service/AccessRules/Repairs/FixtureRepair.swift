import FloorPlan
import Messages
import Phrases

/// Fixtures moved along their walls, which is work for a plumber or an electrician: it is
/// described, not done.
extension RepairSearch {
    /// How many of the nearest fixtures are tried: this bounds the time.
    private static let mostFixtures = 3

    /// What a fixture can be in the way of.
    private static let aboutFloor: Set<Measure> = [
        .latchSpace, .pushSpace, .hingeSpace, .turningSpace, .floorSpace, .aidTurning, .passage,
        .sideSpace, .oneSideSpace, .frontSpace, .toiletZone, .centreLine,
    ]

    /// Each fixture moved along the wall behind it, just far enough to make the finding pass. One
    /// with something over, under or in it isn't moved: the plan doesn't say whether that belongs
    /// to it.
    func moving(fixturesFor measure: Measure) -> [Candidate] {
        guard Self.aboutFloor.contains(measure) else { return [] }
        let fixtures = nearest(Self.mostFixtures) { fixture in
            fixture.kind.isFixture
                && !trial.plan.elements.values.contains {
                    $0.id != fixture.id && Overlap($0.outline, fixture.outline) != nil
                }
        }
        return fixtures.flatMap { fixture in
            Self.directions.compactMap { word, x, y in moved(fixture, word, x, y) }
        }
    }

    private func moved(
        _ fixture: Element, _ word: FindingPhrase, _ x: Int32, _ y: Int32
    ) -> Candidate? {
        let across = Fixture(fixture).across
        guard abs(across.dot(Vector(Double(x), Double(y)))) > 0.999, !WorkLimit.isOver,
            let (distance, changes) = shortest({ way in
                .move([fixture.id], by: PlanPoint(x: x * way, y: y * way))
            }),
            case .element(let after)? = changes.first?.after?.item,
            staysAtWall(fixture, as: after)
        else { return nil }
        return Candidate(
            action: .move([fixture.id], by: PlanPoint(x: x * distance, y: y * distance)),
            changes: changes, isOffered: false,
            text: phrases.say(
                .moveFixture,
                [
                    "item": name(fixture), "distance": String(distance),
                    "direction": phrases.say(word),
                ]), effort: distance)
    }

    /// True if a wall is behind both rear corners of a fixture, and as near as before it was moved.
    private func staysAtWall(_ before: Element, as after: Element) -> Bool {
        guard let room = trial.layout.room(at: before.place)?.polygon else { return false }
        let gaps = zip(Fixture(before).gapsBehind(in: room), Fixture(after).gapsBehind(in: room))
        return gaps.allSatisfy { $0 < Fixture.near && abs($0 - $1) <= View.touch }
    }
}

extension ElementKind {
    /// True for things that water or current is connected to.
    fileprivate var isFixture: Bool {
        switch self {
        case .toilet, .washbasin, .shower, .bath, .appliance: true
        default: false
        }
    }
}
