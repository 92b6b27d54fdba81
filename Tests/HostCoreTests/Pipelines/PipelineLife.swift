import GStreamerKit
import HostTestKit

@testable import HostCore

/// A live pipeline as the timeline sees it, and what must hold of every buffer that it places.
struct PipelineLife {
    private var timeline = MediaTimeline()
    private var video: Int
    private var audio: Int
    /// The same pictures behind an encoder, which keeps some of them for a while.
    private var encoded: Int
    private var lag = 0
    /// In the encoder, with where each was placed before.
    private var inside: [(time: ClockTime, begin: ClockTime)] = []
    private var frame = ClockTime(nanoseconds: 33_333_333)
    private var packet = ClockTime(nanoseconds: 21_333_333)
    /// Of the host.
    private var now = ClockTime.seconds(10)
    /// Where the last of each ended, in media time.
    private var videoEnd: ClockTime?
    private var audioEnd: ClockTime?
    private var edge: ClockTime?

    private(set) var faults: [String] = []
    private(set) var pictures = 0
    private(set) var sounds = 0
    /// Packets of sound that were dropped between the first picture after a start or a pause and the next sound.
    private(set) var mostDropped = 0

    init() {
        video = timeline.addStream()
        audio = timeline.addStream()
        encoded = timeline.addStream()
        timeline.setKind(.video, of: video)
        timeline.setKind(.audio, of: audio)
        timeline.setKind(.video, of: encoded)
    }

    private static func time(_ range: ClosedRange<Int64>, _ random: inout Campaign) -> ClockTime {
        ClockTime(nanoseconds: Int64.random(in: range, using: &random))
    }

    /// From a start to the next stop.
    mutating func epoch(_ random: inout Campaign) {
        // The encoder ends with what it has, or at once.
        if Bool.random(using: &random) { encode(upTo: 0) }
        inside = []
        lag = Int.random(in: 0...12, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        // Asleep for up to a day.
        case 0: now = now + Self.time(1...86_400_000_000_000, &random)
        // Another camera and another microphone.
        case 1:
            frame = ClockTime(nanoseconds: [16_666_667, 33_333_333, 40_000_000].randomElement(using: &random) ?? 0)
            packet = ClockTime(nanoseconds: [10_000_000, 20_000_000, 21_333_333].randomElement(using: &random) ?? 0)
        // Who listens to one of them is begun anew.
        case 2:
            if Bool.random(using: &random) {
                timeline.removeStream(video)
                video = timeline.addStream()
                timeline.setKind(.video, of: video)
            } else {
                timeline.removeStream(audio)
                audio = timeline.addStream()
                timeline.setKind(.audio, of: audio)
                // It has heard nothing yet.
                audioEnd = nil
            }
        default: now = now + Self.time(1...5_000_000_000, &random)
        }
        timeline.beginEpoch()
        // After a start the first running times differ by up to 40 ms, either way.
        var clocks = (video: Self.time(0...40_000_000, &random), audio: Self.time(0...40_000_000, &random))
        var stood: ClockTime?
        for _ in 0...Int.random(in: 0...3, using: &random) {
            play(&clocks, since: stood, &random)
            guard faults.isEmpty else { return }
            // PAUSED: running time stands still where it is. Some time after that the streams begin anew, each in its own phase.
            let last = clocks.video - frame
            let stalls = Int.random(in: 0..<8, using: &random) == 0
            let at = max(
                last + Self.time(0...(frame.nanoseconds + (stalls ? 3_000_000_000 : 0)), &random), clocks.audio - packet
            )
            timeline.endPause(at: at)
            stood = at
            // Who listens behind the encoder is begun anew.
            if Int.random(in: 0..<8, using: &random) == 0 {
                timeline.removeStream(encoded)
                encoded = timeline.addStream()
                timeline.setKind(.video, of: encoded)
            }
            // It goes on with what it has before the camera does.
            if !inside.isEmpty { encode(upTo: Int.random(in: 0..<inside.count, using: &random)) }
            now = now + Self.time(1...10_000_000_000, &random)
            let isLate = Int.random(in: 0..<10, using: &random) == 0
            clocks.video = at + Self.time(1...(isLate ? 900_000_000 : frame.nanoseconds), &random)
            clocks.audio = at + Self.time(1...packet.nanoseconds, &random)
        }
    }

    /// Buffers in the order of their times, up to a stop or a pause.
    private mutating func play(
        _ clocks: inout (video: ClockTime, audio: ClockTime), since stood: ClockTime?, _ random: inout Campaign
    ) {
        var offset: ClockTime?
        var dropped: Int?
        var gap = ClockTime.zero
        // No picture for half a second before the pause: that was missing while it played.
        let longest = frame + .milliseconds(500)
        if let stood, let end = videoEnd, let before = timeline.offset, stood + before - end > longest {
            gap = stood + before - end
        }
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            while clocks.audio < clocks.video {
                let place = timeline.place(audio, runningTime: clocks.audio, duration: packet, now: now)
                if case .at(let found) = place {
                    hear(clocks.audio, found, offset)
                    if let count = dropped { mostDropped = max(mostDropped, count) }
                    dropped = nil
                } else {
                    dropped = dropped.map { $0 + 1 }
                }
                clocks.audio = clocks.audio + packet
            }
            guard case .at(let found) = timeline.place(video, runningTime: clocks.video, duration: frame, now: now)
            else {
                faults.append("a picture at \(clocks.video) was dropped")
                return
            }
            if offset == nil { dropped = 0 }
            offset = found
            see(clocks.video + found, after: gap)
            inside.append((clocks.video, clocks.video + found))
            encode(upTo: lag)
            gap = Int.random(in: 0..<20, using: &random) == 0 ? Self.time(1...3_000_000_000, &random) : .zero
            clocks.video = clocks.video + frame + gap
            now = now + frame + gap
        }
        // A gap that nothing came after is none yet.
        clocks.video = clocks.video - gap
    }

    /// The encoder gives out all but so many: each where it was placed before it.
    private mutating func encode(upTo left: Int) {
        while inside.count > left {
            let picture = inside.removeFirst()
            let place = timeline.place(encoded, runningTime: picture.time, duration: frame, now: now)
            if place != .at(offset: picture.begin - picture.time) {
                faults.append("a picture that was placed at \(picture.begin) is encoded: \(place)")
            }
        }
    }

    private mutating func see(_ begin: ClockTime, after gap: ClockTime) {
        pictures += 1
        if let end = videoEnd, begin != end + gap {
            faults.append(
                "a picture begins at \(begin), \(begin - end - gap) beside the end of the last and a gap of \(gap)")
        }
        let before = edge
        edge = timeline.edge.time(at: now)
        if let before, let edge, edge < before || edge - before > frame + gap {
            faults.append("the live edge goes from \(before) to \(edge)")
        }
        // All of the picture has passed when the next comes.
        edge = timeline.edge.time(at: now + frame)
        videoEnd = begin + frame
    }

    private mutating func hear(_ runningTime: ClockTime, _ found: ClockTime, _ offset: ClockTime?) {
        sounds += 1
        if found != offset { faults.append("a sound at \(runningTime) has another offset than its picture") }
        let begin = runningTime + found
        if let end = audioEnd, begin < end - .milliseconds(1) {
            faults.append("a sound begins at \(begin), before the end of the last at \(end)")
        }
        audioEnd = begin + packet
    }
}
