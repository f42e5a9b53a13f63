"""Says for files of scripts what in them cannot run here, without running them: names, and the lines that use them."""

import ast
import importlib
import importlib.util
import sys

# Packages that come with the service, in both hosts.
PROVIDED = {"netaddr", "yaml", "jinja2", "markupsafe"}
# Parts of the standard library that need what WebAssembly does not have.
OUTSIDE = {
    **dict.fromkeys(
        ["socket", "ssl", "http", "urllib", "ftplib", "smtplib", "telnetlib", "socketserver", "asyncio"], "the network"
    ),
    **dict.fromkeys(["subprocess", "multiprocessing", "threading", "concurrent", "signal"], "other processes or threads"),
    **dict.fromkeys(["sqlite3", "ctypes", "curses", "readline"], "libraries of the system"),
}
# Parts of those that only work on texts and numbers.
HARMLESS = {"urllib.parse", "http.HTTPStatus"}
METHODS = {
    "raw": "queries in SQL",
    "extra": "queries in SQL",
    "cursor": "queries in SQL",
    "union": "unions of query sets",
    "intersection": "intersections of query sets",
    "difference": "differences of query sets",
}
QUERY_SETS = {"objects", "filter", "exclude", "all", "order_by", "restrict", "annotate", "values", "values_list"}


def check(files, packages, has_own_packages):
    """Problems of each file: `line` and `text`. `packages`: those of Django and NetBox, of which `shims/` has a part;
    `has_own_packages`: an ordinary Python runs the scripts.
    """
    local = {part.removesuffix(".py") for name in files for part in name.split("/")}
    return {name: problems_of(source, packages, local, has_own_packages) for name, source in files.items()}


def problems_of(source, packages, local, has_own_packages):
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return [{"line": error.lineno or 1, "text": f"the file is not valid Python: {error.msg}"}]
    problems = []
    for node in ast.walk(tree):
        problems.extend((node.lineno, text) for text in of_node(node, packages, local, has_own_packages))
    return [{"line": line, "text": text} for line, text in sorted(set(problems))]


def of_node(node, packages, local, has_own_packages):
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from of_module(alias.name, packages, local, has_own_packages)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield from of_import(node, packages, local, has_own_packages)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        method = node.func.attr
        if method in METHODS and (method == "cursor" or is_query_set(node.func.value)):
            yield f"scripts cannot use {METHODS[method]}: .{method}()"
        if method == "order_by" and any(isinstance(one, ast.Constant) and one.value == "?" for one in node.args):
            yield "scripts cannot order at random: use random.shuffle()"
        if method == "set_rollback":
            yield "scripts cannot use transaction.set_rollback(): raise AbortScript"


def is_query_set(node):
    while isinstance(node, (ast.Call, ast.Attribute)):
        name = node.attr if isinstance(node, ast.Attribute) else ""
        if name in QUERY_SETS:
            return True
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return False


def of_import(node, packages, local, has_own_packages):
    module = node.module
    if module.partition(".")[0] not in packages:
        names = [f"{module}.{alias.name}" for alias in node.names]
        if not (module.partition(".")[0] in OUTSIDE and all(name in HARMLESS for name in names)):
            yield from of_module(module, packages, local, has_own_packages)
        return
    content = loaded(module)
    if content is None:
        yield f"{module} is a part of NetBox or Django that scripts cannot use here"
        return
    for alias in node.names:
        if alias.name != "*" and not hasattr(content, alias.name) and loaded(f"{module}.{alias.name}") is None:
            yield f"scripts cannot import {alias.name} from {module} here"


def loaded(name):
    """The module; None if there is no such module."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def of_module(name, packages, local, has_own_packages):
    top = name.partition(".")[0]
    if top in packages:
        if loaded(name) is None:
            yield f"{name} is a part of NetBox or Django that scripts cannot use here"
    elif top in OUTSIDE and name not in HARMLESS:
        if not has_own_packages:
            yield f"{name} needs {OUTSIDE[top]}: set SCRIPTS_PYTHON to run scripts in an ordinary Python"
    elif top not in PROVIDED and top not in local and top not in sys.stdlib_module_names:
        if not has_own_packages:
            yield f"{name} is not installed: set SCRIPTS_PYTHON to a Python that has it"
        elif importlib.util.find_spec(top) is None:
            yield f"{name} is not installed in the Python that SCRIPTS_PYTHON names"
