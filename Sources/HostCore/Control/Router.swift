/// Finds the route for a method and a path, and helps who missed it.
///
/// - Thread: any. Pure.
struct Router<Route: RoutePattern>: Sendable {
    enum Match: Sendable {
        case route(Route, parameters: [String: String])
        /// The path exists, the method does not; `allowed` is what the `Allow` header says, `first` one that takes the path.
        case wrongMethod(allowed: [String], first: Route, parameters: [String: String])
        /// No such path; `nearest` is the pattern that was probably meant.
        case unknown(nearest: Route?)
        /// A broken escape in the path.
        case broken
    }

    private enum Segment: Sendable {
        case literal([UInt8])
        case parameter(String)
        /// The last one: all that follows, as on the wire.
        case rest(String)
    }

    private struct Entry: Sendable {
        let route: Route
        let segments: [Segment]
    }

    /// Longer paths get no suggestion: the comparison costs their length times that of every pattern.
    private static var longestCompared: Int { 256 }

    private let entries: [Entry]
    /// Paths without parameters by method: most requests of a program that asks again and again.
    private var known: [String: [String: Route]] = [:]

    /// Where two routes match one path, the first wins.
    init(routes: [Route]) {
        entries = routes.map { Entry(route: $0, segments: Self.split($0.path.utf8).map(Self.segment)) }
        for route in routes {
            let method = route.method.rawValue
            guard case .route(let found, let parameters) = search(method: method, path: route.path),
                found.path == route.path, parameters.isEmpty
            else { continue }
            known[method, default: [:]][route.path] = found
        }
    }

    /// - Parameter path: as on the wire, still percent-encoded, without the query.
    func find(method: String, path: String) -> Match {
        if let route = known[method]?[path] { return .route(route, parameters: [:]) }
        return search(method: method, path: path)
    }

    private func search(method: String, path: String) -> Match {
        let pieces = Self.split(path.utf8)
        var segments: [String] = []
        for piece in pieces {
            guard let text = PercentText.decode(piece) else { return .broken }
            segments.append(text)
        }
        var allowed: [String] = []
        var first: (route: Route, parameters: [String: String])?
        // A path that is there is not what is left for a pattern that takes all that follows.
        var isNamed = false
        for entry in entries {
            guard var parameters = Self.match(entry.segments, segments) else { continue }
            if case .rest(let name)? = entry.segments.last {
                guard !isNamed else { continue }
                let rest = pieces.dropFirst(entry.segments.count - 1).joined(separator: [UInt8(ascii: "/")])
                parameters[name] = String(decoding: Array(rest), as: UTF8.self)
            }
            let offered = entry.route.method.rawValue
            if offered == method || (method == "HEAD" && entry.route.method == .get) {
                return .route(entry.route, parameters: parameters)
            }
            if case .rest? = entry.segments.last {} else { isNamed = true }
            first = first ?? (entry.route, parameters)
            allowed.append(offered)
            if entry.route.method == .get { allowed.append("HEAD") }
        }
        guard let first else { return .unknown(nearest: nearest(to: segments)) }
        return .wrongMethod(allowed: allowed, first: first.route, parameters: first.parameters)
    }

    private static func split(_ path: String.UTF8View) -> [Substring.UTF8View] {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    private static func segment(_ piece: Substring.UTF8View) -> Segment {
        guard piece.first == UInt8(ascii: "{"), piece.last == UInt8(ascii: "}") else { return .literal(Array(piece)) }
        let name = String(decoding: piece.dropFirst().dropLast(), as: UTF8.self)
        return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(name)
    }

    private static func match(_ pattern: [Segment], _ path: [String]) -> [String: String]? {
        if case .rest? = pattern.last {
            guard path.count >= pattern.count else { return nil }
        } else {
            guard path.count == pattern.count else { return nil }
        }
        var parameters: [String: String] = [:]
        for (expected, given) in zip(pattern, path) {
            switch expected {
            case .literal(let text): guard given.utf8.elementsEqual(text) else { return nil }
            case .parameter(let name):
                guard !given.isEmpty else { return nil }
                parameters[name] = given
            case .rest: break
            }
        }
        return parameters
    }

    /// The route that is the fewest edits away, if they are few. Parameters match whatever stands in their place.
    private func nearest(to path: [String]) -> Route? {
        let given = path.joined(separator: "/").utf8
        guard given.count <= Self.longestCompared else { return nil }
        var best: (route: Route, distance: Int)?
        for entry in entries {
            var candidate: [UInt8] = []
            for (index, segment) in entry.segments.enumerated() {
                if index > 0 { candidate.append(UInt8(ascii: "/")) }
                switch segment {
                case .literal(let text): candidate += text
                case .parameter(let name), .rest(let name):
                    candidate += index < path.count ? Array(path[index].utf8) : Array(name.utf8)
                }
            }
            let distance = Self.edits(from: Array(given), to: candidate)
            if distance < best?.distance ?? Int.max { best = (entry.route, distance) }
        }
        guard let best, best.distance <= max(2, given.count / 3) else { return nil }
        return best.route
    }

    /// Insertions, removals and replacements that make one text of the other.
    private static func edits(from: [UInt8], to: [UInt8]) -> Int {
        var row = Array(0...to.count)
        for (line, byte) in from.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in to.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[to.count]
    }
}
