import PluginKit

/// What is asked of the timers. All of it is done between two commits, in the order in which it came.
enum TimerOrder: Sendable {
    case start(StartRequest)
    case startMany([StartRequest])
    case stop(String)
    case pause(String)
    case resume(String)
    case extend(String, by: Int64)
    case snooze(String, for: Int64?)
    case next(String)
    case acknowledge(String)
    case definePet(PetDefinition)
    case removePet(String)
    case status(String)
    /// With `after`: only the finished ones behind it.
    case list(after: Int64, limit: Int)
    case pets(after: Int64, limit: Int)
    case summary
    /// Events were posted of these, by number of their start; their notifications wait.
    case told([Int64])
    /// All was done for these.
    case delivered([Int64])
    /// Of these nobody was told, and nobody will be before the next start.
    case unsent([Int64])
    /// Tell again what nobody has acknowledged: a page of it, behind a number.
    case replay(after: Int64)
    /// What nobody has acknowledged.
    case countDue
    /// What nobody was told of, and when the next is over.
    case pending
    case schedule(ScheduleRequest)
    case unschedule(String, String)
    case schedules(after: Int64, limit: Int)
    case policy(TimerPolicy)
    /// Completes what is due, and notes what the clocks show.
    case look
}

extension TimerOrder {
    /// What the plugin says about its own doing. It is lost by no failure of the store, and goes with the next commit.
    var isNote: Bool {
        switch self {
        case .told, .delivered, .unsent: true
        default: false
        }
    }
}

/// The answer to one.
enum TimerAnswer: Sendable, Equatable {
    case timer(TimerReport)
    case pet(PetReport)
    case startedMany(StartManyResult)
    case stopped(StopResult)
    case count(Int)
    /// Where there may be more: the last of them.
    case replayed(Int, last: Int64?)
    case list(TimerList)
    case pets(PetList)
    case summary(Summary)
    case pending(PendingResult)
    case schedule(ScheduleReport)
    case schedules(ScheduleList)
    case done
}

/// A pet as the config or a command describes it.
struct PetDefinition: Sendable, Equatable {
    var id: String
    /// As before, or the id, where there is none.
    var name: String?
    var cycle: Int64?
    var wash: Int64?
    var dry: Int64?
    var hasSound: Bool?
}

/// What the timers need to know besides the store.
struct TimerPolicy: Sendable, Equatable {
    var defaults = Pet.Defaults(
        cycle: 30 * 60_000_000_000, wash: 45 * 60_000_000_000, dry: 60 * 60_000_000_000)
    var basis = Basis.elapsed
    var snooze: Int64 = 5 * 60_000_000_000
    /// What is noticed later than this gets no notification.
    var staleAfter: Int64 = 12 * 3_600_000_000_000
    var healthSpan: Int64 = 7 * 86_400_000_000_000
    /// Moments of a pet's schedules that wait for somebody; the oldest beyond them are done with, so that a board that nobody visits
    /// keeps no more from year to year.
    var mostMoments = 100
}
