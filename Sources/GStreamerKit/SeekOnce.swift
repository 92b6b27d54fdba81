internal import CGStreamer
import Synchronization

/// Has each source that seeks by itself follow one seek once, whoever brings it.
///
/// A seek is sent to every sink. Where several are fed by one source, it comes to that as often. Demuxers know it by its number and
/// leave out all but the first; base sources (1.22) do not, and would flush once more when the first data of the new place have
/// passed: those would be heard twice.
struct SeekOnce {
    private let probes: [PadProbe]

    /// - Parameter seek: the event that is about to be sent.
    init(_ seek: UnsafeMutablePointer<GstEvent>, in elements: [Element]) {
        let number = gst_event_get_seqnum(seek)
        let sources = elements.filter { element in !element.isBin && !element.pads.contains(where: \.isSink) }
        probes = sources.flatMap(\.pads).compactMap { pad in
            let hasCome = Atomic(false)
            return pad.addUpstreamProbe { event in
                // Others have its number, too: those that a demuxer makes of it, in bytes.
                guard case .seek(let other, inTime: true) = event, other == number else { return .pass }
                return hasCome.exchange(true, ordering: .relaxed) ? .swallow : .pass
            }
        }
    }

    /// It was sent. - Thread: the sender's.
    func end() { for probe in probes { probe.cancel() } }
}
