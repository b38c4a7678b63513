import Foundation
import HTTPExchange
import TestSupport
import TestThreads
import Testing

/// The files for reverse proxies in `deploy`, tested with the proxies themselves.
@Suite(.waiting) struct ProxyTests {
    enum Proxy: String, CaseIterable, Sendable {
        case caddy = "/usr/bin/caddy"
        case nginx = "/usr/sbin/nginx"
    }

    private static let deploy = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../deploy").standardized
    private static let areHere = Proxy.allCases.allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0.rawValue)
    }

    /// The program of a proxy with its file, in which only addresses and certificates are changed.
    private func start(_ proxy: Proxy, _ lobby: Lobby, port: Int) throws -> Program {
        let system = lobby.system
        switch proxy {
        case .caddy:
            let own = try String(
                contentsOf: Self.deploy.appending(path: "caddy/Caddyfile"), encoding: .utf8)
            let global = "\n{\nadmin off\nauto_https disable_redirects\nskip_install_trust\n"
            let file = own.replacing("\n{\n", with: global)
            try #require(file != own)
            try file.write(toFile: system.path("Caddyfile"), atomically: true, encoding: .utf8)
            return try system.spawn(
                [
                    proxy.rawValue, "run", "--config", system.path("Caddyfile"), "--adapter",
                    "caddyfile",
                ],
                environment: system.environment(adding: [
                    "PAGES_NAME": "https://localhost:\(port)",
                    "PAGES_ADDRESS": "127.0.0.1:\(lobby.port)",
                ]))
        case .nginx:
            let made = try system.spawn(
                [
                    "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
                    "1",
                    "-subj", "/CN=localhost", "-keyout", system.path("key.pem"), "-out",
                    system.path("cert.pem"),
                ], environment: system.environment())
            #expect(try made.waitForEnd() == .exited(0))
            let live = "/etc/letsencrypt/live/steward.example.org/"
            let own = try String(
                contentsOf: Self.deploy.appending(path: "nginx/steward.conf"), encoding: .utf8
            )
            .replacing("127.0.0.1:8093", with: "127.0.0.1:\(lobby.port)")
            .replacing("listen 443", with: "listen 127.0.0.1:\(port)")
            .replacing("listen 80;", with: "listen 127.0.0.1:\(Loopback.port());")
            .replacing("server_name steward.example.org", with: "server_name localhost")
            .replacing(live + "fullchain.pem", with: system.path("cert.pem"))
            .replacing(live + "privkey.pem", with: system.path("key.pem"))
            let folder = system.directory
            let all = """
                daemon off; pid \(folder)/nginx.pid; error_log stderr; events {}
                http { access_log \(folder)/access.log; client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
                \(own) }
                """
            try all.write(toFile: system.path("nginx.conf"), atomically: true, encoding: .utf8)
            return try system.spawn(
                [proxy.rawValue, "-c", system.path("nginx.conf"), "-e", "stderr"],
                environment: system.environment())
        }
    }

    @Test(
        .enabled(if: areHere, "no proxy is tried without caddy and nginx: deploy/setup --tests"),
        arguments: Proxy.allCases)
    func `no key and no query is in the log of a proxy, even while web-service is down`(
        proxy: Proxy
    ) throws {
        let port = Loopback.port()
        let origin = "https://localhost:\(port)"
        let lobby = try Lobby(origin: origin)
        let program = try start(proxy, lobby, port: port)
        defer { program.kill() }
        try eventually("the proxy answers: \(program.err)") {
            try curl(lobby, origin + "/health") == "ok\n"
        }
        let key = String(repeating: "5ec2e7", count: 11).prefix(64)
        func status() throws -> String {
            try curl(
                lobby, "--output", "/dev/null", "--write-out", "%{http_code}",
                "\(origin)/board/Harbour.png?width=800&height=480&bits=1&key=\(key)")
        }
        #expect(try status() == "401")
        lobby.kill()
        // When the last one is answered, what would be logged of the others is there.
        for _ in 0..<3 { #expect(try status() == "502") }
        var logs = program.out + program.err
        if proxy == .nginx {
            logs += try String(
                contentsOfFile: lobby.system.path("access.log"), encoding: .utf8)
        }
        for text in [String(key), "width=800"] { #expect(!logs.contains(text), "\(logs)") }
    }

    private func curl(_ lobby: Lobby, _ words: String...) throws -> String {
        let program = try lobby.system.spawn(
            ["/usr/bin/curl", "--silent", "--insecure", "--max-time", "180", "--noproxy", "*"]
                + words,
            environment: lobby.system.environment())
        _ = try program.waitForEnd()
        return program.out
    }

    @Test(
        .enabled(if: areHere, "no proxy is tried without caddy and nginx: deploy/setup --tests"),
        arguments: Proxy.allCases)
    func `through a proxy people log in by HTTPS, get events at once, and are told apart`(
        proxy: Proxy
    ) throws {
        let port = Loopback.port()
        let origin = "https://localhost:\(port)"
        let lobby = try Lobby(origin: origin)
        try lobby.add("kari", .siteManager)
        let program = try start(proxy, lobby, port: port)
        defer { program.kill() }
        try eventually("the proxy answers: \(program.err)") {
            try curl(lobby, origin + "/health") == "ok\n"
        }
        let word = Target.encoded(Lobby.password)
        let logIn = try curl(
            lobby, "--include", "--header", "Sec-Fetch-Site: same-origin", "--data",
            "name=kari&password=\(word)", origin + "/login")
        #expect(logIn.contains("303"))
        let cookie = try #require(logIn.firstMatch(of: /(__Host-steward=[0-9a-f]+);/)?.1)
        #expect(logIn.contains("Secure"))
        #expect(logIn.lowercased().contains("strict-transport-security: max-age="))
        #expect(try curl(lobby, "--cookie", String(cookie), origin + "/").contains("Hello, kari"))

        // A stream is passed on event by event.
        try eventually("a beat comes") {
            try curl(
                lobby, "--no-buffer", "--max-time", "4", "--cookie", String(cookie),
                origin + "/alerts/stream"
            ).contains("event: beat")
        }

        // The address that a client claims isn't believed: all of these count as one.
        // One attempt is forgiven every few seconds, so a busy machine needs more of them.
        var codes: [String] = []
        while codes.count < 200, codes.last != "429" {
            codes += [
                try curl(
                    lobby, "--output", "/dev/null", "--write-out", "%{http_code}", "--header",
                    "Sec-Fetch-Site: same-origin", "--header",
                    "X-Forwarded-For: 192.0.2.\(codes.count)", "--data", "name=&password=",
                    origin + "/login")
            ]
        }
        #expect(codes.last == "429")
        // Another host gets nothing.
        let other = try curl(lobby, "--header", "Host: evil.example", origin + "/login")
        #expect(!other.contains("<form"))
    }
}
