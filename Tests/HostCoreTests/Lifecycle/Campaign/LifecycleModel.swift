/// What the lifecycle is to do, told once more and as simply as possible: words, lists of steps, one thing after the other.
///
/// It shares nothing with the code it is compared with, and is not fast.
struct LifecycleModel {
    struct Plugin {
        var answers: Manner
        var within: Int
        /// After so many calls it fails, in the middle of the last.
        var lives: Int
        var heard: [String] = []
        var phase = "new"
        /// Questions it has not answered yet, also those nobody waits for any more.
        var open: [Int] = []
    }

    enum Manner: CaseIterable { case atOnce, refusing, later }

    struct Pipeline {
        /// "play", "pause", "stop", "ended"
        var wish: String
        var modes: [String: String]
        /// "video" or "audio": what its user wants to see and hear.
        var media = "video"
        /// While a reload has it in hand: whether it is to come up.
        var held: Bool?
    }

    private static let quieting: Set = ["paused", "shutting-down", "suspended", "interrupted", "waiting"]
    private static let strength = ["keep", "audio-only", "pause", "stop"]

    var now = 0
    var plugins: [String: Plugin] = [:]
    var order: [String] = []
    var pipelines: [String: Pipeline] = [:]
    /// Whether the pipelines follow at once, by call.
    var quick: [Bool]
    /// What they were told to follow, in order.
    var followed: [String] = []
    var late: [String: Int] = [:]
    var ignored = 0

    private var words: Set<String> = []
    private var interrupters: Set<String> = []
    private var forgiven: Set<String> = []
    /// What everybody was told last.
    private var said: Set<String> = []
    private var rest = "running"
    /// What is left of what is being done.
    private var steps: [String] = []
    private var asked: [Int: (name: String, due: Int)] = [:]
    private var roundEnd = 0
    private var questions = 0

    init(quick: [Bool]) { self.quick = quick }

    var wanted: Set<String> { interrupters.isEmpty ? words : words.union(["interrupted"]) }
    var isSettled: Bool { steps.isEmpty && said == wanted }
    var isPaused: Bool { rest == "paused" }
    /// What the pipelines follow.
    private var state: Set<String> = []

    // MARK: - What happens

    mutating func hears(_ event: String, _ name: String = "") {
        switch event {
        case "pause":
            words.insert("paused")
            forgiven = []
        case "resume":
            words.remove("paused")
            words.remove("waiting")
            forgiven = interrupters
        case "begin": interrupters.insert(name)
        case "end", "end and go on":
            guard interrupters.remove(name) != nil else { return }
            let isForgiven = forgiven.remove(name) != nil
            if event == "end", !isForgiven { words.insert("waiting") }
        case "on": words.insert(name)
        case "off" where name != "shutting-down": words.remove(name)
        default: break
        }
        go()
    }

    mutating func pass(_ time: Int) {
        for _ in 0..<time / 50 {
            now += 50
            for (number, question) in asked where question.due <= now {
                asked[number] = nil
                late[question.name, default: 0] += 1
            }
            go()
        }
    }

    mutating func answer(_ name: String) {
        guard let plugin = plugins[name], !plugin.open.isEmpty else { return }
        count(plugins[name]?.open.removeFirst() ?? 0)
        go()
    }

    mutating func pipelinesHaveFollowed() {
        if steps.first == "busy" { steps.removeFirst() }
        go()
    }

    mutating func join(_ name: String, _ plugin: Plugin) {
        plugins[name] = plugin
        order.append(name)
        if steps.contains("did-pause") {
            if steps.first == "answers", min(now + plugin.within, roundEnd) > now {
                call(name, "will-pause", dueAt: min(now + plugin.within, roundEnd))
            } else {
                call(name, "will-pause")
            }
        } else if rest == "paused", !steps.contains("did-resume") {
            call(name, "will-pause")
            call(name, "did-pause")
        } else if !said.isEmpty {
            call(name, "changed")
        }
        go()
    }

    mutating func leave(_ name: String) {
        gone(name)
        go()
    }

    // MARK: - What is done about it

    private mutating func go() {
        while true {
            if steps.isEmpty, !choose() { return }
            switch steps[0] {
            case "ask will-pause", "ask will-resume":
                let change = String(steps.removeFirst().dropFirst(4))
                ask(change)
            case "answers":
                guard asked.isEmpty else { return }
                steps.removeFirst()
            case "pipelines":
                state = said
                followed.append(Self.text(said))
                if quick[(followed.count - 1) % quick.count] { steps.removeFirst() } else { steps[0] = "busy" }
            case "busy": return
            default:
                let change = steps.removeFirst()
                if change == "did-pause" { rest = "paused" }
                if change == "did-resume" { rest = "running" }
                for name in order { call(name, change) }
            }
        }
    }

    private mutating func choose() -> Bool {
        let wanted = wanted
        guard wanted != said else { return false }
        let isQuiet = !wanted.isDisjoint(with: Self.quieting)
        let pressing = wanted.intersection(Self.quieting).subtracting(["waiting"])
        if rest == "running" ? isQuiet : isQuiet && !pressing.isSubset(of: said) {
            steps = ["ask will-pause", "answers", "pipelines", "did-pause"]
        } else if rest == "paused", !isQuiet {
            steps = ["ask will-resume", "answers", "pipelines", "did-resume"]
        } else {
            steps = ["changed", "pipelines"]
        }
        said = wanted
        return true
    }

    private mutating func ask(_ change: String) {
        let partners = order.filter { change == "will-pause" || plugins[$0]?.phase == "did-pause" }
        roundEnd = now + (partners.compactMap { plugins[$0]?.within }.max() ?? 0)
        for name in partners { call(name, change, dueAt: now + (plugins[name]?.within ?? 0)) }
    }

    /// One call of one plugin. Without `dueAt` no answer is expected.
    private mutating func call(_ name: String, _ change: String, dueAt: Int? = nil) {
        guard order.contains(name), var plugin = plugins[name] else { return }
        let before = ["did-pause": "will-pause", "will-resume": "did-pause", "did-resume": "will-resume"]
        if let needed = before[change], plugin.phase != needed { return }
        if change != "changed" { plugin.phase = change }
        plugin.heard.append(change + Self.text(said))
        plugin.lives -= 1
        var number: Int?
        if let dueAt {
            questions += 1
            number = questions
            asked[questions] = (name, dueAt)
            if plugin.lives > 0, plugin.answers == .later { plugin.open.append(questions) }
        }
        plugins[name] = plugin
        if plugin.lives == 0 {
            gone(name)
        } else if let number, plugin.answers != .later {
            count(number)
        }
    }

    private mutating func count(_ number: Int) {
        if asked.removeValue(forKey: number) == nil { ignored += 1 }
    }

    private mutating func gone(_ name: String) {
        order.removeAll { $0 == name }
        asked = asked.filter { $0.value.name != name }
    }

    private static func text(_ words: Set<String>) -> String { words.sorted().reduce("") { $0 + " " + $1 } }

    // MARK: - Pipelines

    /// What a pipeline is to be in: "playing video", "playing audio", "paused", "stopped", "ended".
    func expected(_ name: String) -> String {
        guard let pipeline = pipelines[name] else { return "" }
        if pipeline.held != nil { return "stopped" }
        let mode = mode(of: pipeline)
        switch (pipeline.wish, mode) {
        case ("ended", _): return "ended"
        case ("stop", _), (_, "stop"): return "stopped"
        case ("pause", _), (_, "pause"): return "paused"
        default: return mode == "audio-only" ? "playing audio" : "playing \(pipeline.media)"
        }
    }

    /// Whether the state leaves a pipeline to its user.
    func isFree(_ name: String) -> Bool {
        guard let pipeline = pipelines[name], pipeline.held == nil else { return false }
        return ["keep", "audio-only"].contains(mode(of: pipeline))
    }

    private func mode(of pipeline: Pipeline) -> String {
        var strongest = 0
        for word in state {
            var mode = pipeline.modes[word] ?? "keep"
            if word == "shutting-down" { mode = "stop" }
            if word == "waiting" {
                mode = pipeline.modes["interrupted"] ?? "keep"
                if mode == "stop" { mode = "pause" }
            }
            strongest = max(strongest, Self.strength.firstIndex(of: mode) ?? 0)
        }
        return Self.strength[strongest]
    }
}
