import Glibc
import HostCore
import HostTestKit
import PluginKit
import ReplayBuffer

/// ReplayBuffer on a ring that outlives the process, fed as fast as it goes until somebody kills it.
///
///     RingVictim disk DIRECTORY REPORT FIRST SEED
///     RingVictim memfd FILE REPORT FIRST SEED          FILE: the number of a descriptor that it was started with
///
/// REPORT is a file of 16 bytes, mapped: the number of the last frame that the plugin has taken, and how many it took. Frames
/// are numbered from FIRST on; a frame begins with its number, and the rest follows from it (`VictimFrame`).
@main struct RingVictim {
    static func main() {
        let words = CommandLine.arguments
        guard words.count == 6, let first = UInt64(words[4]), let seed = UInt64(words[5]) else {
            stop("RingVictim disk|memfd PLACE REPORT FIRST SEED")
        }
        let file = open(words[3], O_RDWR)
        guard file >= 0, let memory = mmap(nil, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { stop("cannot map \(words[3])") }
        let report = memory.assumingMemoryBound(to: UInt64.self)
        do {
            let fake = FakeHost()
            fake.setNow(1_000_000_000)
            let files = FakeFileStore()
            if words[1] == "disk" {
                fake.setStateDirectory(words[2])
            } else {
                guard files.keep("ring", Int32(words[2]) ?? -1) else { stop("\(words[2]) is no descriptor") }
                fake.setFileStore(files)
            }
            let instance = try FakeInstance.running(
                ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                config: VictimFrame.config(words[1]), in: fake)
            try feed(instance, from: first, seed, report)
        } catch {
            stop("\(error)")
        }
    }

    private static func stop(_ text: String) -> Never {
        _ = "\(text)\n".withCString { write(2, $0, strlen($0)) }
        _exit(1)
    }

    private static func feed(
        _ instance: FakeInstance, from first: UInt64, _ seed: UInt64, _ report: UnsafeMutablePointer<UInt64>
    ) throws {
        let (video, sound) = (try instance.tap(VictimFrame.video), try instance.tap(VictimFrame.sound))
        for tap in [video, sound] { tap.startEpoch(1) }
        video.setFormat("video/x-vp8, width=(int)16, height=(int)16, framerate=(fraction)30/1")
        sound.setFormat(
            "audio/x-raw, format=(string)S16LE, layout=(string)interleaved, rate=(int)48000, channels=(int)1")
        var random = VictimFrame.Random(state: seed)
        var (number, picture) = (first, Int64(0))
        var bytes: [UInt8] = []
        let step: Int64 = 1_000_000_000 / 30
        while true {
            let isSound = picture > 0 && random.next() % 3 == 0
            VictimFrame.fill(&bytes, number, size: isSound ? 200 : 200 + Int(random.next() % 12_000))
            if isSound {
                sound.push(bytes, pts: (picture - 1) * step, duration: step)
            } else {
                video.push(bytes, pts: picture * step, duration: step, isDelta: picture % 12 != 0)
                picture += 1
            }
            report[0] = number
            report[1] &+= 1
            number += 1
            // A mark, and other caps: what is noted changes while frames come.
            if random.next() % 40 == 0 { _ = try? instance.ask("mark") }
            if random.next() % 100 == 0 {
                sound.setFormat(
                    "audio/x-raw, format=(string)S16LE, layout=(string)interleaved, rate=(int)48000, channels=(int)\(1 + random.next() % 2)"
                )
            }
        }
    }
}
