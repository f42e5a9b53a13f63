from errors import DatabaseError, IntegrityError

from . import models, transaction

Error = DatabaseError
connection = transaction.get_connection()
