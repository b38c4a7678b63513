// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
    // A release keeps of each module what its program needs: nothing else is linked to it later.
    .unsafeFlags(
        ["-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections"],
        .when(configuration: .release)),
]
/// Of libraries that only compute: fast in a debug build too, with all checks and assertions.
let fast =
    settings + [
        .unsafeFlags(
            ["-O", "-assert-config", "Debug", "-wmo", "-num-threads", "2", "-disable-batch-mode"],
            .when(configuration: .debug))
    ]
/// How the programs of a release are linked: docs/decisions/0040-programs-start-lean.md.
let linked: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xlinker", "--no-export-dynamic",
        ], .when(configuration: .release))
]
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let parser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"]
    .map { .product(name: $0, package: "swift-nio") }
/// Libraries that only compute: docs/decisions/0072-tests-keep-the-processors-busy.md.
let computing: Set = [
    "AccessRules", "Bisection", "Calendars", "DayPlan", "DayTrials", "FloorPlan", "GanttChart",
    "JSONText", "Markup", "MeetingTimes", "Papers", "Pictures", "PlanDrawing", "PlanFiles",
    "ProjectFiles", "ProjectInstances", "ProjectNetwork", "ProjectRecord", "RedmineMirror",
    "RideEvaluation", "RideTracking", "Scheduling", "ShiftLog", "Texts", "TransitFeed",
    "WorkCalendar", "XMLText",
]

/// The tests of what has that name, in `Tests/<name>Tests`.
func tests(
    of name: String, _ dependencies: [Target.Dependency], except files: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies + ["TestThreads"], exclude: files,
        swiftSettings: settings)
}

/// A library, in the folder of its name, that can import only what is named here; its tests, when
/// `tests` says what else they import; and the folders whose files are `embedded` in the program.
func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], in folder: String = "Shared",
    leaving: [String] = [], embedded: [String] = [], tests others: [Target.Dependency]? = nil,
    except files: [String] = []
) -> [Target] {
    let library = Target.target(
        name: name, dependencies: dependencies, path: "\(folder)/\(name)", exclude: leaving,
        resources: embedded.map { .embedInCode($0) },
        swiftSettings: computing.contains(name) ? fast : settings)
    guard let others else { return [library] }
    return [library, tests(of: name, [.byName(name: name)] + others, except: files)]
}

/// A C library of the system, in the Debian package of that name.
func system(_ name: String, _ package: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Shared/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// C of our own. It says what it wants to be warned of itself.
func c(_ name: String, in folder: String) -> Target {
    .target(name: name, dependencies: ["CProtobufC"], path: "\(folder)/\(name)")
}

/// A program that is no service, in `Tests/<name>` unless it is elsewhere.
func program(
    _ name: String, _ dependencies: [Target.Dependency], in path: String? = nil,
    except: [String] = [], linked linkerSettings: [LinkerSetting]? = nil
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path ?? "Tests/\(name)", exclude: except,
        swiftSettings: settings, linkerSettings: linkerSettings)
}

/// The libraries of a program, without their tests.
func names(of targets: [Target]) -> [String] {
    targets.filter { $0.type != .test }.map(\.name)
}

/// A service is one executable target, the libraries in its folder, and the tests of both. `shared`
/// are modules that not every service uses, `leaving` folders that are not compiled, and `apart`
/// libraries that only other programs use.
func service(
    _ product: String, _ target: String, shared: [Target.Dependency] = [],
    libraries: [Target] = [], tests others: [Target.Dependency], except files: [String] = [],
    leaving: [String] = [], apart: [String] = []
) -> (product: Product, targets: [Target]) {
    let names = names(of: libraries)
    let program = program(
        target,
        ["Messages", "Bus", "ServiceRuntime", grdb] + shared
            + names.filter { !apart.contains($0) }.map { .byName(name: $0) },
        in: "Services/\(product)", except: names + leaving, linked: linked)
    let suite = tests(
        of: target, [.byName(name: target), "Messages", "TestStore", "TestSupport", grdb] + others,
        except: files)
    return (.executable(name: product, targets: [target]), [program] + libraries + [suite])
}

let (rides, accounts) = ("Services/transit-alert-service", "Services/account-service")
let (mails, gateway, web) = ("Services/notifier", "Services/gateway", "Services/web-service")
let (shifts, plans) = ("Services/checklist-service", "Services/plan-service")
let (days, projects) = ("Services/routine-service", "Services/project-service")
/// What speaks of the issues of a project, and of a project with all that is in it.
let network: [Target.Dependency] = ["Dates", "Messages", "ProjectNetwork", "WorkCalendar"]
let (wholeProject, scheduled) = (network + ["ProjectRecord"], network + ["Scheduling"])
let xml: [Target.Dependency] = ["Texts", "XMLText"]
let charts: [Target.Dependency] = ["Dates", "Papers", "Phrases", "ProjectNetwork", "WorkCalendar"]
let services = [
    service(
        "transit-alert-service", "TransitAlertService",
        shared: ["Bisection", "Dates", "Disk", "Phrases", "Texts"],
        libraries: library(
            "TransitFeed", ["CZip", "Dates", "Texts"], in: rides,
            tests: ["CZip", "Dates", "TestSupport"])
            + library("RideTracking", in: rides, tests: ["RideFile", "RideEvaluation"]),
        tests: ["Dates", "TransitFeed", "RideTracking", "RideEvaluation", "ServiceRuntime"]),
    service(
        "notifier", "Notifier",
        shared: ["Checksum", "Credentials", "LocalTime", "Phrases", "Texts"],
        libraries: library("MailFormat", in: mails)
            + library("Transfers", ["CCurl", "CMosquitto", "Texts", "WebClient"], in: mails),
        tests: ["MailFormat", "Transfers", "Phrases", "Bus", "ServiceRuntime", "ToyMessages"]),
    service(
        "account-service", "AccountService", shared: ["LocalTime"],
        libraries: library("Credentials", ["CSodium"], in: accounts, tests: ["CSodium"]),
        tests: ["Credentials", "Bus"], except: ["Fixtures"]),
    service(
        "checklist-service", "ChecklistService",
        shared: ["Checksum", "Dates", "LocalTime", "Papers", "Phrases", "Pictures", "Texts"],
        libraries: library(
            "ShiftLog", ["Checksum", "CSodium", "Dates", "LocalTime", "Messages"], in: shifts,
            tests: ["LocalTime", "Messages", "TestSupport"], except: ["travel_paths.py"])
            + library(
                "ShiftPapers",
                ["LocalTime", "ShiftLog", "Messages", "Papers", "Phrases", "Pictures", "Texts"],
                in: shifts,
                tests: [
                    "Papers", "Pictures", "ShiftLog", "TemplateFile", "Messages", "TestSupport",
                ]),
        tests: [
            "ShiftLog", "CSodium", "Bus", "LocalTime", "Pictures", "ServiceRuntime", "ShiftClient",
            "Speech", "WorkingCopy",
        ]),
    service(
        "plan-service", "PlanService", shared: ["Bisection", "LocalTime", "Phrases", "Texts"],
        libraries: library(
            "AccessRules", ["FloorPlan", "Messages", "Phrases", yams], in: plans,
            embedded: ["Standards"],
            tests: ["FloorPlan", "Messages", "Phrases", "PlanFiles", "TestSupport", yams],
            except: ["hard-rooms.txt", "judge.py", "rooms.txt"])
            + library(
                "AidCatalogue", ["Dates", "JSONText", "Messages", "Texts"], in: plans,
                tests: ["JSONText", "Messages", "TestSupport"])
            + library(
                "FloorPlan", ["Bisection", "Messages"], in: plans,
                tests: ["PlanFiles", "Messages", "TestSupport"])
            + library(
                "PlanDrawing", ["FloorPlan", "Messages", "Papers", "Phrases"], in: plans,
                tests: ["FloorPlan", "Papers", "Phrases", "Messages", "TestSupport", "CCairo"])
            + library("PlanWriting", ["FloorPlan", "Messages", "XMLText"], in: plans),
        tests: ["AidCatalogue", "FloorPlan", "Phrases", "PlanFiles", "Bus", "ServiceRuntime"]),
    service(
        "routine-service", "RoutineService", shared: ["Dates", "LocalTime", "Phrases", "Pictures"],
        libraries: library(
            "ActionLibrary", ["Phrases"], in: days, embedded: ["Actions"], tests: ["Phrases"])
            + library(
                "DayPapers", ["Dates", "Papers", "Phrases", "Pictures"], in: days,
                tests: ["Dates", "Papers", "Phrases", "Pictures"])
            + library("DayPlan", in: days, tests: ["DayTrials", "TestSupport"])
            + library(
                "RoutineDay", ["ActionLibrary", "Dates", "LocalTime", "Messages", "Phrases"],
                in: days, tests: ["LocalTime", "Messages", "Phrases", "TestSupport"]),
        tests: ["DayPlan", "LocalTime", "Phrases", "RoutineDay", "Bus", "ServiceRuntime"],
        apart: ["DayPapers"]),
    service(
        "project-service", "ProjectService",
        shared: ["Calendars", "Dates", "LocalTime", "Phrases", "Texts"],
        libraries: library(
            "Scheduling", ["Bisection"], in: projects, tests: ["ProjectInstances", "TestSupport"])
            + library(
                "MeetingTimes", ["Calendars"], in: projects, tests: ["Calendars", "TestSupport"])
            + library(
                "RedmineClient", ["CSodium", "Disk", "RedmineMirror", "WebClient"], in: projects,
                tests: [])
            + library("CalendarFeeds", ["Calendars", "WebClient"], in: projects, tests: [])
            + library(
                "RedmineMirror", ["Dates", "JSONText", "Texts"], in: projects, tests: ["Dates"])
            + library(
                "WorkCalendar", ["Bisection", "Dates"], in: projects,
                tests: ["Dates", "TestSupport"])
            + library(
                "ProjectNetwork", ["Dates", "Scheduling", "WorkCalendar"], in: projects,
                tests: ["Dates", "TestSupport", "WorkCalendar"])
            + library(
                "ProjectRecord", ["LocalTime"] + scheduled, in: projects,
                tests: scheduled + ["ProjectInstances", "TestSupport"])
            + library(
                "ProjectLanguage", wholeProject, in: projects,
                tests: wholeProject + ["TestSupport"])
            + library("GanttChart", charts, in: projects, tests: charts + ["TestSupport"]),
        tests: [
            "Bus", "Dates", "LocalTime", "Phrases", "ProjectNetwork", "ProjectRecord",
            "RedmineClient", "RedmineMirror", "ServiceRuntime", "WorkCalendar",
        ], apart: ["GanttChart", "MeetingTimes"]),
    service(
        "web-service", "WebService",
        shared: [
            "CQREncode", "Checksum", "FloorPlan", "Papers", "Phrases", "Pictures", "PlanDrawing",
            "PlanWriting", "RideFile", "RideTracking", "ShiftClient", "ShiftLog", "Speech",
        ],
        libraries: library("Markup", ["JSONText"], in: web, tests: [])
            + library("HTTPExchange", ["CZlib", "Checksum", "Texts"], in: web, tests: ["CZlib"])
            + library("HTTPServer", ["HTTPExchange"] + nio, in: web)
            + library("BrowserSeal", ["Checksum", "CSodium"], in: web, tests: []),
        tests: ["HTTPExchange", "HTTPServer", "Markup", "Bus", "ServiceRuntime"], leaving: ["Web"]),
]

/// What all processes are made of.
let shared: [Target] =
    [
        system("CMosquitto", "libmosquitto-dev"), system("CQREncode", "libqrencode-dev"),
        system("CSodium", "libsodium-dev"), system("CExpat", "libexpat1-dev"),
        system("CJPEG", "libjpeg-dev", pkgConfig: "libjpeg"), system("CCairo", "libcairo2-dev"),
        system("CPango", "libpango1.0-dev", pkgConfig: "pangocairo"), system("CZip", "libzip-dev"),
        system("CPNG", "libpng-dev"), system("CZlib", "zlib1g-dev"), c("CArena", in: "Shared"),
        system("CZeroMQ", "libzmq3-dev"), c("CMessages", in: "Shared"), c("CRuntime", in: "Shared"),
        system("CProtobufC", "libprotobuf-c-dev"), .target(name: "CCurl", path: "Shared/CCurl"),
        .target(name: "CJPEGCodec", dependencies: ["CJPEG"], path: "Shared/CJPEGCodec"),
    ]
    + library(
        "Messages", ["CMessages", "CArena", "CProtobufC"],
        tests: ["ArbitraryMessages", "TestSupport", "CArena", "CEveryKind", "CProtobufC"],
        except: ["Fixtures"])
    + library("Bus", ["CZeroMQ", "Disk", "Messages"], tests: ["Messages", "TestSupport"])
    + ["Bisection", "Dates", "Disk", "Texts"].flatMap { library($0, tests: []) }
    + library("Calendars", ["Dates", "Texts"], tests: ["Dates", "TestSupport"])
    + library("Checksum", ["CSodium"], tests: []) + library("LocalTime", ["Dates"], tests: [])
    + library("JSONText", ["Texts"], tests: []) + library("WebClient", ["CCurl", "Texts"])
    + library("XMLText", ["CExpat", "Messages", "Texts"])
    + library("Papers", ["CCairo", "CPango", "Phrases", "Pictures"])
    + library(
        "Pictures", ["Checksum", "CJPEGCodec", "CPNG", "CZlib"],
        tests: ["Checksum", "TestSupport"], except: ["Fixtures"])
    + library("Phrases", ["Messages"], embedded: ["Words"], tests: ["Messages"])
    + library(
        "ServiceRuntime",
        ["Bus", "Messages", "Checksum", "CSodium", "CRuntime", "Disk", grdb, sqlite],
        tests: [
            "Messages", "Bus", "ToyMessages", "TestStore", "TestSupport", "CSodium", grdb, sqlite,
            "AccountService", "ChecklistService", "Notifier", "PlanService", "ProjectService",
            "RoutineService", "TransitAlertService",
        ])

/// What the program `steward` is made of.
let clients: [Target] =
    library("Speech", in: gateway, tests: [])
    + library("Terminal", ["Speech"], in: gateway, tests: ["Speech"])
    + library(
        "PlanSpeech", ["FloorPlan", "Messages", "Speech"], in: gateway,
        tests: ["FloorPlan", "Messages"])
    + library(
        "PlanFiles",
        ["FloorPlan", "JSONText", "Messages", "PlanWriting", "CZip"] + xml, in: gateway,
        tests: ["FloorPlan", "Messages", "PlanWriting", "ServiceRuntime", "TestSupport", "CZip"])
    + library(
        "WorkingCopy", ["Disk", "Messages"], in: gateway, tests: ["Messages", "TestSupport"])
    + library(
        "ShiftClient",
        ["Bus", "LocalTime", "Messages", "Phrases", "ShiftLog", "Speech", "WorkingCopy"],
        in: gateway, tests: ["Bus", "Messages", "Phrases", "ShiftLog", "Speech", "WorkingCopy"])
    + library(
        "RideFile", ["CExpat", "Dates", "Messages", "RideTracking", "Texts"], in: gateway,
        tests: ["RideTracking"])
    + library(
        "RideSources",
        ["CMosquitto", "CZlib", "JSONText", "Messages", "RideTracking", "WebClient"] + xml,
        in: gateway, tests: ["Messages", "RideTracking", "TestSupport"])
    + library(
        "ProjectFiles", wholeProject + xml, in: gateway, tests: wholeProject + ["TestSupport"])
    + library(
        "TemplateFile", ["LocalTime", "Messages", "ShiftLog", "Texts", yams], in: gateway,
        embedded: ["Restaurant"], tests: ["Messages", "TestSupport"])
let steward: [Target] = [
    program(
        "Gateway",
        [
            "ActionLibrary", "AidCatalogue", "Bus", "Calendars", "Checksum", "Dates", "DayPapers",
            "Disk", "FloorPlan", "GanttChart", "JSONText", "LocalTime", "MeetingTimes", "Messages",
            "Papers", "Phrases", "Pictures", "PlanDrawing", "PlanWriting", "ProjectLanguage",
            "ProjectNetwork", "ProjectRecord", "RoutineDay", "ShiftLog", "ShiftPapers", "Texts",
            "WorkCalendar", parser,
        ] + names(of: clients).map { .byName(name: $0) }, in: gateway, except: names(of: clients),
        linked: linked),
    tests(
        of: "Gateway",
        [
            "Gateway", "Bus", "FloorPlan", "LocalTime", "Messages", "Phrases", "PlanSpeech",
            "RoutineDay", "Speech", parser,
        ]),
]

let ofToys: [Target.Dependency] = ["Messages", "Bus", "ServiceRuntime", "ToyMessages", grdb]
/// Processes that only the tests start. They need a debug build; otherwise they are empty.
let toys: [Target] = [
    c("CToy", in: "Tests/Toys"), .target(name: "ShiftedClock", path: "Tests/Toys/Clock"),
    .target(
        name: "ToyMessages", dependencies: ["Messages", "CToy", "CProtobufC"],
        path: "Tests/Toys/Messages", swiftSettings: settings),
    program("toy-service", ofToys, in: "Tests/Toys/Service"),
    program("toy-follower", ofToys, in: "Tests/Toys/Follower"),
    program("toy-accounts", ofToys, in: "Tests/Toys/Accounts"),
    program(
        "toy-client", ["Messages", "Bus", "ToyMessages", "TestSupport"], in: "Tests/Toys/Client"),
    program("toy-device", ["WorkingCopy", "Messages"], in: "Tests/Toys/Device"),
    program("toy-network", ["Bus", "TestSupport"], in: "Tests/Toys/Network"),
]

/// What the tests share, the benchmarks, and the tests that belong to no single module.
let trials: [Target] =
    library("TestSupport", ["Bus", "Messages", grdb], in: "Tests", leaving: ["Fixtures"])
    + library("TestStore", ["Bus", "Messages", "ServiceRuntime", "TestSupport", grdb], in: "Tests")
    + library("TestThreads", in: "Tests") + library("RideEvaluation", ["RideTracking"], in: "Tests")
    + library("ProjectInstances", ["CZip", "Scheduling"], in: "Tests")
    + library(
        "DayTrials", ["DayPlan", "RideEvaluation"], in: "Tests", leaving: ["prove_optima.py"],
        embedded: ["Optima"])
    + library("ArbitraryMessages", ["Messages", "TestSupport"], in: "Tests")
    + library("Workday", ["Bus", "Messages", "TestSupport"], in: "Tests")
    + [
        c("CEveryKind", in: "Tests"), program("Soak", ["Bus", "TestSupport", "Workday"]),
        program("BenchService", ["Messages", "Bus", "ServiceRuntime", grdb], linked: linked),
        program(
            "Bench",
            [
                "AccessRules", "AidCatalogue", "Calendars", "Dates", "DayPlan", "DayTrials",
                "Messages", "Bus", "ServiceRuntime", "FloorPlan", "GanttChart", "MeetingTimes",
                "Papers", "PlanDrawing", "ProjectInstances", "ProjectNetwork", "RideTracking",
                "Scheduling", "ShiftLog", "TestSupport", "WorkCalendar", "CMessages",
                "CProtobufC", "CSodium", "CZeroMQ", grdb, sqlite,
            ]),
        program(
            "RideTrials", ["Dates", "RideEvaluation", "RideFile", "RideTracking", "TransitFeed"]),
        tests(of: "Mail", ["MailFormat", "Messages", "TestSupport", "Transfers"]),
        tests(
            of: "System",
            ["Bus", "Checksum", "Messages", "Pictures", "RideEvaluation", "TestSupport", grdb],
            except: [
                "Stores", "Redmine/redmine", "Redmine/faulty_proxy.py", "Redmine/ask_web.py",
                "Redmine/measure_mirror.py",
            ]),
        tests(of: "Wire", ["ArbitraryMessages", "Messages", "Bus", "TestSupport"]),
        tests(of: "Document", ["Bus", "Messages", "TestSupport"]), tests(of: "Tidy", []),
        tests(of: "Fault", ["Messages", "Bus", "ToyMessages", "TestSupport", "Workday", grdb]),
    ]

/// What `Tests/Explorer/explore` builds and links with the `main` of libFuzzer.
let explorer: [Target] =
    Context.environment["STEWARD_EXPLORER"] == nil
    ? []
    : [
        .executableTarget(
            name: "Explorer",
            dependencies: [
                "AidCatalogue", "ArbitraryMessages", "Calendars", "Messages", "Pictures",
                "PlanFiles", "ProjectFiles", "RideFile", "TemplateFile", "TestSupport",
                "TransitFeed",
            ], path: "Tests/Explorer", exclude: ["explore"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
    ]

let package = Package(
    name: "steward",
    products: services.map(\.product) + [
        .executable(name: "steward", targets: ["Gateway"]),
        .executable(name: "bench-service", targets: ["BenchService"]),
        .library(name: "ShiftedClock", type: .dynamic, targets: ["ShiftedClock"]),
    ]
        + [("bench", "Bench"), ("rides", "RideTrials"), ("soak", "Soak")]
        .map { .executable(name: "steward-" + $0.0, targets: [$0.1]) }
        + explorer.map { .executable(name: "steward-explorer", targets: [$0.name]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: services.flatMap(\.targets) + shared + clients + steward + toys + trials + explorer
)
