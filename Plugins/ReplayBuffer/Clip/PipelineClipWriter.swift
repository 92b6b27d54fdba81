import GStreamerKit
import PluginKit

/// Muxes a clip with GStreamer: `appsrc ! parser ! muxer ! filesink`, with an appsrc for each track.
final class PipelineClipWriter: ClipWriter {
    /// How far decode times may precede the first picture; timestamps are unsigned, so all are moved by this much and
    /// the pad takes it off again.
    private static let head: Int64 = 10_000_000_000
    /// What may wait in front of the muxer. More does where a track has nothing for a while: the muxer waits for it then.
    static let queueBytes: UInt64 = 4 << 20
    /// What goes to the file at once.
    private static let writeBytes = 1 << 20
    /// A file that takes nothing for this long is given up.
    private static let patienceSeconds = 30

    private let pipeline: Pipeline
    private let sources: [AppSource]
    private var hasEnded: [Bool]

    init(descriptor: Int32, container: Container, caps texts: [String]) throws(PluginError) {
        try Self.startGStreamer()
        var formats: [Caps] = []
        // Not fdsink: it writes each frame by itself.
        var launch =
            "\(container.muxer) name=mux ! filesink sync=false buffer-mode=full buffer-size=\(Self.writeBytes)"
            + " location=/proc/self/fd/\(descriptor)"
        for (track, text) in texts.enumerated() {
            guard let caps = Caps(text) else {
                throw PluginError("cannot save: the stream has shown no readable caps yet (\"\(text)\")", code: .state)
            }
            let parser = try container.parser(for: caps.mediaType ?? "")
            // Named: an appsrc without a parser fits any pad, and would get the first.
            let pad = container.pad(isVideo: caps.isVideo)
            launch += " appsrc name=frames\(track) ! \(parser.isEmpty ? "" : parser + " ! ")mux.\(pad)"
            formats.append(caps)
        }
        do throws(Pipeline.LaunchError) {
            pipeline = try Pipeline(launch: launch, name: "clip")
        } catch {
            throw PluginError("cannot build the writer of a \(container.rawValue) clip: \(error)")
        }
        var sources: [AppSource] = []
        for (track, caps) in formats.enumerated() {
            guard let element = pipeline.element(named: "frames\(track)"), let source = AppSource(element) else {
                throw PluginError("cannot build the writer of a clip: it has no appsrc")
            }
            // No limit of appsrc's own: a blocked push would not notice a full disk; `waitForRoom` does.
            source.configure(caps: caps, maxBytes: 0)
            element.pad(named: "src")?.setOffset(ClockTime(nanoseconds: -Self.head))
            sources.append(source)
        }
        self.sources = sources
        hasEnded = Array(repeating: false, count: sources.count)
        guard pipeline.setState(.playing) != .failure else {
            let error = failure() ?? PluginError("the writer of the clip does not start")
            pipeline.setState(.null)
            throw error
        }
    }

    /// The host has done so long ago; without it any call would be a crash.
    static func startGStreamer() throws(PluginError) {
        do throws(GStreamer.StartError) {
            try GStreamer.start()
        } catch {
            throw PluginError("cannot save: \(error)")
        }
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, _ unit: ClipUnit, track: Int, _ isCancelled: () -> Bool
    ) throws(PluginError) {
        try waitForRoom(isCancelled)
        let accepted = sources[track].push(
            bytes,
            AppSource.Unit(
                pts: Self.moved(unit.pts), dts: unit.dts.map(Self.moved),
                duration: unit.duration.map { ClockTime(nanoseconds: $0) }, isDelta: !unit.isKey))
        guard accepted else { throw failure() ?? PluginError("the writer of the clip takes no more frames") }
    }

    func end(track: Int) {
        guard !hasEnded[track] else { return }
        hasEnded[track] = true
        sources[track].endOfStream()
    }

    func finish(_ isCancelled: () -> Bool) throws(PluginError) {
        for track in sources.indices { end(track: track) }
        var silent = 0
        var queued = queuedBytes
        while silent < Self.patienceSeconds * 10 {
            switch pipeline.bus.next(timeout: .milliseconds(100)) {
            case .endOfStream: return
            case .error(let report): throw Self.error(report)
            case nil:
                if isCancelled() { throw Self.cancelled }
                silent = queuedBytes < queued ? 0 : silent + 1
                queued = queuedBytes
            default: break
            }
        }
        throw Self.stuck
    }

    /// Bytes that were written and wait for the muxer.
    var queuedBytes: UInt64 { sources.reduce(0) { $0 + $1.queuedBytes } }

    /// A muxer that waits for one track takes nothing of the others: only where all that have not ended have something to
    /// give can it be too slow.
    private var isFull: Bool {
        queuedBytes > Self.queueBytes && zip(sources, hasEnded).allSatisfy { $1 || $0.queuedBytes > 0 }
    }

    func stop() { pipeline.setState(.null) }

    private func waitForRoom(_ isCancelled: () -> Bool) throws(PluginError) {
        var waits = 0
        var queued = queuedBytes
        while isFull {
            // Wakes at once for an error; else looks again at the queue.
            if case .error(let report) = pipeline.bus.next(timeout: .milliseconds(5)) { throw Self.error(report) }
            if isCancelled() { throw Self.cancelled }
            let now = queuedBytes
            waits = now < queued ? 0 : waits + 1
            queued = now
            guard waits < Self.patienceSeconds * 200 else { throw Self.stuck }
        }
    }

    /// The error the pipeline has told of, if any.
    private func failure() -> PluginError? {
        while let message = pipeline.bus.next(timeout: .milliseconds(100)) {
            if case .error(let report) = message { return Self.error(report) }
        }
        return nil
    }

    private static func moved(_ time: Int64) -> ClockTime { ClockTime(nanoseconds: max(0, time &+ head)) }

    private static func error(_ report: BusMessage.ElementReport) -> PluginError {
        PluginError("writing the clip failed: \(report)" + (report.debug.map { " (\($0))" } ?? ""))
    }

    private static let cancelled = PluginError("writing the clip was cancelled", code: .cancelled)
    private static let stuck = PluginError(
        "writing the clip was given up: the file took no data for \(patienceSeconds) s", code: .timeout)
}
