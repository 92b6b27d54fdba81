import GStreamerKit
import Testing

@testable import HostCore

struct PlaybackPlaceTests {
    private func next(at seconds: Int64?, began: Int64?, failed: Bool, seekable: Bool = true) -> PlaybackPlace? {
        PlaybackPlace.next(
            after: Playback(
                position: seconds.map { .seconds($0) }, duration: .seconds(100), rate: 1.5, isSeekable: seekable),
            began: began.map { PlaybackPlace(position: .seconds($0), rate: 2) }, hasArrived: true, hasFailed: failed)
    }

    @Test func goesOnWhereItWas() {
        #expect(next(at: 7, began: nil, failed: false) == PlaybackPlace(position: .seconds(7), rate: 1.5))
        #expect(next(at: 7, began: 7, failed: false) == PlaybackPlace(position: .seconds(7), rate: 1.5))
        #expect(next(at: 9, began: 7, failed: true) == PlaybackPlace(position: .seconds(9), rate: 1.5))
        #expect(next(at: 3, began: nil, failed: true) == PlaybackPlace(position: .seconds(3), rate: 1.5))
    }

    @Test func mediaThatFailAtTheSamePlaceAreBegunAnew() {
        #expect(next(at: 7, began: 7, failed: true) == nil)
    }

    /// A loop that has gone round has come far, though it is behind where it began.
    @Test func whatWentRoundGoesOnWhereItWas() {
        #expect(next(at: 1, began: 9, failed: true) == PlaybackPlace(position: .seconds(1), rate: 1.5))
    }

    /// It is seekable, and at its beginning: nobody was there.
    @Test func whatGoesBeforeItHasArrivedKeepsThePlace() {
        func next(failed: Bool) -> PlaybackPlace? {
            PlaybackPlace.next(
                after: Playback(position: .zero, duration: .seconds(100), rate: 1, isSeekable: true),
                began: PlaybackPlace(position: .seconds(50), rate: 2), hasArrived: false, hasFailed: failed)
        }
        #expect(next(failed: false) == PlaybackPlace(position: .seconds(50), rate: 2))
        #expect(next(failed: true) == nil)
    }

    /// A server that is away says nothing of the place.
    @Test func whatNeverCameToItsMediaKeepsThePlace() {
        let began = PlaybackPlace(position: .seconds(7), rate: 2)
        #expect(next(at: nil, began: 7, failed: true) == began)
        #expect(next(at: nil, began: 7, failed: false) == began)
        #expect(next(at: 3, began: 7, failed: true, seekable: false) == began)
        #expect(next(at: nil, began: nil, failed: true) == nil)
    }
}
