from forms import DJANGO_FIELDS as _fields

globals().update(_fields)
