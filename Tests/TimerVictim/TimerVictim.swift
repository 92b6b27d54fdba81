import Glibc
import Guillotine
import HostCore
import HostTestKit
import LaundryTimers
import PluginKit

/// LaundryTimers, killed at each of its system calls in turn: from the start of a host over `start`, `stop`, completion and
/// acknowledgement to its end in order. What the next host finds is printed, a line for each kill; a test judges it.
///
///     TimerVictim DIRECTORY [STEP]    at each STEPth; no file of it stays
///     TimerVictim --try               exit code 0 where this machine lets a process be traced
///
/// A process of its own, because only one with a single thread can have children that go on with its work.
@main struct TimerVictim {
    private static let start: Int64 = 1_767_225_600_000_000_000
    private static let length = Duration.seconds(60)
    /// How many answers there are before the wash is over.
    private static let answersInTime = 4

    static func main() {
        let word = CommandLine.arguments.dropFirst().first ?? ""
        if word == "--try" {
            var end = guillotine_end()
            exit(guillotine_run({ _ in _ = getpid() }, nil, -1, &end))
        }
        let step = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1
        for number in stride(from: 0, to: Int.max, by: max(1, step)) {
            let folder = "\(word)/\(number)"
            guard mkdir(folder, 0o700) == 0 else { stop("cannot make \(folder)") }
            let end = kill(at: number, in: folder)
            for name in ["timers.db", "timers.db-wal", "timers.db-journal"] { unlink("\(folder)/\(name)") }
            guard rmdir(folder) == 0 else { stop("\(folder) has other files, too") }
            if end.killed_in < 0 { break }
        }
        // What is still held is no leak of this program's: the plugin's own tests look for those.
        _exit(0)
    }

    private static func say(_ line: String) { _ = "\(line)\n".withCString { write(1, $0, strlen($0)) } }

    private static func stop(_ text: String) -> Never {
        say("error=\(text)")
        exit(1)
    }

    private final class Child {
        let folder: String
        let report: Int32

        init(_ folder: String, _ report: Int32) { (self.folder, self.report) = (folder, report) }
    }

    private static func kill(at number: Int, in folder: String) -> guillotine_end {
        var pipe: [Int32] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { stop("no pipe") }
        let child = Child(folder, pipe[1])
        var end = guillotine_end()
        let error = guillotine_run(
            { context in
                guard let context else { return }
                let child = Unmanaged<Child>.fromOpaque(context).takeUnretainedValue()
                do {
                    try TimerVictim.live(child.folder) { word in _ = write(child.report, word, 1) }
                } catch {
                    TimerVictim.say("error=\(error)")
                    _exit(2)
                }
            }, Unmanaged.passUnretained(child).toOpaque(), number, &end)
        close(pipe[1])
        var answers = [UInt8](repeating: 0, count: 64)
        answers.removeLast(answers.count - max(0, read(pipe[0], &answers, answers.count)))
        let (answered, wasTold) = (answers.count { $0 == UInt8(ascii: "x") }, answers.contains(UInt8(ascii: "t")))
        close(pipe[0])
        guard error == 0 else { stop("the kill at call \(number) went wrong: \(String(cString: strerror(error)))") }
        do {
            say(
                "kill=\(number) call=\(end.killed_in) answered=\(answered) before=\(wasTold ? "told" : "") "
                    + (try look(folder, answered)))
        } catch {
            say("kill=\(number) call=\(end.killed_in) answered=\(answered) error=\(error)")
        }
        return end
    }

    private static func host(_ folder: String, _ now: Int64) throws -> FakeInstance {
        let fake = FakeHost()
        fake.setNow(now)
        fake.setStateDirectory(folder)
        let instance = try FakeInstance.running(
            LaundryTimersPlugin.descriptor.id, of: PluginEntry.entry(for: LaundryTimersPlugin.self),
            config: ["pets": [["id": "a"], ["id": "b"], ["id": "c"]], "tick": false], in: fake)
        instance.settle()
        return instance
    }

    /// What is killed; it says "x" after each step of which somebody has heard that it was done, and "t" when the wash is told to be over.
    private static func live(_ folder: String, say: (String) -> Void) throws {
        func answer() { say("x") }
        let instance = try host(folder, start)
        answer()
        let orders: [(String, Value)] = [
            ("start", ["pet": "a", "kind": "wash", "duration": "60s"]),
            ("start", ["pet": "b", "kind": "wash", "duration": "60s"]), ("stop", ["pet": "b"]),
        ]
        for (command, parameters) in orders {
            _ = try instance.ask(command, parameters)
            instance.settle()
            answer()
        }
        try instance.advance(by: length - .milliseconds(100))
        instance.settle()
        try instance.advance(by: .milliseconds(100))
        if instance.fake.seen.posted.contains(where: { $0.name.hasSuffix(".finished") }) { say("t") }
        instance.settle()
        // It is noted that it was told.
        try instance.advance(by: .seconds(1))
        instance.settle()
        answer()
        _ = try instance.ask("acknowledge", ["timer": "a/1"])
        instance.settle()
        answer()
        instance.end()
        answer()
    }

    /// The next host, and one more start on it.
    private static func look(_ folder: String, _ answered: Int) throws -> String {
        let instance = try host(folder, answered < answersInTime ? start : start + 61_000_000_000)
        let list = try instance.ask("list")
        let summary = try instance.ask("summary")
        let told = instance.fake.seen.posted.filter { $0.name.hasSuffix(".finished") }
        let next = try instance.ask("start", ["pet": "c", "kind": "cycle"])
        let words = [
            "running=" + names(list["timers"]), "finished=" + names(list["finished"]),
            "told="
                + told.map { "\($0.payload["timer"]?.string ?? "?"):\($0.payload["attempt"]?.int ?? 0)" }.joined(
                    separator: ","),
            "next=\(next["timer"]?.string ?? "?")", "damaged=\(summary["store_set_aside"]?.string ?? "no")",
        ]
        instance.end()
        return words.joined(separator: " ")
    }

    private static func names(_ list: Value?) -> String {
        (list?.list ?? []).map { $0["timer"]?.string ?? "?" }.joined(separator: ",")
    }
}
