def deepmerge(original, new):
    merged = dict(original)
    for key, value in new.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = deepmerge(merged[key], value) if both else value
    return merged


def shallow_compare_dict(source, target, exclude=()):
    return {key: value for key, value in target.items() if key not in exclude and source.get(key) != value}
