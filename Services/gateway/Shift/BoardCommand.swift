import ArgumentParser
import Bus
import ShiftClient
import Speech
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

            While a travel path is due or something is overdue, the head of the board flashes and \
            the terminal's bell rings, more often the later it is: every half minute, and every \
            five seconds once a travel path is late or something time-critical is overdue. Switch \
            the terminal's sound on.
            """)

    @Flag(help: "Flash without ringing the bell.")
    var silent = false

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
        var bell = BoardBell()
        while !screen.isLost, !Interruption.isWanted {
            try feed.turn()
            let now = WallClock.milliseconds()
            screen.show(
                BoardView(
                    site: site.name, state: feed.state, faulty: feed.faulty,
                    obstacle: feed.obstacle?.text(in: language), lastHeard: feed.lastHeard,
                    now: now, language: language
                ).lines(screen.size))
            if bell.rings(BoardAlarm(feed.state, at: now), at: now), !silent { screen.ring() }
            if screen.readKeys(within: 100).contains(.character("q")) { return }
        }
        // Whatever keeps the display running starts it again.
        guard Interruption.isWanted else { throw Failure(.broken, "the terminal is gone") }
    }
}
