import Foundation
import TestSupport
import Testing

/// Tests what shells offer when they complete a command line of `steward`.
struct CompletionTests {
    /// A shell that completes command lines.
    enum Shell: String {
        case bash, zsh, fish

        var path: String { "/usr/bin/\(rawValue)" }
        var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }
    }

    @Test(.enabled(if: Shell.bash.isThere, "bash is not installed"))
    func `bash offers commands after help, and names that the services know`() throws {
        try offers(.bash)
    }

    @Test(.enabled(if: Shell.zsh.isThere, "zsh is not installed: apt-get install zsh"))
    func `zsh offers commands after help, and names that the services know`() throws {
        try offers(.zsh)
    }

    @Test(.enabled(if: Shell.fish.isThere, "fish is not installed: apt-get install fish"))
    func `fish offers commands after help, and names that the services know`() throws {
        try offers(.fish)
    }

    private func offers(_ shell: Shell) throws {
        let user = try Self.user()
        let typist = try Typist(shell, user)
        let task = try Self.task(user)

        for (line, offer) in [
            ("steward hel", "help"), ("steward help pla", "plan"),
            ("steward help plan view zo", "zoom"), ("steward shift status --site Har", "Harbour"),
            ("steward site report add --site Har", "Harbour"),
            ("steward plan show --plan Hom", "Home"), ("steward plan use Hom", "Home"),
            ("steward todo list --area terr", "terrace"), ("steward transit stops Gen", "General"),
            ("steward transit continue --to Gen", "General"),
            ("steward checklist note \(task.dropLast(2))", task),
        ] {
            // A busy machine may take longer than a shell waits.
            var offered = ""
            do {
                try eventually("it is offered") {
                    offered = try typist.complete(line)
                    return offered.contains(offer)
                }
            } catch { throw Complaint("\(shell) offers “\(offered)” for “\(line)”: \(error)") }
        }
    }

    @Test
    func `a service that hangs or is gone offers nothing, quietly and without a wait`()
        throws
    {
        let user = try Self.user()
        let typist = try Typist(.bash, user)
        let line = "steward shift status --site Har"
        try eventually("it is offered") { try typist.complete(line).contains("Harbour") }
        user.services[0].signal(SIGSTOP)

        // With a clock that stands still, a command waits for its answer forever.
        let still = [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "STOPPED_CLOCK": "1",
        ]
        let other = try user.system.spawn(
            ["\(System.executables)/steward", "site", "list"],
            environment: try user.environment().merging(still) { $1 })
        #expect(try Typist(.bash, user, adding: still).complete(line) == "")
        #expect(other.isRunning)
        other.kill()
        user.services[0].signal(SIGCONT)
        user.services[0].kill()
        #expect(try typist.complete(line) == "")
    }

    /// Returns the id of a task that can be ticked and that no other id shares except for its last
    /// two letters.
    private static func task(_ user: Keeper) throws -> String {
        let rows = try user.rows("checklist show")
        let ids = Set(rows.compactMap { $0["task"] as? String })
        for row in rows {
            guard let id = row["task"] as? String, let number = row["number"] as? Int,
                ids.filter({ $0.hasPrefix(id.dropLast(2)) }).count == 1,
                try user.say("checklist tick \(number)").end == .exited(0)
            else { continue }
            return id
        }
        throw Complaint("no task can be marked")
    }

    /// Returns someone with a site, a plan, a timetable and an open shift.
    private static func user() throws -> Keeper {
        let system = try System()
        let services = try [
            "account-service", "checklist-service", "plan-service", "transit-alert-service",
        ].map { try system.launch($0) }
        for service in services { try service.waitUntilReady() }
        let user = Keeper(of: system, services)
        let demo = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/demo/harbour-line").standardizedFileURL.path
        try user.run("site add Harbour --area terrace")
        try user.run("plan create Home")
        try user.run("transit import '\(demo)'")
        try eventually("the service knows the site") {
            try user.say("template restaurant").end == .exited(0)
        }
        try user.run("shift start day")
        return user
    }

    /// A person with the services of the installation.
    final class Keeper: CommandLineUser {
        let services: [Program]

        init(of system: System, _ services: [Program]) {
            self.services = services
            super.init(of: system, device: "desk")
        }
    }
}

/// Types a line and makes the shell complete it.
private final class Typist {
    private let shell: CompletionTests.Shell
    private let user: CommandLineUser
    private let window: TerminalProgram?
    private let answer: String
    /// The file with the script for bash or fish. Making it takes much longer than using it.
    private let script: String
    private let more: [String: String]

    /// - Parameter more: variables for the environment of the shell.
    init(
        _ shell: CompletionTests.Shell, _ user: CommandLineUser, adding more: [String: String] = [:]
    ) throws {
        (self.shell, self.user, self.more) = (shell, user, more)
        answer = user.system.path("completed")
        script = user.system.path("script")
        guard shell == .zsh else {
            window = nil
            try user.run("--generate-completion-script \(shell.rawValue)")
                .write(toFile: script, atomically: true, encoding: .utf8)
            return
        }
        // Only zsh's line editor completes; on Ctrl-T it writes the line to a file.
        window = try TerminalProgram(
            [shell.path, "-f", "-i"],
            environment: Self.environment(user).merging(["TERM": "dumb"]) { $1 }, columns: 200)
        try window?.type(
            """
            autoload -Uz compinit && compinit -u -D
            eval "$(steward --generate-completion-script zsh)"
            tell() { zle expand-or-complete; print -r -- "$BUFFER" >| '\(answer)' }
            zle -N tell && bindkey '^T' tell

            """)
    }

    private static func environment(_ user: CommandLineUser) throws -> [String: String] {
        try user.environment().merging(["PATH": "\(System.executables):/usr/bin:/bin"]) { $1 }
    }

    /// Returns what is offered; for zsh, the completed line.
    func complete(_ line: String) throws -> String {
        switch shell {
        case .bash:
            return try run([
                "--norc", "-c",
                """
                . "$2"
                COMP_LINE=$1 COMP_POINT=${#1}
                read -ra COMP_WORDS <<< "$1"
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _steward steward "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
                """, "bash", line, script,
            ])
        case .fish:
            return try run(["--no-config", "-c", "source '\(script)'; complete -C '\(line)'"])
        case .zsh:
            try? FileManager.default.removeItem(atPath: answer)
            // Ctrl-U clears the line.
            try window?.type("\u{15}" + line + "\u{14}")
            try eventually("the line was completed:\n\(window?.text ?? "")") {
                FileManager.default.contents(atPath: answer)?.last == UInt8(ascii: "\n")
            }
            let text = try String(contentsOfFile: answer, encoding: .utf8)
            return text.hasPrefix(line + "\n") ? "" : text
        }
    }

    private func run(_ words: [String]) throws -> String {
        let program = try user.system.spawn(
            [shell.path] + words,
            environment: Self.environment(user).merging(more) { $1 })
        let end = try program.waitForEnd()
        #expect(end == .exited(0) && program.err.isEmpty, "\(end) \(program.err)")
        return program.out
    }
}
