package import PluginKit

/// What the user wrote, with the defaults of what they left out.
package struct TimerSettings: PluginRecord, Equatable {
    struct PetSettings: PluginRecord, Equatable {
        let id: String
        let name: String?
        let cycle: Duration?
        let wash: Duration?
        let dry: Duration?
        let hasSound: Bool?

        static let fields = Fields(
            PetSettings.init,
            Field("id", \.id, "A UUID or a short name without spaces and slashes"),
            Field("name", \.name, "What people call it; the id if left out"),
            Field("cycle", \.cycle, limits: .atLeast(.seconds(1)), "Its time from one laundry to the next"),
            Field("wash", \.wash, limits: .atLeast(.seconds(1)), "Its time for a wash"),
            Field("dry", \.dry, limits: .atLeast(.seconds(1)), "Its time for drying"),
            Field("sound", \.hasSound, "Whether its notifications have a sound; true if left out"))

        var definition: PetDefinition {
            PetDefinition(
                id: id, name: name, cycle: cycle?.wholeNanoseconds, wash: wash?.wholeNanoseconds,
                dry: dry?.wholeNanoseconds, hasSound: hasSound)
        }
    }

    let pets: [PetSettings]
    let schedules: [ScheduleRequest]
    let cycle: Duration
    let wash: Duration
    let dry: Duration
    let basis: Basis
    let snooze: Duration
    let staleAfter: Duration
    let healthSpan: Duration
    let hasTick: Bool
    let wakes: Bool

    package static let fields = Fields(
        TimerSettings.init,
        Field(
            "pets", \.pets, default: [], "Pets that are there from the start; others are made by pet-add and stay, too"),
        Field("schedules", \.schedules, default: [], "What comes again, as for command schedule; it stays, too"),
        Field(
            "cycle", \.cycle, default: .seconds(30 * 60), limits: .atLeast(.seconds(1)),
            "A new pet's time from one laundry to the next"),
        Field("wash", \.wash, default: .seconds(45 * 60), limits: .atLeast(.seconds(1)), "A new pet's time for a wash"),
        Field("dry", \.dry, default: .seconds(60 * 60), limits: .atLeast(.seconds(1)), "A new pet's time for drying"),
        Field(
            "basis", \.basis, default: .elapsed,
            "What timers count by: time that passes, whoever sets the clock (elapsed), or the wall clock (wall)"),
        Field(
            "snooze", \.snooze, default: .seconds(300), limits: .atLeast(.seconds(1)),
            "When a finished timer is told again"),
        Field(
            "stale-after", \.staleAfter, default: .seconds(12 * 3600),
            "A timer that was noticed later than this after its end is listed and told, without a notification"),
        Field(
            "health-span", \.healthSpan, default: .seconds(7 * 86_400), limits: .atLeast(.seconds(60)),
            "How long a pet's health takes from 100 to 0 without laundry"),
        Field("tick", \.hasTick, default: true, "Whether event `tick` comes every 30 s, by which all pets change"),
        Field(
            "wake", \.wakes, default: true, "Whether the next timer wakes a machine that sleeps, where one can be woken"
        ))

    var policy: TimerPolicy {
        TimerPolicy(
            defaults: Pet.Defaults(
                cycle: cycle.wholeNanoseconds, wash: wash.wholeNanoseconds, dry: dry.wholeNanoseconds),
            basis: basis, snooze: snooze.wholeNanoseconds, staleAfter: staleAfter.wholeNanoseconds,
            healthSpan: healthSpan.wholeNanoseconds)
    }

    /// What no schema can say.
    func check() throws(PluginError) {
        for (index, pet) in pets.enumerated() {
            if let refusal = pet.definition.refusal {
                throw PluginError(refusal.message, code: .invalid, key: "pets[\(index)].id")
            }
            guard !pets[..<index].contains(where: { $0.id == pet.id }) else {
                throw PluginError("pet \"\(pet.id)\" is there twice", code: .invalid, key: "pets[\(index)].id")
            }
        }
        for (index, schedule) in schedules.enumerated() {
            do throws(PluginError) {
                try schedule.check()
            } catch {
                throw PluginError(
                    error.message, code: .invalid, key: "schedules[\(index)]" + (error.key.map { ".\($0)" } ?? ""))
            }
            let name = schedule.usualName
            guard !schedules[..<index].contains(where: { $0.pet == schedule.pet && $0.usualName == name }) else {
                throw PluginError(
                    "\(schedule.pet) has schedule \"\(name)\" twice; give each a name", code: .invalid,
                    key: "schedules[\(index)].name")
            }
        }
    }
}
