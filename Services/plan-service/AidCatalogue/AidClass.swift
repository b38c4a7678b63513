import Messages

/// A class of ISO 9999: what its products are in a plan, and the size to assume for one if its
/// catalogue has none.
struct AidClass {
    /// The beginning of the class's code: 4 to 8 digits.
    let code: String
    /// One of its products in a sentence, with its article.
    let words: String
    /// The Norwegian name of its products, for searches.
    let norwegian: String
    /// The kind of element in a plan.
    let kind: ElementKind
    /// The largest usual width, in millimetres; nil if unknown.
    var width: UInt32?
    /// The largest usual size from front to rear, in millimetres; nil if unknown.
    var depth: UInt32?
    /// The additional space that it needs, in millimetres.
    var clearance: UInt32?
    /// How much wider it is than its seat, in millimetres; nil if unknown.
    var besidesSeat: UInt32?
    /// True if it doesn't stand on the floor, or has no size of its own.
    var hasNoFootprint = false

    /// The most specific class of a code; nil if unknown.
    static func of(_ code: String) -> AidClass? {
        (4...8).reversed().lazy.compactMap { byCode[String(code.prefix($0))] }.first
    }

    /// The words for finding products of the class: its name in Norwegian and English.
    fileprivate var searchWords: String { "\(norwegian) \(words)" }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }

    private static let all = chairs + walking + hoists + beds + hygiene + stairs + parts

    /// Chairs. 700 x 1,200 mm is the chair that Norwegian housing is planned for (veiviseren.no,
    /// dimensjoneringsgrunnlag, rullestol); a reclining one is 1,260 mm long (medex.odoo.com,
    /// JL-954GC); powered ones are 584 to 737 mm wide (youhacare.com, how wide is an electric
    /// wheelchair); a scooter is 650 x 1,550 mm (Blimo Gatsby X). With a seat of 400, 450 and 500
    /// mm a G-Logic is 620, 670 and 720 mm wide: 220 mm more (its specification sheet).
    private static let chairs = [
        AidClass(
            code: "1222", words: "a manual wheelchair", norwegian: "manuell rullestol",
            kind: .wheelchair, width: 700,
            depth: 1_200, besidesSeat: 220),
        AidClass(
            code: "12220303", words: "a reclining wheelchair",
            norwegian: "manuell rullestol komfort", kind: .wheelchair, width: 700,
            depth: 1_260, besidesSeat: 220),
        AidClass(
            code: "1223", words: "a powered wheelchair", norwegian: "elektrisk rullestol",
            kind: .wheelchair, width: 737,
            depth: 1_200),
        AidClass(
            code: "122303", words: "a scooter", norwegian: "elektrisk rullestol scooter",
            kind: .wheelchair, width: 650,
            depth: 1_550),
    ]

    /// A rollator is 616 x 587 mm (sheet v4205ae of its maker).
    private static let walking = [
        AidClass(
            code: "1206", words: "a rollator", norwegian: "rullator", kind: .aid, width: 616,
            depth: 587)
    ]

    /// A mobile hoist is 457 to 1,067 mm wide, legs closed and open, and up to 1,397 mm long
    /// (electrictransferchair.com, sling lifts). A ceiling hoist doesn't stand on the floor.
    private static let hoists = [
        AidClass(
            code: "1236", words: "a mobile hoist", norwegian: "personløfter", kind: .aid,
            width: 1_067,
            depth: 1_397),
        AidClass(
            code: "123612", words: "a wall or ceiling hoist", norwegian: "personløfter tak vegg",
            kind: .aid, hasNoFootprint: true),
        AidClass(
            code: "123615", words: "a hoist for another product", norwegian: "personløfter",
            kind: .aid, hasNoFootprint: true),
        AidClass(
            code: "123621", words: "a sling", norwegian: "seil til personløfter", kind: .aid,
            hasNoFootprint: true),
    ]

    /// A bed is 1,020 mm wide (H100, specification sheet) and 2,200 mm long (veiviseren.no,
    /// sjekkliste for viktigste dimensjoner).
    private static let beds = ["181204", "181207", "181210"].map { code in
        AidClass(
            code: code, words: "a bed", norwegian: "seng", kind: .bed, width: 1_020, depth: 2_200)
    }

    /// A commode chair is 521 x 864 mm (9947USB, with footrests); shower chairs are assumed to be
    /// alike.
    private static let hygiene = [
        AidClass(
            code: "091203", words: "a commode chair", norwegian: "toalettstol dusjstol", kind: .aid,
            width: 521,
            depth: 864),
        AidClass(code: "091206", words: "a toilet", norwegian: "toalett", kind: .toilet),
        AidClass(
            code: "093307", words: "a shower chair", norwegian: "dusjstol", kind: .aid, width: 521,
            depth: 864),
        AidClass(code: "093309", words: "a shower", norwegian: "dusj", kind: .shower),
        AidClass(code: "093315", words: "a washbasin", norwegian: "servant vask", kind: .washbasin),
        AidClass(code: "093321", words: "a bath tub", norwegian: "badekar", kind: .bath),
        AidClass(
            code: "0912", words: "a toilet aid", norwegian: "toalett hjelpemiddel", kind: .aid),
        AidClass(code: "0933", words: "a bathroom aid", norwegian: "bad hjelpemiddel", kind: .aid),
    ]

    /// A stairlift reaches 344 mm from the wall folded and 659 mm open, and wants a stair of 750 mm
    /// (blog.stannah.com, stairlift dimensions); no source gives its width, so it is assumed to be
    /// as wide as it is deep. A lifting platform is 1,100 x 1,400 mm (husbanken.no, heis). A ramp
    /// is at least 900 mm wide (TEK17 § 12-16); its length follows from the height that it climbs.
    private static let stairs = [
        AidClass(
            code: "183010", words: "a stairlift", norwegian: "trappeheis", kind: .aid, width: 659,
            depth: 659,
            clearance: 750),
        AidClass(
            code: "183005", words: "a lifting platform", norwegian: "løfteplattform", kind: .aid,
            width: 1_100,
            depth: 1_400),
        AidClass(
            code: "183015", words: "a ramp", norwegian: "rampe kjøreskinne", kind: .aid,
            width: 900),
        AidClass(
            code: "18301505", words: "a threshold ramp", norwegian: "terskeleliminator rampe",
            kind: .aid),
        AidClass(code: "183018", words: "a fixed ramp", norwegian: "rampe", kind: .aid, width: 900),
        AidClass(code: "1830", words: "a stair aid", norwegian: "trapp hjelpemiddel", kind: .aid),
    ]

    private static let parts = [
        AidClass(
            code: "1224", words: "a part of a wheelchair", norwegian: "rullestol del", kind: .aid,
            hasNoFootprint: true),
        AidClass(code: "1803", words: "a table", norwegian: "bord", kind: .table),
        AidClass(code: "1809", words: "a seat", norwegian: "stol", kind: .seat),
    ]
}

extension Product {
    /// The name of its class in Norwegian and English; empty for an unknown class.
    package var classWords: String { AidClass.of(isoCode)?.searchWords ?? "" }
}
