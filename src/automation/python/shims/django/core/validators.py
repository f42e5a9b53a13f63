import re as _re

from errors import ValidationError


def _limited(message, fits):
    class Validator:
        def __init__(self, limit, text=None):
            self.limit, self.text = limit, text

        def __call__(self, value):
            if not fits(value, self.limit):
                raise ValidationError(self.text or message.format(self.limit))

    return Validator


MinValueValidator = _limited("Ensure this value is greater than or equal to {}.", lambda value, limit: value >= limit)
MaxValueValidator = _limited("Ensure this value is less than or equal to {}.", lambda value, limit: value <= limit)
MinLengthValidator = _limited("Ensure this value has at least {} characters.", lambda value, limit: len(value) >= limit)
MaxLengthValidator = _limited("Ensure this value has at most {} characters.", lambda value, limit: len(value) <= limit)


class RegexValidator:
    def __init__(self, regex="", message="Enter a valid value.", code=None, inverse_match=False, flags=0):
        self.regex, self.message, self.inverse_match = _re.compile(regex, flags), message, inverse_match

    def __call__(self, value):
        if bool(self.regex.search(str(value))) == self.inverse_match:
            raise ValidationError(self.message)
