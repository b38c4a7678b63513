import Messages
import Testing

@testable import Gateway

/// The progress of a job, as it is shown.
struct JobProgressTests {
    @Test(
        arguments: [
            (0, 7, 0), (29, 100, 29), (7, 7, 100), (9, 7, 100), (UInt64.max, UInt64.max, 100),
            (UInt64.max, 1, 100), (UInt64.max / 2, UInt64.max, 49),
        ] as [(UInt64, UInt64, Int)])
    func `progress is shown in percent, whatever numbers the service names`(
        done: UInt64, total: UInt64, percent: Int
    ) {
        let job = Job(done: done, total: total, message: "reading")

        #expect(JobProgress.words(job) == "\(percent) %  reading")
        #expect(JobProgress.bar(job).contains(" \(percent) %  reading"))
    }

    @Test func `progress without a known total says only what the job does`() {
        let job = Job(done: 7, message: "reading")

        #expect(JobProgress.words(job) == "reading")
        #expect(JobProgress.bar(job) == "reading")
    }
}
