import Messages

/// The words of drawings and reports in the languages that are shipped. Any other language has the
/// English ones.
struct DrawingWords: Sendable {
    var kinds: [ElementKind: String] = [
        .bed: "Bed", .toilet: "Toilet", .washbasin: "Washbasin", .shower: "Shower",
        .bath: "Bath", .kitchenBench: "Kitchen bench", .table: "Table", .seat: "Seat",
        .cupboard: "Cupboard", .appliance: "Appliance", .wheelchair: "Wheelchair", .aid: "Aid",
        .structure: "Structure", .stairs: "Stairs", .unspecified: "Element",
    ]
    var uses: [RoomUse: String] = [
        .living: "Living room", .bedroom: "Bedroom", .kitchen: "Kitchen",
        .bathroom: "Bathroom", .toilet: "Toilet", .hall: "Hall", .storage: "Storage",
        .laundry: "Laundry", .balcony: "Balcony",
    ]
    var room = "Room"
    var entrance = "Entrance"
    var north = "N"
    var client = "Client"
    var author = "Drawn by"
    var scale = "Scale"
    var fitted = "not to a standard scale"
    var date = "Date"
    var revision = "Revision"
    var measuresIn = "Measures in"
    var tolerance = "may be off by"
    var fails = "not met"
    var chairFails = "met, but the chair doesn’t fit"
    var undecided = "uncertain or not measured"
    var reached = "the chair gets there"
    var notReached = "the chair doesn’t get there"
    var perhapsReached = "uncertain whether it gets there"
    var tightDoor = "door too narrow"
    var route = "way of the chair"
    var freeWidth = "free width of a door, ~ not measured"
    var turningCircle = "turning circle"
    var door = "door"
    var window = "window"
    var passage = "passage"
    /// Between whole numbers and their fractions.
    var decimal = "."
    var report = ReportWords()

    /// The words of a language.
    static func of(_ language: String) -> DrawingWords {
        switch language {
        case "nb", "no", "nn": norwegian
        case "sv": swedish
        default: DrawingWords()
        }
    }

    /// A number with some decimals.
    func number(_ value: Double, decimals: Int) -> String {
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 1e15 else { return "∞" }
        let digits = String(Int(scaled))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard decimals > 0 else { return sign + padded }
        return sign + padded.dropLast(decimals) + decimal + padded.suffix(decimals)
    }

    /// A length of the plan without its unit: whole centimetres or millimetres.
    func length(_ millimetres: Double, _ unit: PictureOptions.Unit) -> String {
        number(unit == .centimetres ? millimetres / 10 : millimetres, decimals: 0)
    }

    /// A length that something is compared with: not rounded, as half a centimetre may decide.
    func exact(_ millimetres: UInt32, _ unit: PictureOptions.Unit) -> String {
        unit == .centimetres && millimetres % 10 != 0
            ? number(Double(millimetres) / 10, decimals: 1) : length(Double(millimetres), unit)
    }

    func area(_ squareMetres: Double) -> String { "\(number(squareMetres, decimals: 1)) m²" }

    private static let norwegian = DrawingWords(
        kinds: [
            .bed: "Seng", .toilet: "Toalett", .washbasin: "Servant", .shower: "Dusj",
            .bath: "Badekar", .kitchenBench: "Kjøkkenbenk", .table: "Bord", .seat: "Stol",
            .cupboard: "Skap", .appliance: "Hvitevare", .wheelchair: "Rullestol",
            .aid: "Hjelpemiddel", .structure: "Bygningsdel", .stairs: "Trapp",
            .unspecified: "Element",
        ],
        uses: [
            .living: "Stue", .bedroom: "Soverom", .kitchen: "Kjøkken", .bathroom: "Bad",
            .toilet: "Toalett", .hall: "Gang", .storage: "Bod", .laundry: "Vaskerom",
            .balcony: "Balkong",
        ],
        room: "Rom", entrance: "Inngang", client: "Bruker", author: "Tegnet av",
        scale: "Målestokk", fitted: "ikke i standardmålestokk", date: "Dato",
        revision: "Revisjon", measuresIn: "Mål i", tolerance: "måleusikkerhet",
        fails: "ikke oppfylt", chairFails: "oppfylt, men rullestolen passer ikke",
        undecided: "usikkert eller ikke målt",
        reached: "rullestolen kommer hit", notReached: "rullestolen kommer ikke hit",
        perhapsReached: "usikkert om den kommer hit", tightDoor: "for smal dør",
        route: "rullestolens vei", freeWidth: "fri bredde i dør, ~ ikke målt",
        turningCircle: "snusirkel", door: "dør", window: "vindu", passage: "åpning", decimal: ",",
        report: .norwegian)

    private static let swedish = DrawingWords(
        kinds: [
            .bed: "Säng", .toilet: "Toalettstol", .washbasin: "Tvättställ", .shower: "Dusch",
            .bath: "Badkar", .kitchenBench: "Köksbänk", .table: "Bord", .seat: "Stol",
            .cupboard: "Skåp", .appliance: "Vitvara", .wheelchair: "Rullstol",
            .aid: "Hjälpmedel", .structure: "Byggnadsdel", .stairs: "Trappa",
            .unspecified: "Element",
        ],
        uses: [
            .living: "Vardagsrum", .bedroom: "Sovrum", .kitchen: "Kök", .bathroom: "Badrum",
            .toilet: "Toalett", .hall: "Hall", .storage: "Förråd", .laundry: "Tvättstuga",
            .balcony: "Balkong",
        ],
        room: "Rum", entrance: "Entré", client: "Brukare", author: "Ritad av",
        scale: "Skala", fitted: "inte i standardskala", date: "Datum", revision: "Revision",
        measuresIn: "Mått i", tolerance: "mätosäkerhet", fails: "inte uppfyllt",
        chairFails: "uppfyllt, men rullstolen passar inte", undecided: "osäkert eller inte mätt",
        reached: "rullstolen kommer hit",
        notReached: "rullstolen kommer inte hit",
        perhapsReached: "osäkert om den kommer hit", tightDoor: "för smal dörr",
        route: "rullstolens väg", freeWidth: "fritt passagemått i dörr, ~ inte mätt",
        turningCircle: "vändcirkel", door: "dörr", window: "fönster", passage: "öppning",
        decimal: ",", report: .swedish)
}
