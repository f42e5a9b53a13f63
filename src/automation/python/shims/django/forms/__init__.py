from errors import ValidationError
from forms import Form

from .fields import *
from .widgets import *
