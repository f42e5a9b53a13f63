"""What scripts import from django.forms and utilities.forms: widgets, fields, and helpers for choices and patterns.

Widgets and fields only describe a form, which the service draws. Fields clean a value as far as scripts call `clean`.
"""

import re

from errors import ValidationError

NUMERIC_EXPANSION_PATTERN = r"\[((?:\d+[?:,-])+\d+)\]"
ALPHANUMERIC_EXPANSION_PATTERN = r"\[((?:[a-zA-Z0-9]+[?:,-])+[a-zA-Z0-9]+)\]"
IP4_EXPANSION_PATTERN = r"\[((?:[0-9]{1,3}[?:,-])+[0-9]{1,3})\]"
IP6_EXPANSION_PATTERN = r"\[((?:[0-9a-fA-F]{1,4}[?:,-])+[0-9a-fA-F]{1,4})\]"
BOOLEAN_WITH_BLANK_CHOICES = (("", "---------"), ("True", "Yes"), ("False", "No"))


class Widget:
    """A kind of control. `attrs`: HTML attributes; other options are accepted and ignored."""

    def __init__(self, attrs=None, *args, **kwargs):
        self.attrs = dict(attrs or {})


def _classes(names, base):
    """Adds subclasses of `base` to this module; returns them by their names."""
    classes = {name: type(name, (base,), {"__module__": __name__}) for name in names.split()}
    globals().update(classes)
    return classes


DJANGO_WIDGETS = _classes("Input Textarea CheckboxInput Select SelectMultiple FileInput MultiWidget", Widget)
DJANGO_WIDGETS |= _classes("TextInput NumberInput EmailInput URLInput PasswordInput HiddenInput ColorInput SearchInput", Input)
DJANGO_WIDGETS |= _classes("DateInput DateTimeInput TimeInput", TextInput)
DJANGO_WIDGETS |= _classes("NullBooleanSelect RadioSelect", Select)
DJANGO_WIDGETS |= _classes("CheckboxSelectMultiple", SelectMultiple)
DJANGO_WIDGETS |= _classes("MultipleHiddenInput", HiddenInput)
DJANGO_WIDGETS |= _classes("ClearableFileInput", FileInput)

NETBOX_WIDGETS = _classes("DatePicker DateTimePicker TimePicker SlugWidget", TextInput)
NETBOX_WIDGETS |= _classes("NumberWithOptions", NumberInput)
NETBOX_WIDGETS |= _classes("ClearableSelect ColorSelect BulkEditNullBooleanSelect HTMXSelect StaticSelect APISelect", Select)
NETBOX_WIDGETS |= _classes("SelectWithPK APISelectWithDisabled", Select)
NETBOX_WIDGETS |= _classes("APISelectMultiple StaticSelectMultiple SplitMultiSelectWidget SelectMultipleBase", SelectMultiple)
NETBOX_WIDGETS |= _classes("ArrayWidget ChoicesWidget MarkdownWidget", Textarea)


class Field:
    """A field of a form."""

    widget = TextInput
    empty_value = None

    def __init__(self, *, required=True, widget=None, label=None, initial=None, help_text="", validators=(), **options):
        widget = widget or self.widget
        self.widget = widget() if isinstance(widget, type) else widget
        self.required, self.label, self.initial, self.help_text = required, label, initial, help_text
        self.validators = list(validators)
        self.__dict__.update(options)

    def to_python(self, value):
        return value

    def clean(self, value):
        """The value as Python has it. Raises ValidationError."""
        if value in (None, "", [], (), {}):
            if self.required:
                raise ValidationError("This field is required.", code="required")
            return self.empty_value
        value = self.to_python(value)
        for validator in self.validators:
            validator(value)
        return value


class CharField(Field):
    empty_value = ""

    def to_python(self, value):
        return str(value).strip()


def _number(convert, problem):
    def to_python(self, value):
        try:
            return convert(str(value).strip())
        except (ValueError, ArithmeticError):
            raise ValidationError(problem, code="invalid")

    return to_python


class IntegerField(Field):
    widget = NumberInput
    to_python = _number(int, "Enter a whole number.")


class FloatField(IntegerField):
    to_python = _number(float, "Enter a number.")


def _decimal(text):
    from decimal import Decimal

    return Decimal(text)


class DecimalField(IntegerField):
    to_python = _number(_decimal, "Enter a number.")


class BooleanField(Field):
    widget = CheckboxInput
    empty_value = False

    def to_python(self, value):
        return bool(value) and str(value).lower() not in ("false", "0")


class ChoiceField(Field):
    widget = Select
    empty_value = ""

    def __init__(self, *, choices=(), **options):
        super().__init__(**options)
        self.choices = choices

    def to_python(self, value):
        return str(value)


class MultipleChoiceField(ChoiceField):
    widget = SelectMultiple

    def to_python(self, value):
        if not isinstance(value, (list, tuple)):
            raise ValidationError("Enter a list of values.", code="invalid_list")
        return [str(item) for item in value]


class FileField(Field):
    widget = ClearableFileInput


DJANGO_FIELDS = {
    cls.__name__: cls
    for cls in (Field, CharField, IntegerField, FloatField, DecimalField, BooleanField, ChoiceField, MultipleChoiceField, FileField)
}
DJANGO_FIELDS |= _classes("TypedChoiceField ModelChoiceField", ChoiceField)
DJANGO_FIELDS |= _classes("TypedMultipleChoiceField ModelMultipleChoiceField", MultipleChoiceField)
DJANGO_FIELDS |= _classes("EmailField RegexField SlugField URLField UUIDField GenericIPAddressField JSONField", CharField)
DJANGO_FIELDS |= _classes("DateField DateTimeField TimeField DurationField", Field)
DJANGO_FIELDS |= _classes("NullBooleanField", BooleanField)
DJANGO_FIELDS |= _classes("ImageField", FileField)

NETBOX_FIELDS = _classes("DynamicChoiceField", ChoiceField)
NETBOX_FIELDS |= _classes("DynamicMultipleChoiceField", MultipleChoiceField)
NETBOX_FIELDS |= _classes("DynamicModelChoiceField ContentTypeChoiceField", ModelChoiceField)
NETBOX_FIELDS |= _classes("DynamicModelMultipleChoiceField ContentTypeMultipleChoiceField", ModelMultipleChoiceField)
NETBOX_FIELDS |= _classes("ColorField CommentField LaxURLField NumericArrayField NumericRangeArrayField", CharField)
NETBOX_FIELDS |= _classes("MACAddressField TagFilterField", CharField)


class ExpandableNameField(CharField):
    """A text whose ranges in brackets stand for several names."""

    def to_python(self, value):
        return list(expand_alphanumeric_pattern(value)) if re.search(ALPHANUMERIC_EXPANSION_PATTERN, value) else [value]


class ExpandableIPNetworkField(CharField):
    """A network whose ranges in brackets stand for several networks."""

    def to_python(self, value):
        family, pattern = (6, IP6_EXPANSION_PATTERN) if ":" in value else (4, IP4_EXPANSION_PATTERN)
        return list(expand_ipnetwork_pattern(value, family)) if re.search(pattern, value) else [value]


ExpandableIPAddressField = ExpandableIPNetworkField


class Form:
    """A form that a script declares; scripts have no requests in which one could be sent."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("Scripts cannot use forms of their own; declare variables instead.")


class FieldSet:
    """A heading and the names of its fields, in the form in which Meta.fieldsets may have them."""

    def __init__(self, *items, name=None, **options):
        self.items, self.name = items, name

    def __iter__(self):
        return iter((self.name or "", self.items))


def add_blank_choice(choices):
    return ((None, "---------"), *choices)


def _refuse_range(text):
    raise ValidationError(f'Range "{text}" is invalid.')


def parse_numeric_range(string, base=10):
    """The sorted numbers of ranges such as `0-3,5`."""
    values = set()
    for part in string.split(","):
        begin, _, end = part.partition("-")
        try:
            values.update(range(int(begin, base), int(end or begin, base) + 1))
        except ValueError:
            _refuse_range(part)
    return sorted(values)


def parse_alphanumeric_range(string):
    """The values of ranges such as `0-3,a-d`: numbers and texts, in their order. Empty if a range mixes kinds."""
    values = []
    for part in string.split(","):
        begin, dash, end = part.partition("-")
        both = begin + end
        if not dash:
            values.append(part)
        elif "-" in end:
            _refuse_range(part)
        elif not (both.isdigit() or both.isalpha() and (both.isupper() or both.islower())):
            return []
        elif both.isdigit():
            if int(begin) >= int(end):
                raise ValidationError(f"Invalid range: Ending value ({end}) must be greater than beginning value ({begin}).")
            values.extend(range(int(begin), int(end) + 1))
        elif len(begin) == len(end) == 1 and begin < end:
            values.extend(chr(code) for code in range(ord(begin), ord(end) + 1))
        else:
            _refuse_range(part)
    return values


def _expand(string, pattern, values_of):
    lead, inner, rest = re.split(pattern, string, maxsplit=1)
    for value in values_of(inner):
        for tail in _expand(rest, pattern, values_of) if re.search(pattern, rest) else (rest,):
            yield f"{lead}{value}{tail}"


def expand_alphanumeric_pattern(string):
    """The names that a text such as `eth[0-3]` stands for. Raises ValueError if it has no range."""
    return _expand(string, ALPHANUMERIC_EXPANSION_PATTERN, parse_alphanumeric_range)


def expand_ipnetwork_pattern(string, family):
    """The networks that a text such as `10.0.[1-3].0/24` stands for."""
    if family not in (4, 6):
        raise Exception(f"Invalid IP address family: {family}")
    pattern, base, digits = (IP4_EXPANSION_PATTERN, 10, "d") if family == 4 else (IP6_EXPANSION_PATTERN, 16, "x")
    return _expand(string, pattern, lambda inner: [format(value, digits) for value in parse_numeric_range(inner, base)])


expand_ipaddress_pattern = expand_ipnetwork_pattern
