import GStreamerKit
import Testing

@testable import HostCore

struct SnapshotRequestTests {
    @Test func readsTheQuery() throws {
        let plain = try SnapshotRequest([:])
        #expect(plain.pad == nil && plain.format == .jpeg && plain.size == PictureSize())
        let whole = try SnapshotRequest(["pad": "a.b.src", "format": "png", "width": "640", "height": "8192"])
        #expect(whole.pad == ElementPad(element: "a.b", pad: "src") && whole.format == .png)
        #expect(whole.size == PictureSize(width: 640, height: 8192))
    }

    @Test(arguments: [
        (["pad": "camera"], "\"pad\": \"camera\" is not of the form element.pad, as in camera.src"),
        (["format": "gif"], "\"format\" is \"jpeg\" or \"png\", not \"gif\""),
        (["width": "0"], "`width` takes a number from 1 to 8192, not `0`"),
        (["height": "8193"], "`height` takes a number from 1 to 8192, not `8193`"),
        (["height": "tall"], "`height` takes a number from 1 to 8192, not `tall`"),
        (["widht": "3"], "the query has no `widht`: did you mean `width`? there are pad, format, width, height"),
    ])
    func saysWhatIsWrong(_ query: [String: String], _ message: String) {
        let error = #expect(throws: ControlError.self) { try SnapshotRequest(query) }
        #expect(error?.code == .invalid && error?.message == message && query.keys.contains(error?.field ?? ""))
    }
}
