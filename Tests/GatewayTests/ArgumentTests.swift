import ArgumentParser
import Foundation
import Messages
import Phrases
import Speech
import Testing

@testable import Gateway

@Suite struct ArgumentTests {
    @Test(
        arguments: [
            ("3m", 180_000), ("90s", 90_000), ("1h30m", 5_400_000), ("500ms", 500),
            ("2 min", 120_000), ("1d", 86_400_000), ("3m20s", 200_000), ("0s", 0),
        ] as [(String, Int64)])
    func `a duration is a number and its unit`(_ text: String, _ milliseconds: Int64) {
        #expect(DurationArgument(argument: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: ["", "3", "m", "-3m", "3x", "3m4", "1.5h", "99999999h", "٣m"])
    func `anything else isn't a duration`(_ text: String) {
        #expect(DurationArgument(argument: text) == nil)
    }

    @Test func `parts of issues with the same number in two projects are two groups`() {
        func names(_ projects: String...) -> [String] {
            projects.map { project in
                GroupArgument.parent.name(
                    of: ListedIssue(issue: TrackedIssue(parent: 1), project: project),
                    isMixed: Set(projects).count > 1)
            }
        }
        #expect(names("house", "shed") == ["parts of house #1", "parts of shed #1"])
        #expect(names("house", "house") == ["parts of #1", "parts of #1"])
    }

    @Test func `shifts of every site aren't those of one`() throws {
        let both = ["--every-site", "--site", "Pier"]
        let find = try #require(throws: (any Error).self) { try ArchiveCommand.Find.parse(both) }
        let count = try #require(throws: (any Error).self) { try StatisticsCommand.parse(both) }
        let said = "--every-site and --site can't be used together"
        #expect(ArchiveCommand.Find.message(for: find) == said)
        #expect(StatisticsCommand.message(for: count) == said)
    }

    @Test func `weekdays may go on after Sunday`() {
        for (text, days) in [
            ("mon-fri", [1, 2, 3, 4, 5]), ("fri-mon", [1, 5, 6, 7]), ("sun-mon,wed", [1, 3, 7]),
        ] as [(String, [UInt32])] {
            #expect(WeekdaysArgument(argument: text)?.days == days)
        }
        #expect(WeekdaysArgument(argument: "fri-") == nil)
    }

    @Test(
        arguments: [
            ("2027-05-17", nil, ""), ("2027-05-17 Seventeenth", nil, "Seventeenth"),
            ("2027-05-17 2027-05-18", "2027-05-18", ""),
            ("2027-05-17 2027-05-18 Days", "2027-05-18", "Days"),
        ] as [(String, String?, String)])
    func `a holiday of one day has a name, too`(
        _ line: String, _ until: String?, _ name: String
    ) throws {
        let holiday = try DayCommand.Holiday.parse(line.split(separator: " ").map(String.init))
        #expect(holiday.from.text == "2027-05-17")
        #expect(holiday.until == until && holiday.name == name)
    }

    @Test(
        arguments: [
            "tomorrow", "2027-05-17 2027-5-18", "2027-05-17 2027-02-30", "2027-05-17 18.5.2027",
            "2027-05-17 18/05/2027", "2027-05-17 20270518", "2027-05-17 Tomorrow",
            "2027-05-17 Seventeenth of May",
        ])
    func `what isn't a date is no date of a holiday`(_ line: String) {
        #expect(throws: (any Error).self) {
            try DayCommand.Holiday.parse(line.split(separator: " ", maxSplits: 2).map(String.init))
        }
    }

    @Test(arguments: ["teeth", "TENNENE", "tänderna"])
    func `actions are found by their names in any language`(_ text: String) {
        let own = [RoutineAction(name: "Feed the turtle", minutes: 5)]
        let found = ActionCommand.List.found(text, area: nil, own: own, in: .norwegian)
        #expect(found.contains { $0.name == "Pusse tennene" && $0.area == "hygiene" })
        #expect(!found.contains { $0.area == "own" })
        #expect(ActionCommand.List.found("turtle", area: "Own", own: own, in: .swedish).count == 1)
        #expect(ActionCommand.List.found(text, area: "pets", own: own, in: .english).isEmpty)
    }

    @Test func `an unknown area of actions is refused with those that there are`() throws {
        _ = try ActionCommand.List.parse(["--area", "Hygiene"])
        let error = try #require(throws: (any Error).self) {
            try ActionCommand.List.parse(["--area", "turtles"])
        }
        let said = ActionCommand.List.message(for: error)
        #expect(said.hasPrefix("there is no area “turtles”; there are "))
        #expect(said.contains("hygiene") && said.hasSuffix(" and own"))
    }

    @Test(
        arguments: [
            ("issue create Paint --done", "--done"), ("issue change 1 --done", "--done"),
            ("project person add Kari --share", "--share"),
            ("project person change Kari --share", "--share"),
        ])
    func `nothing is more than 100 percent`(_ line: String, _ option: String) throws {
        let words = line.split(separator: " ").map(String.init)
        _ = try Steward.parseAsRoot(words + ["100"])

        let error = try #require(throws: (any Error).self) {
            try Steward.parseAsRoot(words + ["101"])
        }

        #expect(Steward.message(for: error) == "\(option) is 0 to 100 percent")
    }

    @Test func `an action of a routine takes a minute or more, but no number without end`() {
        #expect(
            ActionArgument(argument: "Eat lunch:25:5")?.action
                == RoutineAction(name: "Eat lunch", minutes: 25, priority: 5))
        #expect(ActionArgument(argument: "Eat lunch")?.action.minutes == 0)
        #expect(ActionArgument(argument: "Eat lunch:0") == nil)
        #expect(ActionArgument(argument: "Dance:99999")?.action.minutes == 99_999)
        #expect(ActionArgument(argument: "Dance:99999999999") == nil)
        #expect(ActionArgument(argument: "Dance:99999999999:5") == nil)
    }

    @Test func `a standard may be typed in capitals`() throws {
        let command = try Steward.parseAsRoot(["plan", "check", "--standard", "TEK17"])

        #expect((command as? PlanCommand.Check)?.standards == ["tek17"])
    }

    @Test func `a position is degrees north and east`() throws {
        let place = try #require(PlaceArgument(argument: "54.859676, -0.243893"))

        #expect(place.coordinate == Coordinate(latitudeE7: 548_596_760, longitudeE7: -2_438_930))
    }

    @Test(arguments: ["", "54.8", "54.8,", "91,0", "0,181", "nan,0", "a,b", "1,2,3", "inf,0"])
    func `a position must be on earth`(_ text: String) {
        #expect(PlaceArgument(argument: text) == nil)
    }

    @Test func `an identifier and the id of a task are made from words with any letters`() {
        let made = ProjectCommand.Create.identifier(of: "2. Nytt kjøkken, Łódź")
        #expect(made == "nytt-kjokken-lodz")
        let template = ChecklistTemplate(
            sections: [ChecklistSection(id: "kjolerom", tasks: [ChecklistTask(id: "ror")])])
        #expect(template.freeID("Kjølerom") == "kjolerom-2")
        #expect(template.freeID("Rør") == "ror-2" && template.freeID("日本") == "task")
    }

    @Test func `a kilometre is a kilometre in both directions`() {
        let here = Coordinate(latitude: 54.85, longitude: -0.24)
        let north = Coordinate(latitude: 54.85 + 1 / 111.321, longitude: -0.24)
        let east = Coordinate(latitude: 54.85, longitude: -0.24 + 1 / 64.233)

        #expect(abs(here.metres(to: north) - 1000) < 2)
        #expect(abs(here.metres(to: east) - 1000) < 2)
        #expect(here.metres(to: here) == 0)
    }

    @Test func `two places on both sides of the date line are near each other`() {
        let west = Coordinate(latitude: -17, longitude: 179.99)
        let east = Coordinate(latitude: -17, longitude: -179.99)

        #expect(abs(west.metres(to: east) - 2_127) < 5)
        #expect(abs(east.metres(to: west) - 2_127) < 5)
    }

    @Test(
        arguments: [
            ("/srv/feeds/rnv.zip", "rnv"), ("harbour-line", "harbour-line"),
            ("/a/harbour-line/", "harbour-line"),
            ("Zürich Süd (2).ZIP", "zurich-sud-2"), ("town.gtfs.zip", "town"), ("/", nil),
            ("Tromsø.zip", "tromso"), ("RNV_2026.zip", "RNV_2026"),
            ("駅.zip", nil), (String(repeating: "a", count: 60), String(repeating: "a", count: 40)),
            (String(repeating: "a", count: 39) + " b", String(repeating: "a", count: 39)),
        ] as [(String, String?)])
    func `a feed is named after its file`(_ path: String, _ name: String?) {
        #expect(FeedName(fileAt: path)?.text == name)
    }

    @Test(arguments: ["", "a b", "a/b", "ü", String(repeating: "a", count: 41), "a.zip"])
    func `a feed's name has letters, digits, hyphens and underscores`(_ text: String) {
        #expect(FeedName(argument: text) == nil)
    }

    @Test func `a ride is described by its options`() throws {
        let command = try Steward.parseAsRoot([
            "transit", "ride", "ride.gpx", "--to", "General Hospital", "--notice", "5m",
            "--speed", "60", "--no-finish",
        ])

        let ride = try #require(command as? RideCommand)
        #expect(ride.options.to == "General Hospital")
        #expect(ride.options.notice?.milliseconds == 300_000)
        #expect(ride.speed == 60)
        #expect(ride.noFinish)
        #expect(!ride.getOff)
    }

    @Test(arguments: [
        ["transit", "ride"], ["transit", "ride", "r.csv", "--to", "x", "--speed", "0"],
        ["transit", "stops", "x", "--near", "here"], ["alerts", "ack", "abc"], ["alerts", "ack"],
        ["alerts", "watch", "--count", "0"], ["alerts", "watch", "--for", "soon"],
        ["alerts", "watch", "--desktop-from", "info"],
        ["dead-letters", "retry", "1", "--service", "nobody"],
        ["transit", "finish", "x", "--id", "1"],
        ["frobnicate"],
    ])
    func `a wrong command line is a usage error`(_ arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) {
            _ = try Steward.parseAsRoot(arguments)
        }

        #expect(Failure(error) == nil)
        #expect(Steward.exitCode(for: error).rawValue == Ending.usage.rawValue)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `every shell gets completions`(_ shell: String) throws {
        let error = try #require(throws: (any Error).self) {
            _ = try Steward.parseAsRoot(["--generate-completion-script", shell])
        }

        let script = Steward.fullMessage(for: error)
        #expect(Steward.exitCode(for: error) == .success)
        #expect(script.contains("dead-letters"))
        #expect(script.contains("steward"))
    }

    @Test func `what bash offers for a name is that name, and nothing in it runs`() throws {
        let names = [
            "Home", "Ho$(echo ho)", "Ho`echo ho`", "Kari's", "Ho me", "${HOME}", "Ho*", "Ho;ho|ho&",
            "~root", #"a\"b""#, "{a,b}#!x",
        ]
        let bash = Process()
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = [
            "--norc", "-c",
            #"""
            . /dev/stdin
            compopt() { :; }
            # What bash would enter, between the quotes that were begun, read as a command line.
            offer() { local cur=$2 COMP_WORDS=("$1$2") COMP_CWORD=0 one; COMPREPLY=()
                __steward_add_completions -W "$names"
                for one in "${COMPREPLY[@]}"; do eval "printf '%s\n' $1$one$1"; done; echo -; }
            offer '' Ho; offer '' Kari\\\'s; offer '"' 'Ho '; offer "'" "Kari'"; offer "'" ''
            offer '"' ''; offer '' ''; offer '' "'Kari'"; names='' offer '' ''
            """#,
        ]
        bash.environment = ["names": names.joined(separator: "\n")]
        let (script, output) = (Pipe(), Pipe())
        (bash.standardInput, bash.standardOutput) = (script, output)
        try bash.run()
        try script.fileHandleForWriting.write(
            contentsOf: Data(CompletionScript.text(for: .bash).utf8))
        try script.fileHandleForWriting.close()
        let offered = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        bash.waitUntilExit()

        let wanted = [
            names.filter { $0.hasPrefix("Ho") }, ["Kari's"], ["Ho me"], ["Kari's"], names,
            // Between double quotes, ! would stand for a former command.
            names.filter { !$0.contains("!") }, names, ["Kari's"], [],
        ]
        #expect(
            offered.split(separator: "\n").map { String($0) }
                == wanted.flatMap { $0 + ["-"] })
    }

    @Test func `the help lists today beside the other commands about a day`() throws {
        let help = Steward.helpMessage(columns: 80)
        let places = try ["catalogue", "today", "day", "routine", "project"].map {
            try #require(help.firstRange(of: "\n  \($0) "), "\($0)").lowerBound
        }
        #expect(places == places.sorted())
    }

    @Test func `the help names every noun and how to get completions`() {
        let help = Steward.helpMessage(columns: 80)

        for noun in [
            "up", "status", "alerts", "transit", "login", "logout", "whoami", "sessions",
            "account", "user",
            "role", "organisation", "site", "dead-letters", "jobs", "version",
        ] {
            #expect(help.contains("  \(noun) "))
        }
        #expect(help.contains("--generate-completion-script bash|zsh|fish"))
        #expect(help.contains("75 no answer"))
    }
}
