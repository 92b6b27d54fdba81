internal import CMemory
internal import Glibc
internal import GStreamerKit
internal import PluginABI

extension TrialBench {
    private static let blocks = 6
    private static let rounds = 30
    /// The last of them: the first still grow by what is made once (the Swift runtime takes 16 KiB at a time for the metadata of
    /// its types, tables double). What leaks with each instance grows in each block.
    private static let judged = 3
    /// The smallest piece that malloc gives out is larger.
    private static let leastBytes = 16

    /// Instances come and go; what the process holds is looked at in between.
    func leak() async {
        let loop = quiet()
        // Looking must not be seen: room for all, and one look that is not judged.
        var looks: [Footprint] = []
        looks.reserveCapacity(Self.blocks + 1)
        let rounds = await rounds(of: loop)
        guard rounds > 0 else { return }
        for block in 0...Self.blocks {
            step("block \(block) of \(Self.blocks), \(rounds) instances each")
            for _ in 0..<rounds { guard await turn(loop) else { return } }
            looks.append(Footprint.now())
        }
        judge(looks.suffix(Self.judged + 1), rounds)
        _ = plugin.perform(TrialCall(.settle, 0))
    }

    /// How many instances a block has: fewer where one takes its time, as it may. 0 where there is none.
    private func rounds(of loop: QuietInstance) async -> Int {
        let began = house.clock.monotonic()
        guard await turn(loop) else { return 0 }
        let one = max(1, (house.clock.monotonic() - began).nanoseconds)
        let all = 2 * order.effort.nanoseconds / one
        return min(Self.rounds, max(2, Int(all) / (Self.blocks + 1)))
    }

    private func turn(_ loop: QuietInstance) async -> Bool {
        guard loop.create(), loop.initialise(config), loop.activate() else { return false }
        loop.deactivate()
        return await end(loop)
    }

    private func judge(_ looks: ArraySlice<Footprint>, _ block: Int) {
        func growth(_ key: KeyPath<Footprint, Int>) -> (least: Int, total: Int) {
            let steps = zip(looks.dropFirst(), looks).map { $0[keyPath: key] - $1[keyPath: key] }
            return (steps.min() ?? 0, (looks.last?[keyPath: key] ?? 0) - (looks.first?[keyPath: key] ?? 0))
        }
        let rounds = block * (looks.count - 1)
        let bytes = growth(\.bytes)
        // Of the block that grew least: there nothing was made once.
        let each = max(0, bytes.least) / block
        if each >= Self.leastBytes {
            fault(
                "leaks memory: \(each) bytes with each instance that comes and goes (\(bytes.total) over \(rounds))",
                expected: "destroy frees the instance, and what init and activate took",
                fix: "run it under valgrind or AddressSanitizer; look at what create and init allocate")
        }
        let files = growth(\.files)
        if files.least > 0 {
            fault(
                "leaks files: \(files.total) descriptors more after \(rounds) instances", expected: "the same number",
                fix: "close in deactivate or destroy what init and activate opened")
        }
        let threads = growth(\.threads)
        if threads.least > 0 {
            fault(
                "leaves threads behind: \(threads.total) more after \(rounds) instances", expected: "the same number",
                fix: "end and join them in deactivate or destroy")
        }
        let memory = looks.last?.bytes == 0 ? "unknown here: malloc does not say" : "\(each) bytes"
        TrialPipe.note(
            "per instance: \(memory); in all \(files.total) files, \(threads.total) threads, resident memory "
                + "\((looks.last?.resident ?? 0) - (looks.first?.resident ?? 0)) KiB over \(rounds) instances")
    }
}

/// What a process holds.
struct Footprint: Sendable, Equatable {
    /// In use, of malloc's; 0 where it does not say.
    var bytes: Int
    var files: Int
    var threads: Int
    /// KiB.
    var resident: Int

    static func now() -> Footprint {
        let pages = (try? TextFile.read("/proc/self/statm", most: 4096, mayWait: false).bytes)
            .map { String(decoding: $0, as: UTF8.self) }?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        return Footprint(
            bytes: Int(clamping: mh_heap_in_use()), files: TextFile.names(in: "/proc/self/fd").count,
            threads: TextFile.names(in: "/proc/self/task").count, resident: resident * Int(getpagesize()) / 1024)
    }
}
