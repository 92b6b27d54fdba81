import Locking

/// The host's end of the wire: hands each call to the instance it is for.
///
/// Lock order: a leaf.
final class HostDesk: CallTarget {
    private let places = Locked<[Int64: any CallTarget]>([:])
    private let last = Locked<Int64>(0)

    func nextNumber() -> Int64 {
        last.withLock { last in
            last += 1
            return last
        }
    }

    /// Nil takes it away.
    func put(_ place: (any CallTarget)?, for number: Int64) { places.withLock { $0[number] = place } }

    func place(_ number: Int64) -> (any CallTarget)? { places.withLock { $0[number] } }

    func perform(_ call: TrialCall) -> [Value] {
        guard let place = place(call.instance) else { return [.int(-3)] }
        return place.perform(call)
    }
}
