"""The script that the recordings of webhooks run after its upload."""

from extras.scripts import Script, StringVar


class Hello(Script):
    who = StringVar()

    def run(self, data, commit):
        self.log_debug("dbg")
        self.log_info("info " + data["who"])
        self.log_success("ok")
        self.log_warning("warn")
        self.log_failure("fail")
        return "hello " + data["who"]
