import Bus
import TestSupport
import Testing

@Suite struct ConfigurationTests {
    @Test func `the bus is beside the stores unless set otherwise`() throws {
        let configuration = try Configuration(environment: ["STEWARD_DATA": "/srv/steward/"])

        #expect(configuration.dataDirectory == "/srv/steward")
        #expect(configuration.bus == .directory("/srv/steward/run"))
        #expect(configuration.keysDirectory == nil)
        #expect(configuration.logLevel == "info")
    }

    @Test func `the stores are in the home directory unless set otherwise`() throws {
        let home = try Configuration(environment: ["HOME": "/home/ann"])
        let data = try Configuration(environment: ["HOME": "/home/ann", "XDG_DATA_HOME": "/d"])

        #expect(home.dataDirectory == "/home/ann/.local/share/steward")
        #expect(data.dataDirectory == "/d/steward")
    }

    @Test(arguments: [
        (
            ["STEWARD_DATE": "/d"],
            "unknown variable STEWARD_DATE; the known ones are STEWARD_ALERT_DAYS, STEWARD_BUS, "
                + "STEWARD_CALENDAR_HOSTS, STEWARD_CHANNEL_HOSTS, STEWARD_DATA, STEWARD_KEYS, "
                + "STEWARD_LANG, STEWARD_LOG, STEWARD_REDMINE_HOSTS, STEWARD_SMTP, "
                + "STEWARD_SMTP_FROM, STEWARD_SMTP_PASSWORD_FILE, STEWARD_WEB_FILES, "
                + "STEWARD_WEB_LISTEN, STEWARD_WEB_ORIGIN, STEWARD_WEB_PORT, STEWARD_WEB_PROXY"
        ),
        (["STEWARD_DATA": "d"], "STEWARD_DATA is “d”; it must be an absolute path"),
        ([:], "neither STEWARD_DATA nor HOME is set; set STEWARD_DATA"),
        (
            ["STEWARD_DATA": "/d", "STEWARD_LOG": "loud"],
            "STEWARD_LOG is “loud”; it must be one of trace, debug, info, notice, warning, error"
        ),
        (
            ["STEWARD_DATA": "/d", "STEWARD_BUS": "tcp://*:5000"],
            "STEWARD_BUS is tcp://*:5000, which others can reach, and no STEWARD_KEYS are set; "
                + "make keys with steward keys init, or use loopback, or write "
                + "tcp-unencrypted://*:5000 to let everyone on the network read everything, "
                + "passwords included"
        ),
        (
            [
                "STEWARD_DATA": "/d", "STEWARD_BUS": "tcp-unencrypted://h:5000",
                "STEWARD_KEYS": "/k",
            ],
            "STEWARD_BUS is tcp-unencrypted://h:5000, which uses no keys, and STEWARD_KEYS are "
                + "set; write tcp://h:5000, or unset STEWARD_KEYS"
        ),
        (
            ["STEWARD_DATA": "/d", "STEWARD_KEYS": "keys"],
            "STEWARD_KEYS is “keys”; it must be an absolute path"
        ),
    ])
    func `a bad setting is reported in a sentence`(
        environment: [String: String], sentence: String
    ) {
        #expect(throws: ConfigurationError(sentence)) {
            try Configuration(environment: environment)
        }
    }
}

@Suite struct UnencryptedTests {
    @Test(arguments: ["tcp://10.0.0.1:5000", "tcp://*:5000", "tcp://127.evil.org:5000"])
    func `an endpoint that others can reach isn't left unencrypted by oversight`(bus: String) throws
    {
        let environment = ["STEWARD_DATA": "/d", "STEWARD_BUS": bus]

        #expect(throws: ConfigurationError.self) { try Configuration(environment: environment) }
        #expect(
            try Configuration(environment: environment.merging(["STEWARD_KEYS": "/k"]) { $1 }).bus
                == BusAddress(bus))
    }

    @Test func `an endpoint is unencrypted only if that is set explicitly`() throws {
        let configuration = try Configuration(environment: [
            "STEWARD_DATA": "/d", "STEWARD_BUS": "tcp-unencrypted://*:5000",
        ])

        #expect(configuration.bus == .unencrypted(host: "*", port: 5000))
        #expect(configuration.bus.connecting(.notifier, .commands) == "tcp://notifier:5003")
        #expect(configuration.bus.binding(.notifier, .commands) == "tcp://*:5003")
    }

    @Test func `the keys are beside the stores unless set otherwise`() throws {
        let unusable = ["STEWARD_DATA": "/d", "STEWARD_BUS": "tcp://10.0.0.1:5000"]

        #expect(try Configuration.keysDirectory(environment: unusable) == "/d/keys")
        #expect(try Configuration.keysDirectory(environment: ["STEWARD_KEYS": "/k"]) == "/k")
    }
}

@Suite struct BusAddressTests {
    @Test(arguments: [
        ("ipc:///run/steward", BusAddress.directory("/run/steward")),
        ("tcp://127.0.0.1:5000", .tcp(host: "127.0.0.1", port: 5000)),
        ("tcp://*:65000", .tcp(host: "*", port: 65_000)),
        ("tcp-unencrypted://h:5000", .unencrypted(host: "h", port: 5000)),
    ])
    func `an address is parsed and formatted`(text: String, address: BusAddress) throws {
        #expect(try BusAddress(text) == address)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", "ipc://", "ipc://run", "tcp://", "tcp://host", "tcp://:5000", "tcp://host:", "/run",
        "tcp://host:80", "tcp://host:65001", "tcp://host:5000:1", "tcp://host:five", "udp://h:5000",
    ])
    func `text that isn't an address is refused`(text: String) {
        #expect(
            throws: ConfigurationError(
                "“\(text)” is not a bus address; write ipc:///directory or tcp://host:port "
                    + "with a port from 1024 to 65000")
        ) { try BusAddress(text) }
    }

    @Test func `a directory is refused if the paths of its sockets would be too long`() throws {
        let longest = "/" + String(repeating: "d", count: 75)

        let fits = try BusAddress("ipc://" + longest)

        #expect(fits.binding(.transitAlert, .commands).utf8.count == "ipc://".utf8.count + 107)
        #expect(
            throws: ConfigurationError(
                "the path \(longest)d is too long for a Unix socket; choose a directory of at most "
                    + "76 bytes")
        ) { try BusAddress("ipc://\(longest)d") }
    }

    @Test func `no two endpoints have the same address`() throws {
        for address in [BusAddress.directory("/r"), .tcp(host: "127.0.0.1", port: 5000)] {
            let all = ServiceName.allCases.flatMap { service in
                EndpointKind.allCases.map { address.binding(service, $0) }
            }
            #expect(Set(all).count == all.count)
        }
    }

    @Test func `a service that listens on every address is reached under its own name`() {
        let address = BusAddress.tcp(host: "*", port: 5000)

        #expect(address.binding(.notifier, .events) == "tcp://*:5004")
        #expect(address.connecting(.notifier, .events) == "tcp://notifier:5004")
    }

    @Test(arguments: [
        ("ipc:///r", true), ("tcp://127.0.0.1:5000", true), ("tcp://localhost:5000", true),
        ("tcp://*:5000", false), ("tcp://10.0.0.1:5000", false), ("tcp://127.evil.org:5000", false),
        ("tcp-unencrypted://h:5000", false), ("tcp-unencrypted://127.0.0.1:5000", true),
    ])
    func `only addresses on this machine are local`(text: String, isLocal: Bool) throws {
        #expect(try BusAddress(text).isLocal == isLocal)
    }
}
