import Messages
import Testing

@testable import Gateway

@Suite struct MetricPageTests {
    private static func report(
        _ service: String, head: UInt64 = 12, version: String = "1.2.3"
    ) -> StatusCommand.Report {
        StatusCommand.Report(
            service: service, state: .running,
            status: ServiceStatus(
                service: service, version: version, started: 1_800_000_000_250, head: head,
                cursors: [
                    .init(
                        producer: "account-service", sequence: 5, head: 9,
                        heard: 1_800_000_001_000)
                ],
                deadLetters: 2, runningJobs: 1, counters: ["commands.repeated": 3],
                storeBytes: 4096, freeBytes: 1 << 40),
            clock: -1500)
    }

    @Test func `a page has each metric once, explained, with one sample a line`() throws {
        let page = MetricPage([
            Self.report("notifier"),
            .init(service: "plan-service", state: .noAnswer, status: nil),
        ])

        let text = page.text
        #expect(
            text.hasPrefix(
                """
                # HELP steward_up 1 when the service answers, otherwise 0.
                # TYPE steward_up gauge
                steward_up{service="notifier"} 1
                steward_up{service="plan-service"} 0
                # HELP steward_version_info
                """))
        for line in [
            "steward_start_time_seconds{service=\"notifier\"} 1800000000.25",
            "steward_clock_ahead_seconds{service=\"notifier\"} -1.5",
            "steward_dead_letters{service=\"notifier\"} 2",
            "steward_occurrences_total{kind=\"commands.repeated\",service=\"notifier\"} 3",
            "steward_behind_events{producer=\"account-service\",service=\"notifier\"} 4",
        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
        #expect(text.hasSuffix("\n"))
        for kind in MetricPage.kinds {
            #expect(text.components(separatedBy: "# TYPE \(kind.name) ").count == 2)
        }
        let label = #"[a-z]+="[^"\n]*""#
        let sample = #"[a-z_]+\{\#(label)(,\#(label))*\} -?[0-9.e+]+"#
        let form = try Regex("# (HELP|TYPE) [a-z_]+ [^\\n]+|" + sample)
        #expect(text.split(separator: "\n").filter { $0.wholeMatch(of: form) == nil } == [])
    }

    @Test func `every sample belongs to a metric that the page explains`() {
        let samples = MetricPage([Self.report("notifier")]).samples

        #expect(Set(samples.map(\.name)) == Set(MetricPage.kinds.map(\.name)))
    }

    @Test func `a name from the network can't add a line or a label`() {
        let version = "1\"} 1\nsteward_up{service=\"x\\"

        let text = MetricPage([Self.report("notifier", version: version)]).text

        let escaped = #"version="1\"} 1\nsteward_up{service=\"x\\"} 1"#
        #expect(text.contains(escaped + "\n"))
        #expect(text.components(separatedBy: "\nsteward_up{").count == 2)
    }

    @Test func `numbers of any size are written so that Prometheus can read them`() {
        let text = MetricPage([Self.report("notifier", head: .max)]).text

        #expect(text.contains("\nsteward_events{service=\"notifier\"} 1.8446744073709552e+19\n"))
    }
}
