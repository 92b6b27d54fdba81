internal import CGStreamer

/// The part of a pipeline that is there only to show pictures, and where it begins.
///
/// An element belongs to it when all that it takes in ends at video sinks. It is cut off in front of its decoders, and where
/// there are none, where it branches off. What is shared with others (a demuxer, a tee with a recording, the synchroniser in
/// a player) does not belong to it; neither does what somebody at one of its pads listens to.
struct VideoPaths {
    /// One place where it is cut off.
    struct Cut {
        /// The source pad before it.
        var pad: Pad
        /// What decodes behind it; nil where raw or foreign pictures pass.
        var decoder: Element?
        /// Behind these source pads, of the last queue between the decoder and each sink, the pictures are cut off, too.
        var outlets: [Pad] = []
        /// Whether what is right behind it is ended with the rest: no decoder, which ends by itself, nor what goes on.
        var endsBehind = false
    }

    private(set) var cuts: [Cut] = []
    /// Behind the cuts, or the outlets of these, without their decoders: no bins. Each after all that it gives something to.
    private(set) var elements: [Element] = []
    private(set) var sinks: [Element] = []
    /// Whether some of what is cut off meets again.
    private(set) var isMixed = false
    /// Whether other sinks go on without it.
    let leavesOthers: Bool

    private let listened: Set<UnsafeMutablePointer<GstPad>>
    private var verdicts: [UnsafeMutablePointer<GstPad>: Bool] = [:]
    /// Elements before an outlet.
    private var goingOn: Set<UnsafeMutablePointer<GstElement>> = []
    private var visited: Set<UnsafeMutablePointer<GstPad>> = []

    /// Looks at a pipeline that has prerolled.
    /// - Parameter listened: pads at which somebody wants all that passes.
    /// - Thread: worker.
    init(of pipeline: Pipeline, listened: [Pad] = []) {
        self.listened = Set(listened.map(\.pointer))
        let leaves = pipeline.elements.filter { !$0.isBin }
        let all = leaves.filter(\.isSink)
        let views = all.filter(Self.showsVideo)
        leavesOthers = views.count < all.count
        let inputs = leaves.flatMap(\.pads).filter { $0.isSink && $0.isLinked }
        for pad in inputs where leadsToViews(pad) && !inputs.contains(where: { feeds($0, pad) && leadsToViews($0) }) {
            enter(pad)
        }
        isMixed = elements.contains { element in element.pads.count { $0.isSink && $0.isLinked } > 1 }
        // A queue whose subtitles an overlay has yet to show must go on with it: it could not end.
        for element in elements where feedsWhatGoesOn(element) { goingOn.insert(element.pointer) }
        elements.removeAll { [goingOn] in goingOn.contains($0.pointer) }
        for number in cuts.indices {
            guard let next = next(behind: cuts[number].pad)?.leafElement else { continue }
            cuts[number].endsBehind = elements.contains { $0.pointer == next.pointer }
        }
    }

    /// A sink that shows pictures: by its kind. `fakesink` stands for one where it takes raw pictures; other sinks without a kind
    /// (`appsink`, `shmsink`) take pictures to somebody who is not asked.
    static func showsVideo(_ sink: Element) -> Bool {
        picturesTest(of: sink)?(sink.pad(named: "sink")?.currentCaps) ?? false
    }

    /// Whether a sink shows what is of a format; nil where it shows no pictures of any.
    static func picturesTest(of sink: Element) -> (@Sendable (Caps?) -> Bool)? {
        let words = sink.kind.split(separator: "/")
        if words.contains("File") || words.contains("Network") || words.contains("Audio") { return nil }
        if words.contains("Video") || words.contains("Image") { return { caps in caps?.isVideo ?? true } }
        guard sink.factoryName == "fakesink" else { return nil }
        return { caps in caps?.isVideo == true && caps?.isRaw == true }
    }

    // MARK: - Pads

    /// Whether all that comes out of this input ends at video sinks.
    private mutating func leadsToViews(_ input: Pad) -> Bool {
        if let known = verdicts[input.pointer] { return known }
        // A circle leads nowhere.
        verdicts[input.pointer] = false
        let answer: Bool
        if let element = input.leafElement, element.isSink {
            answer = Self.showsVideo(element)
        } else {
            let outputs = input.linkedInside
            answer =
                !outputs.isEmpty
                && outputs.allSatisfy { output in
                    guard !isListenedTo(output), let next = output.peer else { return false }
                    return leadsToViews(next)
                }
        }
        verdicts[input.pointer] = answer
        return answer
    }

    /// Whether somebody wants what comes out there, or what it is made of. Who listens at a sink's own pad gets what the sink gets.
    private func isListenedTo(_ output: Pad) -> Bool {
        listened.contains(output.pointer) || output.linkedInside.contains { listened.contains($0.pointer) }
    }

    /// Whether what comes out of `first` goes into `second`, with nothing but the borders of bins between.
    private func feeds(_ first: Pad, _ second: Pad) -> Bool {
        first.linkedInside.contains { next(behind: $0)?.pointer == second.pointer }
    }

    private func feedsWhatGoesOn(_ element: Element) -> Bool {
        element.pads.contains { pad in
            guard !pad.isSink, let next = next(behind: pad)?.leafElement else { return false }
            return goingOn.contains(next.pointer)
        }
    }

    /// The input of an element that an output leads to, whatever bins are between.
    private func next(behind output: Pad) -> Pad? {
        var next = output.peer
        while let pad = next, pad.leafElement == nil { next = pad.linkedInside.first?.peer }
        return next
    }

    // MARK: - Cuts

    /// From where it begins down to its decoders.
    private mutating func enter(_ input: Pad) {
        let decoders = decoders(below: input)
        guard !decoders.isEmpty else {
            if let pad = subtitleCut(on: input), let next = pad.peer {
                cuts.append(Cut(pad: pad, decoder: nil))
                return collect(next, besides: nil)
            }
            // What waits in a queue waits there for who comes back.
            if input.leafElement?.factoryName == "queue" {
                let outputs = input.linkedInside
                cuts += outputs.map { Cut(pad: $0, decoder: nil) }
                return outputs.compactMap(\.peer).forEach { collect($0, besides: nil) }
            }
            if let pad = input.peer { cuts.append(Cut(pad: pad, decoder: nil)) }
            return collect(input, besides: nil)
        }
        for decoder in decoders {
            guard let element = decoder.leafElement, let pad = decoder.peer else { continue }
            collect(decoder, besides: element)
            let outputs = decoder.linkedInside
            let outlets = outletsOfAll(outputs)
            if !outlets.isEmpty { keepGoing(behind: outputs, upTo: Set(outlets.map(\.pointer))) }
            cuts.append(Cut(pad: pad, decoder: element, outlets: outlets))
        }
    }

    /// Where subtitles are cut off on their way down from an input; nil where there are none on it. There is nothing to save before
    /// an overlay, and a player makes what reads a file of subtitles as it goes: that must go on. What waits in the overlay's queue
    /// waits there, behind the cut; and a streamsynchronizer, which keeps the end of one stream until all have ended, is behind it, too.
    private func subtitleCut(on input: Pad) -> Pad? {
        var way: [(input: Pad, output: Pad, element: Element)] = []
        var next: Pad? = input
        while let pad = next, let element = pad.leafElement, let output = pad.linkedInside.first, !meets(pad, output) {
            way.append((pad, output, element))
            next = self.next(behind: output)
        }
        guard let last = way.last, last.output.currentCaps?.isSubtitles == true else { return nil }
        if let ahead = way.last(where: { $0.element.factoryName == "multiqueue" }) { return ahead.output }
        return last.element.factoryName == "queue" ? last.input.peer : last.output
    }

    /// Whether what comes in there comes out together with something else.
    private func meets(_ input: Pad, _ output: Pad) -> Bool {
        input.leafElement?.pads.contains { other in
            other.isSink && other.isLinked && other.pointer != input.pointer
                && other.linkedInside.contains { $0.pointer == output.pointer }
        } ?? false
    }

    /// The inputs of the first decoders on each way down.
    private func decoders(below input: Pad) -> [Pad] {
        if let element = input.leafElement {
            let words = element.kind.split(separator: "/")
            if words.contains("Decoder"), words.contains("Video") || words.contains("Image") { return [input] }
        }
        return input.linkedInside.flatMap { output in output.peer.map(decoders) ?? [] }
    }

    /// The source pads of the last queues on each way down, behind all that mixes; none where one of the ways ends without: what pushes
    /// into that would stop for good. What is before them goes on, with all that they hold.
    private func outlets(below input: Pad) -> [Pad] {
        let found = outletsOfAll(input.linkedInside)
        guard found.isEmpty, let element = input.leafElement, element.factoryName == "queue" else { return found }
        let outputs = element.pads.filter { !$0.isSink && $0.isLinked }
        return outputs.contains(where: leadsToMixer) ? [] : outputs
    }

    /// Whether what comes out there meets something else on its way to a sink: whoever is ahead waits for that, and would for ever where
    /// both are kept back right before it.
    private func leadsToMixer(_ output: Pad) -> Bool {
        guard let input = output.peer else { return false }
        return input.linkedInside.contains { meets(input, $0) || leadsToMixer($0) }
    }

    private func outletsOfAll(_ outputs: [Pad]) -> [Pad] {
        let ways = outputs.compactMap(\.peer).map(outlets(below:))
        return ways.contains(where: \.isEmpty) ? [] : ways.flatMap(\.self)
    }

    private mutating func keepGoing(behind outputs: [Pad], upTo outlets: Set<UnsafeMutablePointer<GstPad>>) {
        for output in outputs where !outlets.contains(output.pointer) {
            guard let next = output.peer else { continue }
            if let element = next.leafElement { goingOn.insert(element.pointer) }
            keepGoing(behind: next.linkedInside, upTo: outlets)
        }
    }

    private mutating func collect(_ input: Pad, besides decoder: Element?) {
        guard visited.insert(input.pointer).inserted else { return }
        for output in input.linkedInside {
            if let next = output.peer { collect(next, besides: decoder) }
        }
        guard let element = input.leafElement, element.pointer != decoder?.pointer, belongs(element),
            !elements.contains(where: { $0.pointer == element.pointer })
        else { return }
        elements.append(element)
        if element.isSink { sinks.append(element) }
    }

    /// Whether nothing else passes through it.
    private mutating func belongs(_ element: Element) -> Bool {
        element.pads.allSatisfy { !$0.isSink || !$0.isLinked || leadsToViews($0) }
    }
}

extension Pad {
    /// The element, no bin, that it belongs to; nil at the border of a bin.
    var leafElement: Element? {
        guard
            let parent = gst_object_get_parent(
                UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self))
        else { return nil }
        let raw = UnsafeMutableRawPointer(parent)
        guard mh_gst_is_element(raw) != 0, mh_gst_is_bin(raw) == 0 else {
            gst_object_unref(raw)
            return nil
        }
        return Element(adopting: raw.assumingMemoryBound(to: GstElement.self))
    }

    /// The pads of the same element, or on the other side of the same border, where what comes in here goes out.
    var linkedInside: [Pad] {
        guard let iterator = gst_pad_iterate_internal_links(pointer) else { return [] }
        defer { gst_iterator_free(iterator) }
        var found: [Pad] = []
        forEachObject(iterator) { object in
            gst_object_ref(object)
            found.append(Pad(adopting: object.assumingMemoryBound(to: GstPad.self)))
        }
        return found
    }
}
