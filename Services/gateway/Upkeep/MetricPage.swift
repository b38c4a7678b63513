import Messages

/// The samples of the services for Prometheus, one per line.
struct MetricPage {
    /// One measured value of something named by its labels.
    struct Sample: Encodable {
        /// The name of the metric, which ``MetricPage/kinds`` explains.
        let name: String
        /// The labels that distinguish samples of one metric.
        let labels: [String: String]
        let value: Double
    }

    /// A metric's name, whether it only grows, and its meaning.
    struct Kind {
        let name: String
        let isCounter: Bool
        let help: String
    }

    /// Every metric, in the order of the page.
    static let kinds = [
        gauge("steward_up", "1 when the service answers, otherwise 0."),
        gauge("steward_version_info", "Always 1; the label has the version."),
        gauge("steward_start_time_seconds", "When the service started, since 1970."),
        gauge("steward_clock_ahead_seconds", "How far its clock is ahead of the one here."),
        gauge("steward_events", "Number of its newest event."),
        gauge("steward_store_bytes", "Size of its store."),
        gauge("steward_free_bytes", "Free space on the disk of its store."),
        gauge("steward_dead_letters", "What it could not do and has put aside."),
        gauge("steward_running_jobs", "Work outside its loop at the moment."),
        Kind(
            name: "steward_occurrences_total", isCounter: true,
            help: "What has happened to it since its start, by kind."),
        gauge("steward_behind_events", "Events of the producer that it has not applied yet."),
        gauge(
            "steward_heard_time_seconds",
            "When it last heard the producer, since 1970; 0 when not since its start."),
    ]

    /// The samples, in the order of ``kinds``, then in the order in which they were added.
    let samples: [Sample]

    init(_ reports: [StatusCommand.Report]) {
        let samples = reports.flatMap(Self.samples)
        self.samples = Self.kinds.flatMap { kind in samples.filter { $0.name == kind.name } }
    }

    /// The page in the text format of Prometheus, version 0.0.4:
    /// https://prometheus.io/docs/instrumenting/exposition_formats/
    var text: String {
        Self.kinds.map { kind in
            let lines = samples.filter { $0.name == kind.name }.map(Self.line)
            guard !lines.isEmpty else { return "" }
            return "# HELP \(kind.name) \(kind.help)\n"
                + "# TYPE \(kind.name) \(kind.isCounter ? "counter" : "gauge")\n" + lines.joined()
        }.joined()
    }

    private static func gauge(_ name: String, _ help: String) -> Kind {
        Kind(name: name, isCounter: false, help: help)
    }

    private static func samples(_ report: StatusCommand.Report) -> [Sample] {
        func sample(
            _ name: String, _ value: Double, _ labels: [String: String] = [:]
        ) -> Sample {
            let service = ["service": report.service]
            return Sample(name: name, labels: labels.merging(service) { $1 }, value: value)
        }
        guard let status = report.status else { return [sample("steward_up", 0)] }
        let whole = [
            sample("steward_up", 1),
            sample("steward_version_info", 1, ["version": status.version]),
            sample("steward_start_time_seconds", Double(status.started) / 1000),
            sample("steward_clock_ahead_seconds", Double(report.clock) / 1000),
            sample("steward_events", Double(status.head)),
            sample("steward_store_bytes", Double(status.storeBytes)),
            sample("steward_free_bytes", Double(status.freeBytes)),
            sample("steward_dead_letters", Double(status.deadLetters)),
            sample("steward_running_jobs", Double(status.runningJobs)),
        ]
        let occurrences = status.counters.sorted { $0.key < $1.key }.map {
            sample("steward_occurrences_total", Double($0.value), ["kind": $0.key])
        }
        let followed = status.cursors.flatMap { cursor in
            let behind = cursor.head - min(cursor.head, cursor.sequence)
            let producer = ["producer": cursor.producer]
            return [
                sample("steward_behind_events", Double(behind), producer),
                sample("steward_heard_time_seconds", Double(cursor.heard) / 1000, producer),
            ]
        }
        return whole + occurrences + followed
    }

    private static func line(_ sample: Sample) -> String {
        let labels = sample.labels.sorted { $0.key < $1.key }.map {
            "\($0.key)=\"\(escaped($0.value))\""
        }
        let isWhole = sample.value.rounded() == sample.value && sample.value.magnitude < 1e15
        let value = isWhole ? "\(Int64(sample.value))" : "\(sample.value)"
        return "\(sample.name){\(labels.joined(separator: ","))} \(value)\n"
    }

    /// A label's value, escaped for the format. What services send isn't trusted either.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
