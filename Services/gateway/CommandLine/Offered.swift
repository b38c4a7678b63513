import ArgumentParser
import Bus
import Foundation
import Messages
import ShiftLog
import Speech

/// Completions of an argument: names that the services know at this moment. A shell must not wait
/// for them, so this takes 200 ms at most, and after any error it silently offers nothing.
enum Offered {
    /// How long all queries together may take.
    static let patience: Duration = .milliseconds(200)

    /// The names of the sites where the person has a role.
    static var sites: CompletionKind { kind { session, _ in try sites(session).map(\.name) } }

    /// The names of plans.
    static var plans: CompletionKind {
        kind { session, _ in
            try session.ask(.plan, ListPlans(limit: 200), for: Messages.Plans.self).plans
                .map { $0.details?.name ?? $0.id }
        }
    }

    /// The identifiers of projects.
    static var projects: CompletionKind {
        kind { session, _ in
            try session.ask(.project, ListProjects(limit: 200), for: ProjectsListed.self).projects
                .map(\.identifier)
        }
    }

    /// The names of stops that match what was typed so far.
    static var stops: CompletionKind {
        kind { session, typed in
            let text = typed.prefix.filter { !"\"'\\".contains($0) }
            return try session.ask(.transitAlert, FindStops(text: text, limit: 50), for: Stops.self)
                .stops.map(\.name)
        }
    }

    /// The areas of the site that is meant.
    static var areas: CompletionKind {
        kind { session, typed in
            guard let site = try site(typed, session) else { return [] }
            return try session.sites().first { $0.id == site.id }?.areas ?? []
        }
    }

    /// The ids of the tasks of the open shift that can be marked.
    static var tasks: CompletionKind {
        kind { session, typed in
            guard let site = try site(typed, session) else { return [] }
            let snapshot = try session.ask(
                .checklist, ReadShift(site: site.id), for: ShiftSnapshot.self)
            return try ShiftState(snapshot: snapshot).lists.tasks.filter(\.isLeaf).map(\.task.id)
        }
    }

    /// The words of a command line that is being typed.
    struct Typed {
        let words: [String]
        /// The part of the word under the cursor that is before the cursor.
        let prefix: String
    }

    private static func kind(
        _ names: @escaping @Sendable (Session, Typed) throws -> [String]
    ) -> CompletionKind {
        .custom { words, _, prefix in
            endInTime()
            do {
                var seen: Set<String> = []
                return try names(Session(), Typed(words: words, prefix: prefix)).filter {
                    !$0.isEmpty && $0.printable == $0 && seen.insert($0).inserted
                }
            } catch { return [] }
        }
    }

    /// Ends the process when the time is up, wherever it is waiting.
    private static func endInTime() {
        signal(SIGALRM) { _ in _exit(0) }
        var timer = itimerval()
        timer.it_value.tv_usec = Int(patience / .microseconds(1))
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    }

    private static func sites(_ session: Session) throws -> [ChosenSite] {
        try YourSites(session).sites
    }

    /// The site that the command line names, else the kept one, else the only one.
    private static func site(_ typed: Typed, _ session: Session) throws -> ChosenSite? {
        if let option = typed.words.firstIndex(of: "--site"), option + 1 < typed.words.count {
            let name = typed.words[option + 1].filter { !"\"'\\".contains($0) }
            return try YourSites(session).named(name)
        }
        return try session.keptSite.chosen() ?? YourSites(session).only()
    }
}
