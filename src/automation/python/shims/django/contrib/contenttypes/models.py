from content_types import ContentType
