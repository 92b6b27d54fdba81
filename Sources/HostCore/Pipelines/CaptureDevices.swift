internal import GStreamerKit

/// What of a pipeline records the world, as far as its elements say so before they run.
/// - Thread: any.
enum CaptureDevices {
    /// Properties by which a source names its device. A source of video without one is a file, a network or a test source.
    private static let deviceProperties = [
        "device", "device-number", "camera-name", "camera-number", "sensor-id", "target-object",
    ]

    /// Those that look for a device when they are started; until then there is none in them, nor anything that says which.
    private static let finders = ["autovideosrc", "autoaudiosrc"]

    /// Whether there is any; a network that gives data at its own pace is one, too.
    static func areIn(_ pipeline: Pipeline) -> Bool {
        pipeline.elements.contains(where: isDevice) || pipeline.sources.contains(where: \.isLiveSource)
    }

    /// Where pictures are taken.
    static func cameras(of pipeline: Pipeline) -> [Element] {
        let found = pipeline.elements.filter { isDevice($0) && gives("Video", $0) }
        let certain = found.filter { !gives("Audio", $0) }
        // One that may be either may be the microphone.
        return certain.isEmpty ? Array(found.prefix(1)) : certain
    }

    /// Where sound is made, by whatever; also by what stands in a finder until it is started.
    static func sound(of pipeline: Pipeline) -> [Element] {
        pipeline.elements.filter { (isLeaf($0) || isFinder($0)) && gives("Audio", $0) }
    }

    private static func isDevice(_ element: Element) -> Bool {
        if isFinder(element) { return true }
        return isLeaf(element) && (gives("Video", element) || gives("Audio", element))
            && deviceProperties.contains(where: element.hasProperty)
    }

    private static func isFinder(_ element: Element) -> Bool { element.factoryName.map(finders.contains) == true }

    private static func isLeaf(_ element: Element) -> Bool { element.isSource && !element.isBin }

    private static func gives(_ media: Substring, _ element: Element) -> Bool {
        let words = element.kind.split(separator: "/")
        return words.contains("Source") && words.contains(media)
    }
}
