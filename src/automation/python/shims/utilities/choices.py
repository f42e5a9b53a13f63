from choices import ChoiceSet, ColorChoices, unpack_grouped_choices
