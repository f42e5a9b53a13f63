from forms import DJANGO_WIDGETS as _widgets
from forms import Widget

globals().update(_widgets)
