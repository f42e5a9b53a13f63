from django.utils.text import slugify
from errors import AbortScript
from script import Report
from variables import *

_ = str
