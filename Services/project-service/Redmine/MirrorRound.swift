import Messages
import ProjectRecord
import RedmineClient
import RedmineMirror
import ServiceRuntime

/// A project and its mirror at the beginning of a round. The results of a round follow from them,
/// and count only if nothing was changed meanwhile.
struct MirrorSnapshot: Sendable {
    let mirror: MirrorRow
    /// The id of the command that last changed the project.
    let mark: String
    /// The mark of the links.
    let linksMark: Int64
    let record: ProjectRecord
    /// The size of the things in the project, in bytes.
    let bytes: Int
    let names: MirrorNames
    let links: MirrorLinks
    let conflicts: [MirrorConflict]
    /// The notes that the server doesn't have yet, if there is something to write.
    let pending: [PendingNote]
    /// The issues with notes that the server has too, if notes are read.
    let withNotes: Set<Int>
    /// The issues with notes that the server doesn't have yet.
    let withUnsentNotes: Set<Int>
    /// Milliseconds since 1970.
    let now: Int64

    /// Everything that decides how much there is to write, if there is anything.
    var state: WaitingChanges.State {
        WaitingChanges.State(
            mark: mark, linksMark: linksMark, names: names, conflicts: conflicts, notes: pending)
    }
}

/// What a project and its mirror become after something was read or written.
struct MirrorMerge: Sendable {
    var mirror: MirrorRow
    let links: MirrorLinks
    let conflicts: [MirrorConflict]
    /// The names for the server's numbers; nil if it wasn't asked.
    let names: MirrorNames?
    /// The result for the project; nil if nothing changes.
    let outcome: ProjectOutcome?
    /// Why it can't be kept.
    let refusal: Refusal?
}

/// The result of a round.
enum MirrorResult: Sendable {
    /// The steps to take, and the links that record them.
    case planned([MirrorStep], MirrorLinks)
    case read(MirrorTask, MirrorNews, MirrorMerge)
}

/// A round finds out what to do, does it at the server and puts the result into the project, all of
/// it outside the loop and with a snapshot. The loop only keeps the result.
struct MirrorRound: Sendable {
    let server: RedmineServer
    /// The number of the user at the server.
    let user: Int
    let snapshot: MirrorSnapshot
    let rest: MirrorRest?

    /// How long a round may send requests to the server, because all mirrors share a few workers.
    static let longest: Duration = .seconds(600)

    var project: String { snapshot.mirror.project }

    /// How many times what was read has been merged.
    var tries: Int { if case .merge(_, _, let tries)? = rest { tries } else { 0 } }

    func run(atMost longest: Duration = MirrorRound.longest) -> MirrorResult {
        var mirror = snapshot.mirror
        let aim: MirrorTask.Aim
        switch rest {
        case .merge(let task, let news, _)?:
            return .read(task, news, Self.merge(news, of: task, into: snapshot))
        case .write(let steps)?: aim = .write(steps, known: known)
        case nil where mirror.phase == .write: return plan()
        case nil: aim = Mirrors.aim(of: &mirror, snapshot)
        }
        var server = server
        let deadline: ContinuousClock.Instant = .now + longest
        server.deadline = deadline
        let task = MirrorTask(mirror: mirror, server: server, user: user, aim: aim)
        var news = task.run()
        news.isOutOfTime = deadline <= .now
        return .read(task, news, Self.merge(news, of: task, into: snapshot))
    }

    /// Finds out what has to be written.
    private func plan() -> MirrorResult {
        let steps = MirrorPlan(
            snapshot.record, snapshot.names, snapshot.links, snapshot.conflicts,
            notes: snapshot.pending
        ).steps
        var links = snapshot.links
        for step in steps { links.attempt(step, in: snapshot.mirror.remote, at: snapshot.now) }
        return .planned(steps, links)
    }

    private var known: MirrorTask.Known {
        let links = snapshot.links
        func remotes(
            _ kind: MirrorLinks.Kind, _ created: (MirrorLinks.Link) -> Int64?
        ) -> [Int: Int64] {
            Dictionary(
                links.all(kind).map { ($0.remote, created($0) ?? 0) },
                uniquingKeysWith: { first, _ in first })
        }
        return MirrorTask.Known(
            issues: remotes(.issue) { $0.issue?.created },
            times: remotes(.entry) { $0.time?.created },
            notes: Set(links.all(.note).map(\.remote)), wholes: links.wholes,
            activities: snapshot.names.activities)
    }

    /// Puts what was read or written into the project.
    static func merge(
        _ news: MirrorNews, of task: MirrorTask, into snapshot: MirrorSnapshot
    ) -> MirrorMerge {
        var state = MirrorState(
            snapshot.record, snapshot.names, snapshot.links, snapshot.conflicts,
            withUnsentNotes: snapshot.withUnsentNotes)
        if let whole = news.whole {
            state.apply(whole.names, whole.statuses)
            state.apply(whole.project, whole.versions)
            state.apply(members: whole.members)
        }
        var mirror = task.mirror
        mirror.takeWishes(of: snapshot.mirror)
        Mirrors.apply(news, of: task, into: &state, &mirror, at: snapshot.now)
        if case .findNotes(let asked) = task.aim {
            Mirrors.apply(
                withNotes: news.withNotes, of: asked, beside: snapshot.withNotes,
                into: &state.links, since: mirror.began, at: snapshot.now)
        }
        mirror.skipped = task.isFirstPart ? [] : mirror.skipped
        var outcome: ProjectOutcome?
        var refusal: Refusal?
        do throws(Refusal) {
            do throws(Refusal) {
                if let edit = state.edit { outcome = try snapshot.record.making(edit) }
            } catch {
                state.leaveOutContradictions()
                if let edit = state.edit { outcome = try snapshot.record.making(edit) }
            }
            state.forgiveWhatHasGone()
            if let outcome,
                snapshot.bytes + ItemStore.growth(of: outcome.changes) > Edits.mostBytes
            {
                throw Edits.tooLarge
            }
        } catch { refusal = error }
        let isSame =
            outcome == nil && state.links.changed.isEmpty
            && Set(state.conflicts) == Set(snapshot.conflicts)
        if news.problem == nil, refusal == nil, isSame { mirror.leave(task.aim, at: snapshot.now) }
        mirror.skip(news.skipped + state.skipped)
        return MirrorMerge(
            mirror: mirror, links: state.links, conflicts: state.conflicts,
            names: news.whole == nil ? nil : state.names, outcome: outcome, refusal: refusal)
    }
}

extension MirrorRow {
    /// Ends the rounds for now. If somebody has asked for a round since they began, the next begins
    /// at once: the request may be about something that had been read before. After the clock was
    /// set back, a request may lie ahead, and would be followed by one round after another.
    mutating func rest(at now: Int64) {
        phase = .read
        due = now + (asked >= began && asked <= now ? 0 : Mirrors.interval)
    }

    /// Lets others go first after a round that took all the time that a round may take.
    mutating func giveWay(at now: Int64) { due = max(due, now + Mirrors.interval) }

    /// Continues after a round that changed nothing, because the same round would change nothing
    /// again.
    fileprivate mutating func leave(_ aim: MirrorTask.Aim, at now: Int64) {
        switch aim {
        case .lookAfter: phase = .times
        case .lookAfterTimes: phase = .notes
        case .write: rest(at: now)
        default: break
        }
    }

    /// Adds reasons why things can't be kept here, up to the number of reasons that are kept.
    fileprivate mutating func skip(_ reasons: [String]) {
        for reason in reasons {
            guard skipped.count < Self.mostSkipped else { return }
            let short = reason.prefix(bytes: Self.longestSkipped)
            if !skipped.contains(short) { skipped.append(short) }
        }
    }

    /// Takes over the requests that people made while a round was under way.
    fileprivate mutating func takeWishes(of mirror: MirrorRow) {
        (due, asked, swept) = (mirror.due, mirror.asked, mirror.swept)
        (failures, failure) = (mirror.failures, mirror.failure)
    }
}

extension Mirrors {
    /// The aim of a round that reads: the next part of what has to be read.
    fileprivate static func aim(
        of mirror: inout MirrorRow, _ snapshot: MirrorSnapshot
    ) -> MirrorTask.Aim {
        // After the clock was set back, the last sweep may lie ahead.
        let isOld = mirror.swept > snapshot.now || snapshot.now - mirror.swept > sweepInterval
        let issues = snapshot.links.all(.issue)
        switch mirror.phase {
        case .times, .lookAfterTimes: return timeAim(of: &mirror, snapshot.links)
        case .notes:
            return noteAim(
                of: mirror, snapshot.links, beside: snapshot.withNotes, at: snapshot.now)
        case .lookAfter:
            let missing = issues.filter { $0.remote > 0 && $0.seen != mirror.sweep }
                .prefix(mostMissing)
            return .lookAfter(
                Dictionary(missing.map { ($0.number, $0.remote) }, uniquingKeysWith: max))
        case .read, .write:
            if mirror.sweepOffset == nil, isOld || issues.count <= smallProject {
                mirror.sweep += 1
                (mirror.sweepOffset, mirror.sweepLast) = (0, 0)
                (mirror.timeOffset, mirror.timeLast) = (0, 0)
            }
            if mirror.sweepOffset ?? 0 == 0 { mirror.began = snapshot.now }
            guard let offset = mirror.sweepOffset else {
                return .readChanges(since: mirror.cursor)
            }
            return .readAll(offset: offset, last: mirror.sweepLast)
        }
    }
}
