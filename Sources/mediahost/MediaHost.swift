import HostCore
@main struct MediaHost { static func main() { let l = MainLoop(); l.run { l.quit() } } }
