import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

struct SnapshotRequestTests {
    init() { MainLoopThread.start() }

    @HostActor
    private static func read(_ query: [String: String]) throws -> SnapshotRequest {
        let target = FakeTarget()
        let routes = ControlRoutes.routes(over: target)
        let route = try #require(routes.first { $0.path == "/v1/pipelines/{pipeline}/snapshot" })
        return try SnapshotRequest(route.check(ControlRequest(method: .get, query: query)).options)
    }

    @Test @HostActor func readsTheQuery() throws {
        let plain = try Self.read([:])
        #expect(plain.pad == nil && plain.format == .jpeg && plain.size == PictureSize())
        let whole = try Self.read(["pad": "a.b.src", "format": "png", "width": "640", "height": "4096"])
        #expect(whole.pad == ElementPad(element: "a.b", pad: "src") && whole.format == .png)
        #expect(whole.size == PictureSize(width: 640, height: 4096))
    }

    @Test(arguments: [
        (["pad": "camera"], "\"pad\": \"camera\" is not of the form element.pad, as in camera.src"),
        (["format": "gif"], "\"format\" cannot be \"gif\" (valid: jpeg, png)"),
        (["width": "0"], "\"width\" must be at least 1, not 0"),
        (["height": "4097"], "\"height\" must be at most 4096, not 4097"),
        (
            ["width": "4096", "height": "2161"],
            "4096x2161 is more than 4096x2160: give one side alone, or none for the picture as it is"
        ),
        (["height": "tall"], "\"height\" must be a whole number, not \"tall\""),
        (
            ["widht": "3"],
            "the query of GET /v1/pipelines/{pipeline}/snapshot has no \"widht\": did you mean \"width\"? "
                + "(it takes pad, format, width, height)"
        ),
    ])
    @HostActor func saysWhatIsWrong(_ query: [String: String], _ message: String) {
        let error = #expect(throws: ControlError.self) { try Self.read(query) }
        #expect(error?.code == .invalid && error?.message == message && query.keys.contains(error?.field ?? ""))
    }
}
