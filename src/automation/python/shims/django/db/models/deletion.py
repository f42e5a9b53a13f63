from errors import ProtectedError, RestrictedError
