import Testing

@testable import HostCore

@Suite struct SharedPlacesTests {
    @Test func halfIsForOthersAndAllForTheSocket() {
        var places = SharedPlaces(4)
        places.take(.network)
        places.take(.web)
        #expect(!places.hasRoom(for: .network) && !places.hasRoom(for: .web) && places.hasRoom(for: .local))
        places.take(.local)
        places.take(.local)
        #expect(!places.hasRoom(for: .local) && places.hasRoom(for: .local, extra: 1))
        #expect(!places.hasRoom(for: .network, extra: 1))
        places.giveBack(.web)
        #expect(places.hasRoom(for: .local) && places.hasRoom(for: .network))
        places.take(.local)
        #expect(!places.hasRoom(for: .network) && places.taken == 4 && places.takenFromAfar == 1)
    }

    @Test func anOnlyPlaceIsForWhoeverComesFirst() {
        #expect(SharedPlaces(1).hasRoom(for: .network))
        #expect(!SharedPlaces(0).hasRoom(for: .network) && !SharedPlaces(0).hasRoom(for: .local))
    }
}
