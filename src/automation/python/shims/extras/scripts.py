from django.utils.text import slugify
from errors import AbortScript
from script import BaseScript, Script
from variables import *

_ = str
