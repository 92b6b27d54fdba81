internal import CGLib
internal import Glibc
internal import HostCore
internal import Locking

/// A terminal's other screen, with keys as they are pressed, until it is left; then the terminal is as it was.
///
/// - Thread: one; it runs the default main context.
final class LiveScreen {
    private var isOver = false
    private var isDue = true
    private let before: termios
    private var sources: [guint] = []
    private let workers = WorkerPool()
    /// Whether a thread was left to its work.
    private(set) var isWorking = false
    private var pace: (milliseconds: guint, source: guint)?

    /// Nil where there is no terminal.
    init?(milliseconds: guint) {
        var now = termios()
        guard tcgetattr(Terminal.input, &now) == 0, Terminal.isInteractive(Terminal.output) else { return nil }
        before = now
        now.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(Terminal.input, TCSANOW, &now)
        Output.write("\u{1B}[?1049h\u{1B}[?25l", to: Terminal.output)
        // They are taken back in `leave`, before this is gone.
        let this = Unmanaged.passUnretained(self).toOpaque()
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            sources.append(g_unix_signal_add(signal, { LiveScreen.tell($0) { $0.isOver = true } }, this))
        }
        sources.append(g_unix_signal_add(SIGWINCH, { LiveScreen.tell($0) { $0.isDue = true } }, this))
        setPace(milliseconds: milliseconds)
        isDue = true
        sources.append(
            g_unix_fd_add(
                Terminal.input, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue),
                { _, _, context in LiveScreen.tell(context) { $0.readKeys() } }, this))
    }

    /// How long it is from one picture to the next.
    func setPace(milliseconds: guint) {
        guard pace?.milliseconds != milliseconds else { return }
        if let pace { g_source_remove(pace.source) }
        // Taken back in `leave`, as the others.
        let this = Unmanaged.passUnretained(self).toOpaque()
        isDue = false
        pace = (milliseconds, g_timeout_add(milliseconds, { LiveScreen.tell($0) { $0.isDue = true } }, this))
    }

    /// Gives the terminal back.
    func leave() {
        if let pace { g_source_remove(pace.source) }
        pace = nil
        for source in sources { g_source_remove(source) }
        sources = []
        Output.write("\u{1B}[?25h\u{1B}[?1049l", to: Terminal.output)
        var settings = before
        tcsetattr(Terminal.input, TCSANOW, &settings)
    }

    /// Waits until a picture is due; false where the user has seen enough.
    func waitForTurn() -> Bool {
        while !isDue, !isOver { g_main_context_iteration(nil, 1) }
        // What was asked for while a picture was drawn.
        while g_main_context_iteration(nil, 0) != 0 {}
        isDue = false
        return !isOver
    }

    /// What `work` returns, from a thread of its own; nil where the user has seen enough before. Then the thread is left to it.
    func wait<Answer: Sendable>(for work: @escaping @Sendable () -> Answer) -> Answer? {
        let place = Locked<Answer?>(nil)
        workers.submit {
            let answer = work()
            place.withLock { $0 = answer }
            g_main_context_wakeup(nil)
        }
        isWorking = true
        while !isOver {
            if let answer = place.withLock({ $0 }) {
                isWorking = false
                return answer
            }
            g_main_context_iteration(nil, 1)
        }
        return nil
    }

    /// In place of what is there, without a flicker.
    func show(_ lines: [String]) {
        Output.write(
            "\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J", to: Terminal.output)
    }

    private func readKeys() {
        var keys = [UInt8](repeating: 0, count: 32)
        let count = read(Terminal.input, &keys, keys.count)
        let ends: [UInt8] = [UInt8(ascii: "q"), UInt8(ascii: "Q")]
        if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { isOver = true }
        if count > 0, keys[..<count].contains(where: ends.contains) { isOver = true }
    }

    private static func tell(_ context: gpointer?, _ change: (LiveScreen) -> Void) -> gboolean {
        if let context { change(Unmanaged<LiveScreen>.fromOpaque(context).takeUnretainedValue()) }
        return 1
    }
}
