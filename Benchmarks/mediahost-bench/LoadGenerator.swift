import Foundation
import Synchronization

/// Keeps the machine's processors busy for a share of the time, whatever else they do: looks once a second how busy all of
/// them were, and spins for the rest.
final class LoadGenerator: Sendable {
    private let share: Double
    /// What each processor spins of each 10 ms, in microseconds.
    private let spin = Atomic<Int>(0)
    private let isDone = Atomic(false)
    /// How busy the processors were, of each second.
    var busy: [Double] { found.withLock { $0 } }
    private let found = Mutex<[Double]>([])

    init(share: Double) { self.share = share }

    /// Blocks for that long.
    func run(seconds: Int) {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            Thread.detachNewThread { [self] in
                while !isDone.load(ordering: .relaxed) { work() }
            }
        }
        steer(seconds)
        isDone.store(true, ordering: .relaxed)
    }

    /// One period of one processor.
    private func work() {
        let began = monotonic()
        let microseconds = UInt64(spin.load(ordering: .relaxed))
        while monotonic() - began < microseconds * 1000 {}
        // The part of the period in which this processor is free.
        usleep(UInt32(10_000 - min(10_000, (monotonic() - began) / 1000)))
    }

    private func steer(_ seconds: Int) {
        var before = Self.times()
        var next = monotonic()
        for _ in 0..<seconds {
            next += 1_000_000_000
            let now = monotonic()
            // One look a second.
            if next > now { usleep(UInt32((next - now) / 1000)) }
            let after = Self.times()
            let all = after.all - before.all
            let busy = all > 0 ? 1 - (after.idle - before.idle) / all : 0
            before = after
            found.withLock { $0.append(busy) }
            let wanted = Double(spin.load(ordering: .relaxed)) + (share - busy) * 5000
            spin.store(Int(min(9500, max(0, wanted))), ordering: .relaxed)
        }
    }

    /// Sums over all processors since the start of the machine, in ticks (proc(5), /proc/stat).
    private static func times() -> (idle: Double, all: Double) {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let words = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
        // user nice system idle iowait irq softirq steal; guests are in user already.
        return words.count < 8 ? (0, 0) : (words[3] + words[4], words.prefix(8).reduce(0, +))
    }
}
