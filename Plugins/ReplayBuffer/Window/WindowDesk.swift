import GStreamerKit
import Locking
import PluginKit

internal import CGLib
internal import Glibc

/// The window's list and its init files, and whatever is made out of the ring for who asks.
///
/// Thread: worker, all of it, several at a time. Lock: `state` is held while the list looks at the ring, whose own lock is
/// taken within it; never by a streaming thread, nor while anything is made.
final class WindowDesk: Sendable {
    /// What an answer from memory may have; more goes through a file in memory.
    static let mostBytes = 16 << 20

    private static let mostInits = 16
    private static let mostTries = 3

    private struct State: Sendable {
        var list: WindowList
        var inits: [WindowFormat: Result<InitFile, PluginError>] = [:]
    }

    private let store: ReplayStore
    private let settings: ReplaySettings
    private let state: Locked<State>

    init(_ store: ReplayStore, _ settings: ReplaySettings) {
        self.store = store
        self.settings = settings
        state = Locked(State(list: WindowList(after: store.windowMark)))
    }

    /// Why a list may name nothing.
    var emptiness: String {
        "the window is empty: \(settings.video) has not shown a complete segment yet, which begins with a key frame "
            + "and ends with one, a second later at least"
    }

    /// The list as it is now, which may name nothing yet. All it names can be played.
    func list() throws(PluginError) -> WindowList {
        let list = look()
        guard let newest = list.named.last else { return list }
        _ = try initFile(newest.format, list)
        return leaveOutRefused(list)
    }

    private func look() -> WindowList {
        let look = (settings.window.wholeNanoseconds, settings.frameCapacity)
        return state.withLock { [store] state -> WindowList in
            state.list.update(store.windowLook(window: look.0, frameCapacity: look.1)) { segment, end in
                store.windowFrames(from: segment.start, to: end).flatMap(WindowFacts.init)
            }
            store.windowMark = state.list.mark
            return state.list
        }
    }

    /// What is from before a change to a format that can be shown.
    private func leaveOutRefused(_ list: WindowList) -> WindowList {
        var refused: UInt64?
        var known: [WindowFormat: Bool] = [:]
        for segment in list.named {
            if known[segment.format] == nil { known[segment.format] = (try? initFile(segment.format, list)) != nil }
            if known[segment.format] == false { refused = segment.number }
        }
        guard let refused else { return list }
        return state.withLock { state -> WindowList in
            state.list.forget(through: refused)
            return state.list
        }
    }

    /// The list as it was, if what is asked for is in it: a player may know it from the process before this one.
    private func known(_ isThere: (WindowList) -> Bool) -> WindowList {
        let list = state.withLock { $0.list }
        return isThere(list) ? list : look()
    }

    // MARK: Init files

    func initFile(_ format: WindowFormat) throws(PluginError) -> InitFile {
        try initFile(format, known { $0.all.contains { $0.format == format } })
    }

    private func initFile(_ format: WindowFormat, _ list: WindowList) throws(PluginError) -> InitFile {
        if let known = state.withLock({ $0.inits[format] }) { return try known.get() }
        let made: Result<InitFile, PluginError>
        do throws(PluginError) {
            made = .success(try make(format, list))
        } catch {
            // What is not there any more may have been made by another meanwhile; a codec stays what it is.
            guard error.code == .unsupported else { throw error }
            made = .failure(error)
        }
        state.withLock { [made] state in
            // One that is made anew of another frame may say another bit rate: those of no segment are kept for a while, too.
            if state.inits.count >= Self.mostInits {
                let formats = Set(state.list.all.map(\.format))
                state.inits = state.inits.filter { formats.contains($0.key) }
            }
            state.inits[format] = made
        }
        return try made.get()
    }

    private func make(_ format: WindowFormat, _ list: WindowList) throws(PluginError) -> InitFile {
        var reason = PluginError("nothing of \(format.fileName) is kept any more", code: .notFound)
        guard !store.caps(format.picture).isEmpty else { throw reason }
        _ = try form(format.picture, settings.video)
        if let sound = format.sound, let pad = settings.audio.first { _ = try form(sound, pad) }
        // Some encoders say only once what is needed to decode: the oldest may have it where others have not.
        let found = list.all.lazy.filter { $0.format == format }.compactMap { self.samples($0) }
        for samples in found.prefix(Self.mostTries) {
            do throws(PluginError) {
                return try mux(samples, format)
            } catch {
                reason = error
            }
        }
        throw reason
    }

    private typealias Sample = (item: WindowFrames.Item, bytes: [UInt8])

    /// One frame of each track; nil where they are not there.
    private func samples(_ segment: WindowSegment) -> [Sample]? {
        guard let frames = store.windowFrames(from: segment.start, to: segment.end), let key = frames.pictures.first
        else { return nil }
        var items = [key]
        if segment.format.sound != nil {
            guard let sound = frames.sound.first else { return nil }
            items.append(sound)
        }
        var samples: [Sample] = []
        for item in items {
            var bytes: [UInt8] = []
            guard store.windowBytes(of: item, cuts: frames.cuts, into: &bytes) else { return nil }
            samples.append((item, bytes))
        }
        return samples
    }

    /// Has mp4mux describe one frame of each track.
    private func mux(_ samples: [Sample], _ format: WindowFormat) throws(PluginError) -> InitFile {
        let tracks = samples.map {
            ClipTrack(caps: store.caps($0.item.frame.format), first: $0.bytes, duration: 20_000_000)
        }
        let film: [UInt8]
        do throws(PluginError) {
            film = try ClipProbe.file(of: tracks, as: .mp4)
        } catch {
            throw PluginError("cannot make \(format.fileName): \(error.message)", code: error.code)
        }
        do throws(MovieBoxes.Damaged) {
            return try InitFile(film: film)
        } catch {
            throw PluginError(
                "cannot make \(format.fileName): mp4mux describes \(tracks.map(\.caps)) in a way that no player is known for",
                code: .unsupported)
        }
    }

    private func form(_ format: UInt16, _ pad: PadName) throws(PluginError) -> SampleForm {
        try SampleForm(caps: store.caps(format), pad: pad)
    }

    // MARK: Segments

    func segment(_ number: UInt64) throws(PluginError) -> [UInt8] {
        let list = known { $0.find(number) != nil }
        let gone = PluginError(
            "segment \(number) is \(number < list.nextNumber ? "not kept any more" : "not there yet"): "
                + "index.m3u8 names those that are", code: .notFound)
        guard let segment = list.find(number) else { throw gone }
        let described = try initFile(segment.format, list)
        guard let frames = store.windowFrames(from: segment.start, to: segment.end) else { throw gone }
        var media: [UInt8] = []
        media.reserveCapacity((frames.pictures + frames.sound).reduce(64) { $0 + Int($1.frame.size) + 16 })
        var pictures = SampleTimes.pictures(
            frames.pictures.map(\.frame), before: segment.before, next: frames.nextPicture)
        guard add(frames.pictures, frames.cuts, try form(segment.format.picture, settings.video), &pictures, &media)
        else { throw gone }
        var sound: [Fragment.Sample] = []
        if let format = segment.format.sound, let pad = settings.audio.first,
            frames.sound.first?.frame.format == format
        {
            sound = SampleTimes.sound(
                frames.sound.map(\.frame), scale: described.soundScale, next: frames.nextSound)
            guard add(frames.sound, frames.cuts, try form(format, pad), &sound, &media) else { throw gone }
        }
        let fragment = Fragment.bytes(number: number, pictures: pictures, sound: sound, media: media)
        // VLC (3.0) begins with a new demuxer at a discontinuity and does not fetch the init file for it; others have it twice.
        return segment.isAnew ? described.bytes + fragment : fragment
    }

    /// False where one of them was evicted.
    private func add(
        _ items: [WindowFrames.Item], _ cuts: UInt64, _ form: SampleForm, _ samples: inout [Fragment.Sample],
        _ media: inout [UInt8]
    ) -> Bool {
        var scratch: [UInt8] = []
        for (place, item) in items.enumerated() {
            guard store.windowBytes(of: item, cuts: cuts, into: &scratch) else { return false }
            samples[place].size = scratch.withUnsafeBytes { form.append($0, to: &media) }
        }
        return true
    }

    /// From memory, or where it is too much for that from a file in memory.
    static func answer(_ bytes: [UInt8], as type: String) throws(PluginError) -> RouteResponse {
        guard bytes.count > mostBytes else { return .bytes(bytes, as: type) }
        let descriptor = mh_memory_file()
        guard descriptor >= 0 else { throw PluginError("there is no memory for \(bytes.count) bytes") }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done) }
            guard count > 0 else {
                close(descriptor)
                throw PluginError("there is no memory for \(bytes.count) bytes")
            }
            done += count
        }
        return .file(descriptor, as: type)
    }
}

extension WindowFacts {
    init?(_ frames: WindowFrames) {
        guard let key = frames.pictures.first else { return nil }
        let pictures = frames.pictures.map(\.frame)
        var (end, missing) = SampleTimes.extent(of: pictures)
        // Pictures that are decoded after the next key frame may be shown before it (an open GOP): that is no gap.
        if let next = frames.nextPicture, let last = pictures.last, next.dts != Frame.none, last.dts != Frame.none,
            next.dts &- last.dts &- SampleTimes.length(of: pictures) < WindowList.leastGap
        {
            end = max(end, next.pts)
        }
        let decode = SampleTimes.pictures(pictures, before: nil, next: nil)
        self.init(
            sequence: key.sequence, position: key.frame.position, picture: key.frame.format,
            sound: frames.sound.first?.frame.format, shownEnd: end, missing: missing,
            lastDecode: decode.last?.decode ?? 0)
    }
}
