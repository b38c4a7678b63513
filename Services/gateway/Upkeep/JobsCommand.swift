import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward jobs`
struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Shows, cancels and retries jobs of a service.",
        subcommands: [List.self, Cancel.self, Retry.self], defaultSubcommand: List.self)

    /// `steward jobs list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the newest jobs.")

        @Option(help: "The service that runs them.")
        var service: ServiceName = .transitAlert
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(service, ListJobs(), for: Jobs.self)
            // That is as many as a service lists.
            let more = reply.jobs.count >= 50
            guard !output.json else {
                return try session.printer.json(.jobs, reply.jobs, beside: ["more": more])
            }
            guard !reply.jobs.isEmpty else { return session.printer.remark("there are no jobs") }
            let clock = try session.siteClock
            let length = ShortID.length(telling: reply.jobs.map(\.id))
            var table = TextTable([
                .id("JOB"), .text("DOES"), .text("STATE"), .number("DONE"),
                .time(clock.title("ACCEPTED", of: reply.jobs.map(\.created))),
                .text("TOOK"), .text("MESSAGE"),
            ])
            let now = WallClock.milliseconds()
            for job in reply.jobs {
                let style: Style? =
                    switch job.state {
                    case .failed: .red
                    case .succeeded: .green
                    default: nil
                    }
                let ended = job.ended == 0 ? now : job.ended
                table.add([
                    .init(String(job.id.prefix(length))), .init(job.type),
                    .init(job.state.description, style),
                    .init(job.total > 0 ? "\(JobProgress.percent(of: job)) %" : ""),
                    .init(clock.moment(job.created)),
                    .init(Wording.duration(max(0, ended - job.created))), .init(job.message),
                ])
            }
            session.printer.table(table)
            if more { session.printer.remark("only the newest are listed; there may be others") }
        }
    }

    /// A job, and the service that runs it.
    struct JobOptions: ParsableArguments {
        @Argument(help: "The job's id, or its unique beginning.")
        var job: String
        @Option(help: "The service that runs it.")
        var service: ServiceName = .transitAlert
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        /// Sends the command for the job, and says what happens next.
        func ask(saying remark: String, _ command: (String) -> some ProtobufMessage) throws {
            let session = try Session()
            let reply = try session.ask(
                service, command(job), for: Job.self, repeating: repeating)
            if output.json { return try session.printer.json(.jobs, [reply]) }
            session.printer.remark(remark)
        }
    }

    /// `steward jobs cancel`
    struct Cancel: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Ends a job that is queued or running.")

        @OptionGroup var options: JobOptions

        func run() throws {
            try options.ask(saying: "the job ends as soon as it notices") { CancelJob(jobId: $0) }
        }
    }

    /// `steward jobs retry`
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Retries a failed job.")

        @OptionGroup var options: JobOptions

        func run() throws {
            try options.ask(saying: "the job begins again") { RetryJob(jobId: $0) }
        }
    }
}
