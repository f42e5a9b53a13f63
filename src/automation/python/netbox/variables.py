"""The variables of extras.scripts. Each keeps the arguments of a form field in `field_attrs`, as NetBox's do."""

import forms

# What scripts and reports import; KINDS is for describing them.
__all__ = [
    "BooleanVar",
    "ChoiceVar",
    "DateTimeVar",
    "DateVar",
    "DecimalVar",
    "FileVar",
    "IntegerVar",
    "IPAddressVar",
    "IPAddressWithMaskVar",
    "IPNetworkVar",
    "MultiChoiceVar",
    "MultiObjectVar",
    "ObjectVar",
    "ScriptVariable",
    "StringVar",
    "TextVar",
]


class ScriptVariable:
    """A value that the user who runs the script sets."""

    form_field = forms.CharField
    widget = None

    def __init__(self, label="", description="", default=None, required=True, widget=None):
        self.field_attrs = {"required": required}
        self._set(label=label or None, help_text=description or None, initial=default, widget=widget or self.widget)

    def _set(self, **options):
        """Adds the options that are not None. A limit of zero is one."""
        self.field_attrs.update((name, value) for name, value in options.items() if value is not None)

    def as_field(self):
        return self.form_field(**self.field_attrs)


class StringVar(ScriptVariable):
    def __init__(self, min_length=None, max_length=None, regex=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._set(min_length=min_length, max_length=max_length, regex=regex)


class TextVar(ScriptVariable):
    widget = forms.Textarea


class IntegerVar(ScriptVariable):
    form_field = forms.IntegerField
    widget = forms.NumberInput

    def __init__(self, min_value=None, max_value=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._set(min_value=min_value, max_value=max_value)


class DecimalVar(ScriptVariable):
    form_field = forms.DecimalField
    widget = forms.NumberInput

    def __init__(self, min_value=None, max_value=None, max_digits=None, decimal_places=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._set(min_value=min_value, max_value=max_value, max_digits=max_digits, decimal_places=decimal_places)


class BooleanVar(ScriptVariable):
    form_field = forms.BooleanField

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.field_attrs["required"] = False


class ChoiceVar(ScriptVariable):
    form_field = forms.ChoiceField

    def __init__(self, choices, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.field_attrs["choices"] = choices


class MultiChoiceVar(ChoiceVar):
    form_field = forms.MultipleChoiceField


class DateVar(ScriptVariable):
    form_field = forms.DateField
    widget = forms.DatePicker


class DateTimeVar(ScriptVariable):
    form_field = forms.DateTimeField
    widget = forms.DateTimePicker


class ObjectVar(ScriptVariable):
    form_field = forms.DynamicModelChoiceField

    def __init__(
        self, model, query_params=None, context=None, null_option=None, selector=False, quick_add=False, *args, **kwargs
    ):
        super().__init__(*args, **kwargs)
        self._set(model=model, query_params=query_params, null_option=null_option)


class MultiObjectVar(ObjectVar):
    form_field = forms.DynamicModelMultipleChoiceField


class FileVar(ScriptVariable):
    form_field = forms.FileField


class IPAddressVar(ScriptVariable):
    """An address without a mask."""


class IPAddressWithMaskVar(ScriptVariable):
    """An address with a mask."""


class IPNetworkVar(ScriptVariable):
    """A prefix."""

    def __init__(self, min_prefix_length=None, max_prefix_length=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._set(min_prefix_length=min_prefix_length, max_prefix_length=max_prefix_length)


# A class before its bases.
KINDS = (
    StringVar,
    TextVar,
    IntegerVar,
    DecimalVar,
    BooleanVar,
    MultiChoiceVar,
    ChoiceVar,
    MultiObjectVar,
    ObjectVar,
    FileVar,
    IPAddressVar,
    IPAddressWithMaskVar,
    IPNetworkVar,
    DateVar,
    DateTimeVar,
)
