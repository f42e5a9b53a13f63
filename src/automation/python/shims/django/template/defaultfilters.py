from django.utils.text import slugify
