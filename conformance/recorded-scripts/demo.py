"""Scripts of the data set that the recordings run."""

from extras.scripts import Script, StringVar


class HelloScript(Script):
    class Meta:
        description = "Says hello"

    who = StringVar(required=False)

    def run(self, data, commit):
        self.log_info("hello")
        return "hello"


class FailScript(Script):
    def run(self, data, commit):
        raise Exception("boom")
