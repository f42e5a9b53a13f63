import datetime as _datetime

parse_date = _datetime.date.fromisoformat
parse_datetime = _datetime.datetime.fromisoformat
