/// The keys that lead to a value, spelled out where somebody reads them: of ten thousand that fit, none.
indirect enum SchemaPath {
    case text(String)
    case key(SchemaPath, String)
    case item(SchemaPath, Int)

    var text: String {
        switch self {
        case .text(let text): return text
        case .key(let map, let key):
            let map = map.text
            return map.isEmpty ? key : "\(map).\(key)"
        case .item(let list, let index): return "\(list.text)[\(index)]"
        }
    }
}
