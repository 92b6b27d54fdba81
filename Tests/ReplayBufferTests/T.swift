import Testing

@testable import ReplayBuffer
