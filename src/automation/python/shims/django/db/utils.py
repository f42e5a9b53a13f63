from errors import DatabaseError, IntegrityError

Error = DatabaseError
