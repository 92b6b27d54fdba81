import GStreamerKit
import Testing

@testable import HostCore

/// What is asked of a camera, by what drivers say they can.
@Suite struct CameraFormatTests {
    init() throws { try GStreamer.start() }

    static let cameras: [(String, CameraFormat?)] = [
        // A USB camera: raw only while slow, JPEG at full speed.
        (
            "video/x-raw,format=YUY2,width=1920,height=1080,framerate=5/1; "
                + "video/x-raw,format=YUY2,width=640,height=480,framerate={ 30/1, 15/1 }; "
                + "image/jpeg,width=1920,height=1080,framerate={ 30/1, 24/1 }",
            CameraFormat(.jpeg, 1920, 1080, "30/1")
        ),
        // One that encodes costs nothing here.
        (
            "image/jpeg,width=1280,height=720,framerate=30/1; video/x-h264,width=1280,height=720,framerate=30/1",
            CameraFormat(.h264, 1280, 720, "30/1")
        ),
        // A driver with ranges, beyond what is asked for.
        (
            "video/x-raw,width=[ 32, 3280 ],height=[ 32, 2464 ],framerate=[ 0/1, 60/1 ]",
            CameraFormat(.raw, 1920, 1080, "30/1")
        ),
        // 4K only with a size of its own, PAL and slow ones.
        ("video/x-raw,width=3840,height=2160,framerate=30/1", nil),
        ("video/x-raw,width=1280,height=720,framerate=25/1", CameraFormat(.raw, 1280, 720, "25/1")),
        ("video/x-raw,width=1280,height=720,framerate=30000/1001", CameraFormat(.raw, 1280, 720, "30000/1001")),
        ("image/jpeg,width=640,height=480,framerate=15/2", CameraFormat(.jpeg, 640, 480, "15/2")),
        // Fluent and small before large and slow.
        (
            "video/x-raw,width=1920,height=1080,framerate=5/1; video/x-raw,width=640,height=360,framerate=30/1",
            CameraFormat(.raw, 640, 360, "30/1")
        ),
        ("video/x-bayer,width=1920,height=1080,framerate=30/1", nil),
        ("audio/x-raw", nil), ("EMPTY", nil),
    ]

    @Test(arguments: cameras)
    func bestFormatIsChosen(_ text: String, _ expected: CameraFormat?) throws {
        let caps = try #require(Caps(text))
        #expect(CameraFormat.best(in: caps) == expected)
    }
}
