import { dirname } from 'node:path/posix'
import { loadPyodide, type PyodideAPI } from 'pyodide'
import { PYTHON_PATH, pythonFiles } from './python-files.ts'

/**
 * Starts Python, compiled to WebAssembly, with Jinja and the modules of templates and scripts imported, and those of
 * Python that the shims need: each run would compile them again. `makeMemorySnapshot` works only with `isForSnapshot`.
 */
export async function startPython(isForSnapshot: boolean): Promise<PyodideAPI> {
  const python = await loadPyodide({ ...ISOLATED, _makeSnapshot: isForSnapshot })
  writeFiles(python)
  python.runPython(`
import sys
sys.path[:0] = ${JSON.stringify(PYTHON_PATH)}
import importlib, json, os, random, unicodedata, yaml, zoneinfo
for folder in ("programs", "netbox"):
    for name in os.listdir(f"/lib/{folder}"):
        if name.endswith(".py"):
            importlib.import_module(name.removesuffix(".py"))
import host
from render import render
`)
  return python
}

/** Starts Python from a snapshot of its memory (`makeMemorySnapshot`), in a tenth of the time. Empties the buffer. */
export async function restorePython(snapshot: ArrayBuffer): Promise<PyodideAPI> {
  const python = await loadPyodide({ ...ISOLATED, _loadSnapshot: snapshot })
  // Pyodide keeps its options: this releases the bytes, of which the interpreter has a copy.
  snapshot.transfer(0)
  // The snapshot contains no files, and Jinja imports some of its modules lazily.
  writeFiles(python)
  // The snapshot contains the state of the random number generator: without this, every process would generate the same
  // numbers.
  python.runPython('random.seed()')
  return python
}

function writeFiles({ FS }: PyodideAPI): void {
  for (const [path, content] of pythonFiles()) {
    FS.mkdirTree(dirname(path))
    FS.writeFile(path, content)
  }
}

const ISOLATED = {
  // Code that escapes Jinja's own sandbox finds no global object of JavaScript; sandbox.ts closes other ways to one, and
  // the kernel refuses what remains.
  jsglobals: Object.create(null),
  stdout: () => undefined,
  stderr: () => undefined,
}
