import FloorPlan
import Messages
import Phrases
import Testing
import Yams

@testable import AccessRules

/// The files of the standards.
struct RuleBookTests {
    @Test func `every standard has its rules, its edition and its sources`() throws {
        #expect(
            RuleBook.standards.map(\.id)
                == ["ada", "adm", "adm2", "din18040", "fi", "husbanken", "tek10", "tek17"])
        for set in RuleBook.sets {
            #expect(!set.title.isEmpty && !set.edition.isEmpty && set.country.count == 2)
            #expect(Set(set.rules.map(\.id)).count == set.rules.count, "\(set.standard)")
            for rule in set.rules {
                #expect(
                    set.sources[rule.source]?.hasPrefix("http") == true,
                    "\(set.standard)/\(rule.id)")
                #expect(!rule.clause.isEmpty)
            }
        }
    }

    @Test func `a rule has all that its measure needs, and a subject`() {
        for set in RuleBook.sets {
            for rule in set.rules {
                let name: Comment = "\(set.standard)/\(rule.id)"
                #expect(rule.doors != nil || rule.rooms != nil || rule.elements != nil, name)
                #expect(rule.scope != .thing || rule.elements != nil, name)
                // Where a place at a door begins goes by one measure.
                let areSquare = rule.shapes?.allSatisfy {
                    switch $0 {
                    case .circle: true
                    case .rectangle(let short, let long): short == long
                    case .ellipse, .tee: false
                    }
                }
                #expect(rule.before == nil || areSquare == true, name)
                #expect(rule.alongDepth ?? 0 <= rule.depth ?? 0, name)
                #expect(rule.homeBasin?.depth ?? .infinity >= rule.depth ?? 0, name)
                #expect(rule.square == nil || rule.measure == .size, name)
                #expect(rule.endBasin == nil || rule.encroach == 0, name)
                let stoodFor = rule.countsAs.map { id in set.rules.filter { $0.id == id } } ?? []
                #expect(rule.countsAs == nil || stoodFor.map(\.scope) == [.dwelling], name)
                #expect(rule.countsAs == nil || rule.scope == .dwelling, name)
                switch rule.measure {
                case .turningSpace, .floorSpace: #expect(rule.shapes?.isEmpty == false, name)
                case .passage: #expect(rule.to?.isEmpty == false && rule.atLeast != nil, name)
                case .swing, .threshold: break
                case .frontSpace: #expect(rule.atLeast != nil || rule.depth != nil, name)
                case .toiletZone:
                    #expect(rule.depth != nil, name)
                    #expect(rule.width != nil || rule.other != nil, name)
                case .sideSpace, .size: #expect(rule.atLeast != nil && rule.other != nil, name)
                case .centreLine: #expect(rule.atLeast != nil && rule.atMost != nil, name)
                default: #expect(rule.atLeast != nil, name)
                }
            }
        }
    }

    /// Reads the files again as plain trees; otherwise an unused key would go unnoticed.
    @Test(arguments: [
        PackageResources.ada_yaml, PackageResources.adm_yaml, PackageResources.adm2_yaml,
        PackageResources.din18040_yaml, PackageResources.fi_yaml, PackageResources.husbanken_yaml,
        PackageResources.tek10_yaml, PackageResources.tek17_yaml,
    ])
    func `a file has no unused keys`(bytes: [UInt8]) throws {
        let root = try #require(
            try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))?.mapping)
        let known = Set(RuleSet.CodingKeys.allCases.map(\.stringValue))
        #expect(Set(root.keys.compactMap(\.string)).subtracting(known) == [])
        let keys = Set(Rule.CodingKeys.allCases.map(\.stringValue))
        for rule in try #require(root["rules"]?.sequence) {
            let found = Set(try #require(rule.mapping).keys.compactMap(\.string))
            #expect(found.subtracting(keys) == [])
        }
        let terms: Set = ["knee-height", "swings", "under-depth", "over-shower"]
        let floor = try #require(root["floor"]?.mapping)
        #expect(Set(floor.keys.compactMap(\.string)).subtracting(terms) == [])
        guard let ramps = root["ramps"]?.mapping else { return }
        let ofRamps = Set(RampLimits.CodingKeys.allCases.map(\.stringValue))
        #expect(Set(ramps.keys.compactMap(\.string)) == ofRamps)
        let ofFlights = Set(RampLimits.Flight.CodingKeys.allCases.map(\.stringValue))
        for flight in try #require(ramps["flights"]?.sequence) {
            #expect(Set(try #require(flight.mapping).keys.compactMap(\.string)) == ofFlights)
        }
    }

    @Test func `ramps are gentler the longer they are, and as wide as a chair needs`() {
        let known = RuleBook.sets.compactMap(\.ramps) + [.usual]
        #expect(known.count == 6)
        for ramps in known {
            #expect(ramps.width >= 900 && !ramps.clause.isEmpty, "\(ramps)")
            for (short, long) in zip(ramps.flights, ramps.flights.dropFirst()) {
                #expect(short.oneIn < long.oneIn && short.upTo < long.upTo, "\(ramps)")
            }
            // No standard here lets a ramp be steeper than 1 in 12.
            #expect(ramps.flights.allSatisfy { $0.oneIn >= 12 }, "\(ramps)")
        }
    }

    @Test func `an unknown language is refused with a list of the known ones`() {
        #expect(
            throws: Refusal.invalid(
                "there are no texts in the language “de”; there are some in en, nb, sv"
            ).because(.languageUnknown, of: "de", ["known": "en, nb, sv"])
        ) { _ = try Words<FindingPhrase>.of("de") }
    }

    @Test func `a circle of 1143 mm fits in the ADA's T`() {
        #expect(abs(Shape.tee(1_525, 915).inscribedDiameter - 1_143.4) < 0.5)
    }
}
