// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
    // A release keeps of each module what its program needs: nothing else is linked to it later.
    .unsafeFlags(
        ["-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections"],
        .when(configuration: .release)),
]
/// How the programs of a release are linked. LLD packs relocations, which are read at each start,
/// into a hundredth (RELR; glibc 2.36), and nothing loads a program as a library, so no names are
/// exported: docs/decisions/0040-programs-start-lean.md.
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

let arguments: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser")

/// A service is one executable target and its tests. `libraries` are the pure libraries in its
/// folder, each a module of its own so that the compiler forbids it the store and the bus;
/// `embedded` are the folders of them whose files become a part of the program. `shared` are the
/// modules that not every service uses.
func service(
    _ product: String, _ target: String, shared: [Target.Dependency] = [],
    libraries: [String: [Target.Dependency]] = [:], embedded: [String: [String]] = [:]
) -> (product: Product, targets: [Target]) {
    let path = "Services/\(product)"
    let names = libraries.keys.sorted()
    return (
        .executable(name: product, targets: [target]),
        [
            .executableTarget(
                name: target,
                dependencies: ["Messages", "Bus", "ServiceRuntime", grdb] + shared
                    + names.map { .byName(name: $0) },
                path: path, exclude: names, swiftSettings: settings, linkerSettings: linked)
        ]
            + names.map {
                .target(
                    name: $0, dependencies: libraries[$0] ?? [], path: "\(path)/\($0)",
                    resources: embedded[$0]?.map { .embedInCode($0) }, swiftSettings: settings)
            }
    )
}

let services = [
    service(
        "transit-alert-service", "TransitAlertService", shared: ["Phrases"],
        libraries: ["TransitFeed": ["CZip"], "RideTracking": []]),
    service(
        "notifier", "Notifier", shared: ["Phrases"],
        libraries: ["MailFormat": [], "MailTransfer": ["CCurl"]]),
    service("account-service", "AccountService", libraries: ["Credentials": ["CSodium"]]),
    service(
        "checklist-service", "ChecklistService", shared: ["Papers", "Phrases"],
        libraries: [
            "ShiftLog": ["CSodium", "Messages"],
            "ShiftPapers": ["ShiftLog", "Messages", "Papers", "Phrases"],
        ]),
    service(
        "plan-service", "PlanService", shared: ["Phrases"],
        libraries: [
            "AccessRules": ["FloorPlan", "Messages", "Phrases", yams],
            "AidCatalogue": ["Messages"],
            "FloorPlan": ["Messages"],
            "PlanDrawing": ["FloorPlan", "Messages", "Papers", "Phrases"],
            "PlanFiles": ["FloorPlan", "Messages", "CExpat", "CZip"],
        ],
        embedded: ["AccessRules": ["Standards"]]),
]

/// Processes that only the tests start. They need a debug build; otherwise they are empty.
let toys: [Target] = [
    .target(name: "CToy", dependencies: ["CProtobufC"], path: "Tests/Toys/CToy"),
    .target(
        name: "ToyMessages", dependencies: ["Messages", "CToy", "CProtobufC"],
        path: "Tests/Toys/Messages", swiftSettings: settings),
    .executableTarget(
        name: "toy-service",
        dependencies: ["Messages", "Bus", "ServiceRuntime", "ToyMessages", grdb],
        path: "Tests/Toys/Service", swiftSettings: settings),
    .executableTarget(
        name: "toy-follower",
        dependencies: ["Messages", "Bus", "ServiceRuntime", "ToyMessages", grdb],
        path: "Tests/Toys/Follower", swiftSettings: settings),
    .executableTarget(
        name: "toy-accounts",
        dependencies: ["Messages", "Bus", "ServiceRuntime", "ToyMessages", grdb],
        path: "Tests/Toys/Accounts", swiftSettings: settings),
    .executableTarget(
        name: "toy-client", dependencies: ["Messages", "Bus", "ToyMessages", "TestSupport"],
        path: "Tests/Toys/Client", swiftSettings: settings),
    .target(name: "ShiftedClock", path: "Tests/Toys/Clock"),
    .executableTarget(
        name: "toy-device", dependencies: ["WorkingCopy", "Messages"], path: "Tests/Toys/Device",
        swiftSettings: settings),
    .executableTarget(
        name: "toy-network", dependencies: ["Bus", "TestSupport"], path: "Tests/Toys/Network",
        swiftSettings: settings),
]

let package = Package(
    name: "steward",
    products: services.map(\.product) + [
        .executable(name: "steward", targets: ["Gateway"]),
        .executable(name: "bench-service", targets: ["BenchService"]),
        .executable(name: "steward-bench", targets: ["Bench"]),
        .library(name: "ShiftedClock", type: .dynamic, targets: ["ShiftedClock"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: services.flatMap(\.targets) + toys + [
        .systemLibrary(
            name: "CZeroMQ", path: "Shared/CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
        .systemLibrary(
            name: "CProtobufC", path: "Shared/CProtobufC",
            providers: [.apt(["libprotobuf-c-dev"])]),
        .systemLibrary(
            name: "CSodium", path: "Shared/CSodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(
            name: "CCurl", path: "Shared/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CCairo", path: "Shared/CCairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "CPNG", path: "Shared/CPNG", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CPango", path: "Shared/CPango", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(
            name: "CExpat", path: "Shared/CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZip", path: "Shared/CZip", providers: [.apt(["libzip-dev"])]),
        .target(name: "CArena", dependencies: ["CProtobufC"], path: "Shared/CArena"),
        .target(name: "CMessages", dependencies: ["CProtobufC"], path: "Shared/CMessages"),
        .target(
            name: "Messages", dependencies: ["CMessages", "CArena", "CProtobufC"],
            path: "Shared/Messages", swiftSettings: settings),
        .target(
            name: "Bus", dependencies: ["CZeroMQ", "Messages"], path: "Shared/Bus",
            swiftSettings: settings),
        .target(
            name: "Checksum", dependencies: ["CSodium"], path: "Shared/Checksum",
            swiftSettings: settings),
        .target(
            name: "Papers", dependencies: ["CCairo", "CPango", "CPNG", "Phrases"],
            path: "Shared/Papers",
            swiftSettings: settings),
        .target(
            name: "Phrases", dependencies: ["Messages"], path: "Shared/Phrases",
            resources: [.embedInCode("Words")],
            swiftSettings: settings),
        .testTarget(
            name: "PhrasesTests", dependencies: ["Phrases", "Messages"], swiftSettings: settings),
        .target(
            name: "ServiceRuntime",
            dependencies: ["Bus", "Messages", "Checksum", "CSodium", grdb, sqlite],
            path: "Shared/ServiceRuntime", swiftSettings: settings),
        .testTarget(
            name: "PlanFilesTests",
            dependencies: ["PlanFiles", "FloorPlan", "Messages", "TestSupport", "CZip"],
            swiftSettings: settings),
        .testTarget(
            name: "AccessRulesTests",
            dependencies: [
                "AccessRules", "FloorPlan", "Messages", "Phrases", "PlanFiles", "TestSupport",
                yams,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AidCatalogueTests", dependencies: ["AidCatalogue", "Messages", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "FloorPlanTests",
            dependencies: ["FloorPlan", "PlanFiles", "Messages", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PlanDrawingTests",
            dependencies: [
                "PlanDrawing", "FloorPlan", "Papers", "Phrases", "Messages", "TestSupport",
                "CCairo",
            ],
            swiftSettings: settings),
        .target(
            name: "RideFile", dependencies: ["RideTracking", "CExpat"],
            path: "Services/gateway/RideFile",
            swiftSettings: settings),
        .target(
            name: "TemplateFile",
            dependencies: ["Messages", yams],
            path: "Services/gateway/TemplateFile", resources: [.embedInCode("Restaurant")],
            swiftSettings: settings),
        .target(
            name: "WorkingCopy", dependencies: ["Messages"], path: "Services/gateway/WorkingCopy",
            swiftSettings: settings),
        .executableTarget(
            name: "Gateway",
            dependencies: [
                "AidCatalogue", "Bus", "Messages", "Checksum", "FloorPlan", "Papers", "Phrases",
                "PlanDrawing", "PlanFiles", "RideFile", "ShiftLog", "ShiftPapers", "TemplateFile",
                "WorkingCopy", arguments,
            ],
            path: "Services/gateway", exclude: ["RideFile", "TemplateFile", "WorkingCopy"],
            swiftSettings: settings, linkerSettings: linked),
        .target(
            name: "TestSupport", dependencies: ["Bus", "Messages", grdb], path: "Tests/TestSupport",
            exclude: ["Fixtures"], swiftSettings: settings),
        .executableTarget(
            name: "BenchService", dependencies: ["Messages", "Bus", "ServiceRuntime", grdb],
            path: "Tests/BenchService", swiftSettings: settings, linkerSettings: linked),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "AccessRules", "AidCatalogue", "Messages", "Bus", "ServiceRuntime", "FloorPlan",
                "PlanDrawing", "ShiftLog", "CMessages", "CProtobufC", "CSodium", grdb, sqlite,
            ],
            path: "Tests/Bench", swiftSettings: settings),
        .target(name: "CEveryKind", dependencies: ["CProtobufC"], path: "Tests/CEveryKind"),
        .testTarget(
            name: "TransitFeedTests", dependencies: ["TransitFeed", "CZip", "TestSupport"],
            swiftSettings: settings),
        .target(
            name: "RideEvaluation", dependencies: ["RideTracking"], path: "Tests/RideEvaluation",
            swiftSettings: settings),
        .testTarget(
            name: "RideTrackingTests",
            dependencies: ["RideTracking", "RideFile", "RideEvaluation"], swiftSettings: settings),
        .testTarget(
            name: "RideFileTests", dependencies: ["RideFile", "RideTracking"],
            swiftSettings: settings),
        .testTarget(
            name: "TemplateFileTests", dependencies: ["TemplateFile", "Messages", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkingCopyTests", dependencies: ["WorkingCopy", "Messages", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "Bus", "FloorPlan", "Messages", "Phrases", "ShiftLog", "TemplateFile",
                "WorkingCopy", arguments,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TransitAlertServiceTests",
            dependencies: [
                "TransitAlertService", "TransitFeed", "RideTracking", "RideEvaluation", "Messages",
                "TestSupport", "ServiceRuntime", grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "NotifierTests",
            dependencies: [
                "Notifier", "MailFormat", "MailTransfer", "Messages", "Phrases", "Bus",
                "ServiceRuntime",
                "ToyMessages", "TestSupport", grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MailTests",
            dependencies: ["MailFormat", "MailTransfer", "Messages", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SystemTests",
            dependencies: ["Bus", "Messages", "RideEvaluation", "TestSupport", grdb],
            exclude: ["Stores"], swiftSettings: settings),
        .testTarget(
            name: "CredentialsTests", dependencies: ["Credentials", "CSodium"],
            swiftSettings: settings),
        .testTarget(
            name: "AccountServiceTests",
            dependencies: [
                "AccountService", "Credentials", "Messages", "Bus", "TestSupport", grdb,
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "ShiftPapersTests",
            dependencies: [
                "ShiftPapers", "Papers", "ShiftLog", "TemplateFile", "Messages", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ShiftLogTests", dependencies: ["ShiftLog", "Messages", "TestSupport"],
            exclude: ["travel_paths.py"],
            swiftSettings: settings),
        .testTarget(
            name: "ChecklistServiceTests",
            dependencies: [
                "ChecklistService", "ShiftLog", "CSodium", "Messages", "Bus", "ServiceRuntime",
                "TestSupport", grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PlanServiceTests",
            dependencies: [
                "PlanService", "AidCatalogue", "FloorPlan", "Phrases", "PlanFiles", "Messages",
                "Bus",
                "ServiceRuntime", "TestSupport", grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MessagesTests",
            dependencies: ["Messages", "TestSupport", "CArena", "CEveryKind", "CProtobufC"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "ServiceRuntimeTests",
            dependencies: [
                "ServiceRuntime", "Messages", "Bus", "ToyMessages", "TestSupport", "CSodium", grdb,
                "Notifier", "TransitAlertService",
            ],
            path: "Tests/ServiceRuntimeTests", swiftSettings: settings),
        .testTarget(
            name: "DocumentTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(name: "TidyTests", swiftSettings: settings),
        .testTarget(
            name: "BusTests", dependencies: ["Messages", "Bus", "TestSupport"],
            path: "Tests/BusTests", swiftSettings: settings),
        .testTarget(
            name: "FaultTests",
            dependencies: ["Messages", "Bus", "ToyMessages", "TestSupport", grdb],
            path: "Tests/FaultTests", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
