import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random runs of a pipeline with video and audio: restarts, pauses, stalls, start-up phases, and starts that bring nothing.
@Suite struct MediaTimelineCampaign {
    private struct Source {
        let frame: ClockTime
        var next: ClockTime
    }

    @Test func theLineNeverJumps() {
        var campaign = Campaign(rounds: 2000)
        let frame = ClockTime(nanoseconds: 33_333_333)
        let packet = ClockTime(nanoseconds: 21_333_333)
        var timeline = MediaTimeline()
        let video = timeline.addStream()
        let audio = timeline.addStream()
        timeline.setKind(.video, of: video)
        timeline.setKind(.audio, of: audio)
        var lastVideo: ClockTime?
        var lastAudioEnd: ClockTime?

        for _ in 0..<campaign.rounds {
            // After a start the first running times differ by up to 40 ms, either way.
            timeline.beginEpoch()
            var videoTime = ClockTime(nanoseconds: Int64.random(in: 0...40_000_000, using: &campaign))
            var audioTime = ClockTime(nanoseconds: Int64.random(in: 0...40_000_000, using: &campaign))
            let videoBegin = videoTime
            var isFirst = true
            var stalled = false
            var pauses = Int.random(in: 0...2, using: &campaign)
            let frames = Int.random(in: 0...40, using: &campaign)
            var offset: ClockTime?
            for _ in 0..<frames {
                while audioTime < videoTime {
                    if case .at(let found) = timeline.place(audio, runningTime: audioTime, duration: packet) {
                        let begin = audioTime + found
                        if let lastAudioEnd { #expect(begin >= lastAudioEnd, "\(campaign.note)") }
                        #expect(audioTime >= videoBegin, "\(campaign.note)")
                        #expect(found == offset, "one offset for the pipeline; \(campaign.note)")
                        lastAudioEnd = begin + packet
                    }
                    audioTime = audioTime + packet
                }
                guard case .at(let found) = timeline.place(video, runningTime: videoTime, duration: frame) else {
                    Issue.record("a video frame was dropped; \(campaign.note)")
                    return
                }
                offset = found
                let begin = videoTime + found
                if let lastVideo {
                    let step = begin - lastVideo
                    if isFirst || !stalled {
                        #expect(step == frame, "\(campaign.note)")
                    } else {
                        #expect(step > frame, "a stall is a real gap; \(campaign.note)")
                    }
                }
                lastVideo = begin
                isFirst = false
                stalled = Int.random(in: 0..<20, using: &campaign) == 0
                let gap = stalled ? Int64.random(in: 1...3_000_000_000, using: &campaign) : 0
                videoTime = videoTime + frame + ClockTime(nanoseconds: gap)
                if pauses > 0, !stalled, Int.random(in: 0..<10, using: &campaign) == 0 {
                    // PAUSED: running time stands still, and the next frame comes at any part of one.
                    pauses -= 1
                    timeline.endPause()
                    let phase = ClockTime(nanoseconds: Int64.random(in: 1...33_333_333, using: &campaign))
                    videoTime = videoTime - frame + phase
                    audioTime = max(audioTime, videoTime)
                    lastAudioEnd = nil
                }
            }
        }
    }
}
