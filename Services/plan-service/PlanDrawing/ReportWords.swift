/// The words that a report adds to those of the drawing.
struct ReportWords: Sendable {
    var title = "Accessibility report"
    var revision = "revision"
    var found = "Requirements met"
    var notForChair = "where the chair doesn’t fit all the same"
    var failed = "Not met"
    var undecided = "Uncertain or not measured"
    var verdicts = "The clause and this person’s chair"
    var number = "No."
    var place = "Place"
    var clause = "Clause"
    var clauseSays = "What the clause says"
    var chairSays = "This person’s chair"
    var pass = "met"
    var fail = "not met"
    var uncertain = "uncertain"
    var unknown = "not measured"
    var fits = "fits"
    var fitsNot = "doesn’t fit"
    var noChair = "not looked at"
    var findings = "Findings"
    var required = "required"
    var measured = "measured"
    var margin = "to spare"
    var missing = "missing"
    var tooMuch = "too much"
    var off = "may be off by"
    var repair = "Remedy"
    var advisory = "not binding here"
    var source = "Source"
    var aids = "Assistive products placed"
    var articleNumber = "Number"
    var name = "Name"
    var maker = "Maker"
    var isoCode = "ISO 9999"
    var size = "Size (cm)"
    var guessed = "guessed"
    var rooms = "Where the chair gets to"
    var chair = "The chair is"
    var wide = "wide and"
    var long = "long"
    var roomName = "Room"
    var getsIn = "Gets in"
    var turns = "Turns round"
    var hindered = "What is in the way"
    var yes = "yes"
    var no = "no"
    var narrow = "Doors that are too narrow"
    var freeWidth = "Free width (~ not measured)"
    var lacking = "Missing"
    var standards = "Standards used"
    var standard = "Standard"
    var edition = "Edition"
    var notChecked = "What was not checked"
    var notCheckedText =
        "Only what is drawn was checked: measures in plan, and the heights that were "
        + "given. Slopes, light, colour contrasts, surfaces, handles, grab bars, fire "
        + "safety and the load that walls and ceilings bear were not."
    var withoutUse = "Nor were these rooms by what they are used for, because it isn’t said:"
    var withoutStandard = "No standard was checked."
    var withoutChair =
        "No chair was looked at: none is chosen in the plan, or no entrance is marked."
    var disclaimer = "Please note"
    var disclaimerText =
        "The report helps an expert to decide and doesn’t replace the decision. The "
        + "clause as it is published is what counts. Measures may be off by as much as "
        + "is said; measure again on site before something is built or ordered."
    var moreFindings = "more findings are not listed here."

    static let norwegian = ReportWords(
        title: "Tilgjengelighetsrapport",
        revision: "revisjon", found: "Oppfylte krav",
        notForChair: "der rullestolen likevel ikke passer",
        failed: "Ikke oppfylt", undecided: "Usikkert eller ikke målt",
        verdicts: "Kravet og brukerens egen rullestol",
        number: "Nr.", place: "Sted", clause: "Bestemmelse", clauseSays: "Etter bestemmelsen",
        chairSays: "Brukerens rullestol", pass: "oppfylt", fail: "ikke oppfylt",
        uncertain: "usikkert", unknown: "ikke målt", fits: "passer",
        fitsNot: "passer ikke", noChair: "ikke vurdert", findings: "Funn",
        required: "krav", measured: "målt", margin: "å gå på", missing: "mangler",
        tooMuch: "for mye", off: "måleusikkerhet", repair: "Tiltak",
        advisory: "ikke bindende her", source: "Kilde", aids: "Plasserte hjelpemidler",
        articleNumber: "Nummer", name: "Navn", maker: "Leverandør", isoCode: "ISO 9999",
        size: "Mål (cm)", guessed: "anslått", rooms: "Hvor rullestolen kommer fram",
        chair: "Rullestolen er", wide: "bred og", long: "lang", roomName: "Rom",
        getsIn: "Kommer inn", turns: "Kan snu", hindered: "Hindring", yes: "ja", no: "nei",
        narrow: "For smale dører", freeWidth: "Fri bredde (~ ikke målt)", lacking: "Mangler",
        standards: "Kravgrunnlag",
        standard: "Standard", edition: "Utgave", notChecked: "Ikke kontrollert",
        notCheckedText: "Bare det som er tegnet, er kontrollert: mål i plan, og høydene som er "
            + "oppgitt. Stigning, belysning, kontraster, overflater, dørhåndtak, støttehåndtak, "
            + "brannsikkerhet og bæreevne i vegger og tak er ikke kontrollert.",
        withoutUse: "Disse rommene er heller ikke kontrollert mot kravene til romtypen, fordi den "
            + "ikke er oppgitt:",
        withoutStandard: "Ingen standard er kontrollert.",
        withoutChair: "Ingen rullestol er vurdert: ingen er valgt i planen, eller ingen inngang "
            + "er merket.",
        disclaimer: "Merk",
        disclaimerText: "Rapporten er en støtte for fagpersonen og erstatter ikke en faglig "
            + "vurdering. Det er den kunngjorte bestemmelsen som gjelder. Målene kan avvike så mye "
            + "som oppgitt; mål på nytt på stedet før noe bygges eller bestilles.",
        moreFindings: "funn til er ikke tatt med her.")

    static let swedish = ReportWords(
        title: "Tillgänglighetsrapport",
        revision: "revision", found: "Uppfyllda krav",
        notForChair: "där rullstolen ändå inte passar",
        failed: "Inte uppfyllda", undecided: "Osäkert eller inte mätt",
        verdicts: "Kravet och brukarens egen rullstol",
        number: "Nr", place: "Plats", clause: "Bestämmelse", clauseSays: "Enligt bestämmelsen",
        chairSays: "Brukarens rullstol", pass: "uppfyllt", fail: "inte uppfyllt",
        uncertain: "osäkert", unknown: "inte mätt", fits: "passar",
        fitsNot: "passar inte", noChair: "inte bedömt", findings: "Iakttagelser",
        required: "krav", measured: "uppmätt", margin: "till godo", missing: "saknas",
        tooMuch: "för mycket", off: "mätosäkerhet", repair: "Åtgärd",
        advisory: "inte bindande här", source: "Källa", aids: "Utplacerade hjälpmedel",
        articleNumber: "Nummer", name: "Namn", maker: "Leverantör", isoCode: "ISO 9999",
        size: "Mått (cm)", guessed: "uppskattat", rooms: "Dit rullstolen kommer fram",
        chair: "Rullstolen är", wide: "bred och", long: "lång", roomName: "Rum",
        getsIn: "Kommer in", turns: "Kan vända", hindered: "Hinder", yes: "ja", no: "nej",
        narrow: "För smala dörrar", freeWidth: "Fritt passagemått (~ inte mätt)", lacking: "Saknas",
        standards: "Kravunderlag",
        standard: "Standard", edition: "Utgåva", notChecked: "Inte kontrollerat",
        notCheckedText: "Bara det som är ritat har kontrollerats: mått i plan, och de höjder som "
            + "angetts. Lutning, belysning, kontraster, ytskikt, dörrhandtag, stödhandtag, "
            + "brandsäkerhet och bärförmåga i väggar och tak har inte kontrollerats.",
        withoutUse: "Dessa rum har inte heller kontrollerats mot kraven på rumstypen, eftersom den "
            + "inte är angiven:",
        withoutStandard: "Ingen standard har kontrollerats.",
        withoutChair: "Ingen rullstol har bedömts: ingen är vald i planen, eller ingen entré är "
            + "markerad.",
        disclaimer: "Observera",
        disclaimerText: "Rapporten är ett stöd för den sakkunniga och ersätter inte en "
            + "professionell bedömning. Det är den kungjorda bestämmelsen som gäller. Måtten kan "
            + "avvika så mycket som angetts; mät på plats igen innan något byggs eller beställs.",
        moreFindings: "iakttagelser till har inte tagits med här.")
}
