/// The words that papers add to those of the lists, in the languages that are shipped. Any other
/// language has the English ones.
struct PaperWords: Sendable {
    var todoList = "To-do list"
    var areas = ["manager": "Manager", "kitchen": "Kitchen", "service": "Service"]
    var dayParts = ["", "Day shift", "Evening shift"]
    var nothingToDo = "Nothing to do."
    var emptyList = "No tasks."
    var version = "version"
    var ok = "ok"
    var done = "done"
    var notOk = "not ok"
    var notApplicable = "does not apply"
    var unchecked = "not looked at"
    var tasks = "tasks"
    var general = "GENERAL"
    var securityRound = "Security round"
    var contradiction = "Marks contradict each other: look again"
    var standingNote = "Note"
    var travelPaths = "Travel paths"
    var noTravelPaths = "No travel path was due."
    var outsideSchedule = "Besides"
    var slotStates = ["open": "open", "done": "done", "late": "late", "missed": "missed"]
    var found = "Found"
    var sales = "Sales report"
    var hour = "Hour"
    var salesPlanned = "Sales planned"
    var salesActual = "Sales actual"
    var crewPlanned = "Crew hours planned"
    var crewActual = "Crew hours actual"
    var travelPath = "Travel path"
    var total = "Total"
    var measurement = "Measurement"
    var value = "Value"
    /// Between whole numbers and their fractions.
    var decimal = "."

    /// The words of a language.
    static func of(_ language: String) -> PaperWords {
        switch language {
        case "nb", "no", "nn": norwegian
        case "sv": swedish
        default: PaperWords()
        }
    }

    private static let norwegian = PaperWords(
        todoList: "Gjøremål",
        areas: ["manager": "Leder", "kitchen": "Kjøkken", "service": "Servering"],
        dayParts: ["", "Dagskift", "Kveldsskift"], nothingToDo: "Ingenting å gjøre.",
        emptyList: "Ingen oppgaver.", version: "versjon", ok: "ok", done: "gjort", notOk: "ikke ok",
        notApplicable: "ikke aktuelt", unchecked: "ikke sett på", tasks: "oppgaver",
        general: "GENERELT", securityRound: "Sikkerhetsrunde",
        contradiction: "Markeringene motsier hverandre: se etter igjen",
        standingNote: "Merk", travelPaths: "Runder",
        noTravelPaths: "Ingen runde skulle gås.", outsideSchedule: "Utenom",
        slotStates: ["open": "åpen", "done": "gått", "late": "for sent", "missed": "ikke gått"],
        found: "Funnet", sales: "Salgsrapport", hour: "Time", salesPlanned: "Salg planlagt",
        salesActual: "Salg faktisk", crewPlanned: "Arbeidstimer planlagt",
        crewActual: "Arbeidstimer faktisk", travelPath: "Runde", total: "Sum",
        measurement: "Måling", value: "Verdi", decimal: ",")

    private static let swedish = PaperWords(
        todoList: "Att göra",
        areas: ["manager": "Ledare", "kitchen": "Kök", "service": "Servering"],
        dayParts: ["", "Dagpass", "Kvällspass"], nothingToDo: "Inget att göra.",
        emptyList: "Inga uppgifter.", version: "version", ok: "ok", done: "klart", notOk: "inte ok",
        notApplicable: "ej aktuellt", unchecked: "inte kontrollerat", tasks: "uppgifter",
        general: "GENERELLT", securityRound: "Säkerhetsrond",
        contradiction: "Markeringarna motsäger varandra: titta igen",
        standingNote: "Obs", travelPaths: "Rundor",
        noTravelPaths: "Ingen runda skulle gås.", outsideSchedule: "Därutöver",
        slotStates: ["open": "öppen", "done": "gången", "late": "för sent", "missed": "utebliven"],
        found: "Hittat", sales: "Försäljningsrapport", hour: "Timme",
        salesPlanned: "Försäljning planerad", salesActual: "Försäljning utfall",
        crewPlanned: "Arbetstimmar planerade", crewActual: "Arbetstimmar utfall",
        travelPath: "Runda", total: "Summa", measurement: "Mätning", value: "Värde",
        decimal: ",")
}
