def get_permission_for_model(model, action):
    app, _, name = model._model.partition(".")
    return f"{app}.{action}_{name}"
