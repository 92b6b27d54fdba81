/// What libyaml reports, copied out of its memory. Ranges are byte offsets of the file.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case documentEnd
        case streamEnd
        case scalar([UInt8], ScalarAligner.Style)
        case listStart
        case listEnd
        case mapStart
        case mapEnd
        case alias(String)
        /// The start of the stream: nothing to do.
        case other
    }

    var kind: Kind
    var range: Range<Int>
    var anchor: String?
    var hasTag = false
}
