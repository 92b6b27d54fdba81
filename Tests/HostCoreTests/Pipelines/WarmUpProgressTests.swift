import Testing

@testable import HostCore

@Suite struct WarmUpProgressTests {
    @Test func rawFramesOpenAfterTheCount() {
        var progress = WarmUpProgress(frames: 3, isRaw: true)
        #expect((0..<4).map { _ in progress.next(isKey: true) } == [.drop, .drop, .drop, .open])
    }

    @Test func encodedFramesWaitForAKeyFrameAndAskOnce() {
        var progress = WarmUpProgress(frames: 2, isRaw: false)
        #expect(progress.next(isKey: true) == .drop)
        #expect(progress.next(isKey: false) == .drop)
        #expect(progress.next(isKey: false) == .dropAndAskForKey)
        #expect(progress.next(isKey: false) == .drop)
        #expect(progress.next(isKey: true) == .open)
    }

    /// Three frames of a camera that encodes are those that all up to its next key frame is decoded with.
    @Test(arguments: [false, true]) func whatNobodyAskedForIsForRawFrames(isRaw: Bool) {
        var progress = WarmUpProgress(frames: 1, isRaw: isRaw, isForRawOnly: true)
        #expect(progress.next(isKey: true) == (isRaw ? .drop : .open))
    }
}
