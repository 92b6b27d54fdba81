/// The notes of one ring as they are written, each time all of them.
///
/// Lives under the ring's lock.
struct NotesLog {
    private let place: RingPlace?
    private let boot: String
    private let pads: [String]
    private var counter: UInt64
    /// Of what the former process left: markers that main does not know yet are none of the notes'.
    var markers: [Marker] = []
    var lastMarker = 0
    var window = WindowMark()

    /// Nobody writes any.
    init() { (place, boot, pads, counter) = (nil, "", [], 0) }

    /// - Parameter counter: of the notes that are there.
    init(_ place: RingPlace, boot: String, pads: [String], counter: UInt64) {
        (self.place, self.boot, self.pads, self.counter) = (place, boot, pads, counter)
    }

    /// - Thread: stream, main, worker; under the ring's lock. Allocates nothing.
    mutating func write(
        epoch: UInt32, _ formats: borrowing TrackFormats, _ epochs: borrowing EpochList, _ gaps: borrowing GapList,
        _ pauses: borrowing PauseList
    ) {
        guard let place else { return }
        counter += 1
        var writer = NotesWriter(place.notes(counter & 1))
        writer.put(boot)
        writer.list { list in for pad in pads { list.add { $0.put(pad) } } }
        writer.put(UInt64(epoch))
        formats.write(to: &writer)
        epochs.write(to: &writer)
        gaps.write(to: &writer)
        pauses.write(to: &writer)
        formats.writeTexts(to: &writer)
        writer.put(Int64(lastMarker))
        writer.list(leaving: 40) { list in
            for marker in markers {
                list.add {
                    $0.put(Int64(marker.id))
                    $0.put(marker.name)
                    $0.put(marker.time)
                }
            }
        }
        writer.put(window.firstNamed)
        writer.put(window.number)
        writer.put(window.discontinuity)
        writer.put(window.sound.map(UInt64.init) ?? .max)
        writer.put(window.targetSeconds)
        writer.commit(counter)
    }
}

extension TrackFormats {
    fileprivate borrowing func write(to writer: inout NotesWriter) {
        writer.put(UInt64(last))
        writer.list { list in for number in current { list.add { $0.put(UInt64(number)) } } }
    }

    /// The newest first: where they do not all fit, those of the newest frames do.
    fileprivate borrowing func writeTexts(to writer: inout NotesWriter) {
        writer.list(leaving: 104) { list in
            for format in formats.reversed() {
                list.add {
                    $0.put(UInt64(format.number))
                    $0.put(UInt64(format.track))
                    $0.put(format.end ?? .max)
                    $0.put(format.caps)
                }
            }
        }
    }
}

extension EpochList {
    fileprivate borrowing func write(to writer: inout NotesWriter) {
        writer.list { list in
            for run in entries {
                list.add {
                    $0.put(UInt64(run.number))
                    $0.put(run.pause)
                }
            }
        }
    }
}

extension GapList {
    fileprivate borrowing func write(to writer: inout NotesWriter) {
        writer.list { list in
            for number in 0..<count {
                let gap = self[number]
                list.add {
                    $0.put(gap.from)
                    $0.put(gap.to)
                }
            }
        }
    }
}

extension PauseList {
    fileprivate borrowing func write(to writer: inout NotesWriter) {
        writer.list { list in
            for number in 0..<count {
                let pause = self[number]
                list.add {
                    $0.put(pause.at)
                    $0.put(pause.decoding)
                    $0.put(pause.length)
                }
            }
        }
    }
}
