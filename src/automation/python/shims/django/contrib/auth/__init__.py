from users.models import User as _User


def get_user_model():
    return _User
