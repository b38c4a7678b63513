import Bus
import Messages

extension Client {
    /// Requests events, retrying until the service has put its snapshot together.
    public func replay(_ question: Replay) throws -> ReplayPage {
        var page: ReplayPage?
        try eventually("the snapshot is put together") {
            do { page = try ask(question, for: ReplayPage.self) } catch ClientError.refused(let no)
            {
                guard no.code == .conflict else { throw ClientError.refused(no) }
            }
            return page != nil
        }
        return page ?? ReplayPage()
    }
}
