import PluginKit

/// What the user wrote, with the defaults of what they left out.
struct ReplaySettings: Equatable, Sendable {
    /// `pipeline/element.pad`
    var video: String
    var window: Duration
    /// Bytes, slab and index together.
    var memory: Int

    static let smallestMemory = 1 << 20

    init(_ config: PluginValue) throws(PluginError) {
        guard let video = config.string("video") else {
            throw PluginError("video is missing: name the pad to keep, porch/encoded.src", code: .invalid)
        }
        self.video = video
        window = config.duration("window") ?? .seconds(60)
        memory = config.size("memory") ?? 256 << 20
        guard window > .zero else { throw PluginError("window must be longer than 0", code: .invalid) }
        guard memory >= Self.smallestMemory else {
            throw PluginError("memory of \(memory) bytes is too small; give at least 1MiB", code: .invalid)
        }
    }

    /// Index entries: 240 frames a second for the whole window, and never more than an eighth of the memory.
    var frameCapacity: Int {
        let seconds = min(window.wholeNanoseconds / 1_000_000_000 + 1, 1_000_000)
        let wanted = Int(clamping: seconds * 240 + 1024)
        return min(wanted, memory / 8 / MemoryLayout<Frame>.stride)
    }

    var slabBytes: Int { memory - frameCapacity * MemoryLayout<Frame>.stride }

    static let schema = """
        {
          "type": "object",
          "properties": {
            "video": {
              "type": "string", "format": "pad",
              "description": "The pad whose encoded video is kept: pipeline/element.pad"
            },
            "window": {
              "type": "integer", "format": "duration", "default": "60s",
              "description": "How much is kept at least, once it was recorded; whole GOPs, so usually a little more"
            },
            "memory": {
              "type": "integer", "format": "size", "x-reserves": true, "default": "256MiB",
              "description": "What is kept never takes more than this; then it covers less than window"
            }
          },
          "required": ["video"],
          "additionalProperties": false
        }
        """
}
