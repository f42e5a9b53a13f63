from .fields import *
from .utils import *
from .widgets import *
