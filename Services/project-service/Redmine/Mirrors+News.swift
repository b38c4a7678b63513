import RedmineMirror

/// Puts what was read or written into a project.
extension Mirrors {
    /// Takes over what was read or written.
    static func apply(
        _ news: MirrorNews, of task: MirrorTask, into state: inout MirrorState,
        _ mirror: inout MirrorRow, at now: Int64
    ) {
        switch task.aim {
        case .readChanges:
            state.apply(news.issues, sweep: nil)
            if let cursor = news.cursor { mirror.cursor = cursor.since }
            guard news.isAtEnd else { break }
            mirror.cursor = believed(mirror.cursor, at: now)
            let count = state.links.all(.issue).count { $0.remote > 0 }
            // Not all reasons are kept, so more issues than those may have been left out.
            let isKnown = mirror.skipped.count < MirrorRow.mostSkipped
            let most = isKnown ? count + mirror.skipped.count : Int.max
            if let total = news.total, !(count...most).contains(total) {
                // Something was removed or missed, so everything is read.
                mirror.swept = 0
            } else {
                mirror.phase = .times
            }
        case .readAll:
            state.apply(news.issues, sweep: task.sweep)
            (mirror.sweepOffset, mirror.sweepLast) = (news.offset, news.last)
            // What changes during a sweep is read with the first changes after it.
            if let newest = news.newest { mirror.cursor = believed(newest, at: now) }
            mirror.swept = now
            if news.isAtEnd { (mirror.phase, mirror.sweepOffset) = (.lookAfter, nil) }
        case .lookAfter:
            applyDone(news.done, sweep: task.sweep, into: &state)
            guard news.problem == nil else { break }
            let missing = state.links.all(.issue).count {
                $0.remote > 0 && $0.seen != task.sweep
            }
            if missing == 0 { mirror.phase = .times }
        case .readTimes, .lookAfterTimes:
            applyTimes(news, of: task, into: &state, &mirror)
        case .findNotes: break
        case .readNotes(let numbers):
            // The next round finds out whether there are more of them.
            if numbers.isEmpty { mirror.phase = .write }
        case .write: applyDone(news.done, sweep: nil, into: &state)
        }
        mirror.due = now
    }

    /// The time of the last change that was read, or a day ago if that time is more than a day
    /// ahead: after a server's clock was wrong, no later change would be read.
    ///
    /// - Parameters:
    ///   - seconds: the time, in seconds since 1970.
    ///   - now: the time of this machine, in milliseconds since 1970.
    private static func believed(_ seconds: Int64, at now: Int64) -> Int64 {
        let day: Int64 = 86_400
        return seconds > now / 1_000 + day ? max(now / 1_000 - day, 0) : seconds
    }

    static func applyDone(
        _ done: [MirrorNews.Done], sweep: Int?, into state: inout MirrorState
    ) {
        for one in done {
            switch one {
            case .made(let number, let issue, let sent):
                state.join(number, with: issue, sent: sent)
            case .changed(let number, let values, let issue):
                state.agree(number, on: values, issue)
            case .related(let number, let relation):
                state.join(relation: number, with: relation)
            case .unrelated(let number): state.links.remove(.relation, number)
            case .removed(let number): state.unlink(number)
            case .unsent(let kind, let number): state.links.remove(kind, number)
            case .logged(let number, let time, let sent):
                state.join(time: number, with: time, sent: sent)
            case .changedTime(let number, let fields, let time):
                state.agree(time: number, on: fields, time)
            case .removedTime(let number): state.forget(time: number)
            case .staleTime(let time): state.apply([time], sweep: sweep)
            case .goneTime(let number): state.lose(time: number, sweep: sweep)
            case .deniedTime(let number): state.deny(time: number, sweep: sweep)
            case .changedWhole(let kind, let number, let fields, let whole):
                state.agree(kind, number, on: fields, whole)
            case .staleWhole(let kind, let number, let whole):
                state.applyStale(kind, number, whole)
            case .refusedWhole(let kind, let number, let values, let whole, let reason):
                state.refuse(kind, number, values, whole, reason)
            case .removedVersion(let number): state.forgetVersion(number)
            case .noted(let number, let note):
                state.conflicts.removeAll { $0.field == MirrorConflict.note(number) }
                state.links.keep(
                    MirrorLinks.Link(
                        kind: .note, number: number, remote: note.id,
                        base: Array(note.text.utf8)))
            case .stale(let issue): state.apply([issue], sweep: sweep)
            case .gone(let number): state.lose(number, sweep: sweep, inStretches: true)
            case .denied(let number): state.deny(number, sweep: sweep)
            case .unusable(let kind, let number, let reason):
                state.pass(over: kind, number, sweep: sweep, reason)
            case .refused(let number, let fields, let issue, let reason):
                if let issue { state.apply([issue], sweep: sweep) }
                // The conflicts would show what a private issue says.
                guard issue?.isPrivate != true else { continue }
                for field in fields {
                    let theirs = issue.flatMap { issue in
                        RemoteField(rawValue: field).map { MirrorTerms.words($0, of: issue) }
                    }
                    state.refuse(number, field, theirs: theirs ?? "", reason)
                }
            }
        }
    }
}
