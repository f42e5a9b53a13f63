gettext = gettext_lazy = _ = str
