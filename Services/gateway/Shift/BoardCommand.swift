import ArgumentParser
import Bus
import ShiftClient
import Terminal

/// `steward board`
struct BoardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board", abstract: "Shows the open shift on a display on the wall, live.",
        discussion: """
            The next travel path counts down in big letters and turns red when it is late; below \
            are the to-dos by area, what is overdue, which equipment is faulty, and what two \
            people marked differently. The role display is enough for it, and it keeps showing the \
            last state, greyed, without the service. Ctrl-C or q ends it. With --json it prints \
            the present shift once.
            """)

    @OptionGroup var place: SiteOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        if output.json {
            let desk = try ShiftDesk.open(session, place)
            return try session.printer.json(
                .shifts, [ShiftReport(desk, at: WallClock.milliseconds())])
        }
        let site = try place.site(session)
        let language = try session.language
        let feed = try BoardFeed(session, site: site.id)
        let screen = try Screen(readsKeys: false)
        defer { screen.leave() }
        while !screen.isLost, !Interruption.isWanted {
            try feed.turn()
            screen.show(
                BoardView(
                    site: site.name, state: feed.state, faulty: feed.faulty,
                    obstacle: feed.obstacle, lastHeard: feed.lastHeard,
                    now: WallClock.milliseconds(), language: language
                ).lines(screen.size))
            if screen.readKeys(within: 100).contains(.character("q")) { return }
        }
    }
}
