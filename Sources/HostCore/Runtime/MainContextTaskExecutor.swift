/// Where a task of the control role continues that is in no actor just then: on the control thread, too.
final class MainContextTaskExecutor: TaskExecutor {
    private let main: MainContextExecutor

    init(_ main: MainContextExecutor) { self.main = main }

    func enqueue(_ job: UnownedJob) { main.enqueue(job, of: asUnownedTaskExecutor()) }
}
