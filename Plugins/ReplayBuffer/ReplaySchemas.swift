/// What the commands take and give, as the host shows it to users.
enum ReplaySchemas {
    static let saveParameters = """
        {
          "type": "object",
          "properties": {
            "last": {
              "type": "integer", "format": "duration",
              "description": "How much; the clip begins at the key frame before, so it is a little longer. All if left out"
            },
            "to": { "type": "string", "format": "path", "description": "The file; .mkv, .mp4 or .ts" },
            "overwrite": { "type": "boolean", "default": false, "description": "Replace a file of that name" }
          },
          "required": ["to"],
          "additionalProperties": false
        }
        """

    static let saveResult = """
        {
          "type": "object",
          "properties": {
            "path": { "type": "string" },
            "first_pts": { "type": "integer", "description": "Media time of the first frame, in nanoseconds" },
            "duration": { "type": "integer", "format": "duration" },
            "frames": { "type": "integer" },
            "bytes": { "type": "integer", "format": "size", "description": "Size of the file" },
            "key_frames": { "type": "integer" },
            "complete": { "type": "boolean", "description": "Whether it covers all that was asked for" },
            "starts_at": {
              "type": "string", "enum": ["format-change", "buffer-start"],
              "description": "Why it is not complete: nothing older is kept, or the older part has other caps"
            }
          }
        }
        """

    static let statusResult = """
        {
          "type": "object",
          "properties": {
            "frames": { "type": "integer" },
            "gops": { "type": "integer" },
            "bytes": { "type": "integer", "format": "size" },
            "capacity": { "type": "integer", "format": "size" },
            "window": { "type": "integer", "format": "duration" },
            "oldest": { "type": "integer", "description": "Media time of the oldest frame, in nanoseconds" },
            "newest": { "type": "integer", "description": "Media time of the newest end, in nanoseconds" },
            "duration": { "type": "integer", "format": "duration" },
            "saves": { "type": "integer", "description": "Saves that run now" },
            "dropped": {
              "type": "object",
              "properties": {
                "before_key_frame": { "type": "integer" },
                "oversized_gops": { "type": "integer" },
                "oversized_frames": { "type": "integer" },
                "held_gops": { "type": "integer" },
                "held_frames": { "type": "integer" }
              }
            }
          }
        }
        """
}
