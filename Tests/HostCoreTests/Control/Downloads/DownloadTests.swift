import Foundation
import Testing

@testable import HostCore

/// A download to a client of our own.
@Suite(.timeLimit(.minutes(20))) struct DownloadTests {
    /// The limit held for each piece, so a client that dripped kept its worker and its place until the file's end; this one
    /// has none.
    @Test func aClientThatDripsIsLetGo() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let file = try #require(BodyFile(owning: Foundation.open("/dev/zero", O_RDONLY | O_CLOEXEC)))
        let head = DownloadHead(
            ControlResponse(status: 200, body: .null), length: nil, range: nil, isOld: true, reason: { _ in "OK" })
        let (own, other) = (ends[0], ends[1])
        let reading = Task {
            try await blocking {
                var byte: UInt8 = 0
                var count = 0
                while read(other, &byte, 1) == 1 { count += 1 }
                close(other)
                return count
            }
        }
        try await blocking {
            Download(to: own, file, head, DownloadPace(leastBytes: .max, span: .milliseconds(50))).send()
        }
        #expect(try await reading.value > 0)
    }
}
