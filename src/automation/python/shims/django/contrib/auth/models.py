from users.models import Group, User
