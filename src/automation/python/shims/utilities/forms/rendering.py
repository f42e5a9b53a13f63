from forms import FieldSet
