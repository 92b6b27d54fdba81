/// One word of the launch syntax. Ranges are bytes of the launch text.
struct LaunchToken {
    enum Kind {
        case identifier
        /// `key=value`
        case assignment(key: Range<Int>, value: Range<Int>)
        /// `@preset=name`
        case preset(value: Range<Int>)
        /// `.pad`
        case padReference
        /// `name.` or `name.pad`
        case reference(element: Range<Int>, pad: Range<Int>?)
        /// `name.(`
        case binOpener(factory: Range<Int>)
        /// `!` or `:`, with the caps between two of them
        case link(caps: Range<Int>?)
        case uri
        /// One of `(){}.,;=`
        case mark(UInt8)
        /// A byte the syntax has no use for.
        case stray(UInt8)
    }

    var kind: Kind
    var range: Range<Int>
}
