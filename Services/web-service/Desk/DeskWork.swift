/// The way to the desk from the other threads of this process.
enum DeskWork {
    /// Work for the thread of the desk.
    static let inbox = Inbox<WebDesk>()
}
