/// The host as systemd-logind drives it.
extension Host {
    func makeLogin() -> LoginService {
        let reach = LoginService.Reach(
            lifecycle: lifecycle, events: events, shutDown: { [weak self] in self?.shutDown() },
            busy: { [weak self] in self?.stillBusy ?? "" })
        let session = source?.environment["XDG_SESSION_ID"] ?? ""
        return LoginService(
            loginSettings, bus: loginBus(), ownSession: session.isEmpty ? nil : session, reach: reach,
            clock: clock, log: log)
    }

    /// What the config says; a host that was not started from a file has nothing to do with the machine's logind.
    var loginSettings: LoginSettings {
        var settings = configuration.login
        if source == nil { settings.bus = .off }
        return settings
    }

    func loginBus() -> any LoginBus {
        DBusLoginBus(LoginBusAddress(loginSettings.bus, source?.environment ?? [:]))
    }
}
