/**
 * Program of the process in which templates are rendered, or a script runs; `process.ts` starts it behind the
 * kernel's walls (confinement/), with no permission but to read its own files. It exchanges lines of JSON with its parent: a job comes in, queries go
 * out and their results come in, the job's result goes out. All of that is synchronous, since templates and scripts are.
 * Its arguments: the action for the snapshot of the interpreter, `load`, `save` or `none`; `templates` or `scripts`; and
 * the megabytes of memory that the work may use.
 */
import { constants, fstatSync, readSync, writeSync } from 'node:fs'
import type { PyodideAPI } from 'pyodide'
import { restorePython, startPython } from './interpreter.ts'

const [mode, program, megabytes] = process.argv.slice(2)
/** Bytes of WebAssembly memory that the work may use; more is a MemoryError in Python. */
const MOST_MEMORY = Number(megabytes) * 2 ** 20
const PAGE = 65_536

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}
interface Instantiated {
  readonly instance?: { readonly exports: { readonly memory?: Memory } }
}
interface Assembly {
  readonly Memory: { readonly prototype: Memory }
  instantiate(...sources: readonly unknown[]): Promise<Instantiated>
}
// Missing in the types of Node.
const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly: Assembly }
const { prototype } = assembly.Memory
const { grow } = prototype
let memory: Memory | undefined
prototype.grow = function (this: Memory, pages: number) {
  memory = this
  if (this.buffer.byteLength + pages * PAGE > MOST_MEMORY) throw new RangeError('Out of memory')
  return grow.call(this, pages)
}

/** Lets the interpreter begin with so many bytes: Pyodide copies a snapshot into memory that it does not enlarge. */
function beginWith(bytes: number): void {
  const { instantiate } = assembly
  assembly.instantiate = async (...sources) => {
    const result = await instantiate(...sources)
    // Small modules of Pyodide have no memory of their own.
    const begun = result.instance?.exports.memory
    const missing = begun ? bytes - begun.buffer.byteLength : 0
    if (missing > 0) begun?.grow(Math.ceil(missing / PAGE))
    return result
  }
}

const remainder: Buffer[] = []
const chunk = Buffer.alloc(PAGE)

/** The next line from the parent; ends the process at the end of input. */
function readLine(): string {
  for (;;) {
    const length = readSome()
    if (length === 0) process.exit(0)
    const end = chunk.subarray(0, length).indexOf(10)
    remainder.push(Buffer.from(chunk.subarray(0, end < 0 ? length : end)))
    if (end < 0) continue
    // The parent waits for a reply before it writes again: no data follows the end of a line.
    return Buffer.concat(remainder.splice(0)).toString('utf8')
  }
}

function readSome(): number {
  for (;;) {
    try {
      return readSync(0, chunk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return 0
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

function writeLine(text: string): void {
  const line = Buffer.from(`${text}\n`)
  for (let done = 0; done < line.length; ) {
    try {
      done += writeSync(1, line, done)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

function ask(question: string): string {
  writeLine(question)
  return readLine()
}

// Emscripten reads the numeric values of Node's flags through an API that requires its own permission.
Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }) })
// Emscripten asks it for its file descriptor. Node's own object would make reads return at once even without input, so
// this process would keep a processor busy while it waits for a job.
Object.defineProperty(process, 'stdin', { value: { fd: 0 } })

/** File descriptor of the snapshot, opened by the parent: this process may not open files itself. */
const SNAPSHOT = 3

function readSnapshot(): ArrayBuffer {
  const snapshot = new Uint8Array(fstatSync(SNAPSHOT).size)
  for (let done = 0; done < snapshot.length; ) {
    const length = readSync(SNAPSHOT, snapshot, done, snapshot.length - done, done)
    if (length === 0) throw new Error('The snapshot is shorter than its file')
    done += length
  }
  return snapshot.buffer
}

/** True if the whole snapshot was written: the disk may be full. */
function writeSnapshot(snapshot: Uint8Array): boolean {
  try {
    for (let done = 0; done < snapshot.length; ) {
      done += writeSync(SNAPSHOT, snapshot, done, snapshot.length - done, done)
    }
    return true
  } catch {
    return false
  }
}

const python = await begin()

async function begin(): Promise<PyodideAPI> {
  if (mode !== 'load') return await startPython(mode === 'save')
  const snapshot = readSnapshot()
  beginWith(snapshot.byteLength)
  return await restorePython(snapshot)
}
closeLanguage()
const isSaved = mode === 'save' && writeSnapshot(python.makeMemorySnapshot())
const facts = readLine()
const work = workOf(program)
writeLine(JSON.stringify({ isSaved }))

/**
 * The second wall, behind the kernel's: a function of JavaScript that Python gets leads neither to one that makes
 * functions of texts nor to Node's modules. `--disallow-code-generation-from-strings` refuses such texts anyway.
 */
function closeLanguage(): void {
  const kinds = [() => undefined, async () => undefined, function* () {}, async function* () {}]
  for (const kind of kinds) Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: undefined })
  const names = ['getBuiltinModule', 'kill', '_kill', '_debugProcess', 'dlopen', 'execve', '_linkedBinding', 'report']
  for (const name of names) Object.defineProperty(process, name, { value: undefined })
}

/** The function of Python that does a job: JSON text in, JSON text out. */
function workOf(name: string | undefined): (job: string) => string {
  if (name === 'scripts') {
    const host = python.globals.get('host')
    host.start(facts)
    return (job) => String(host.work(job, ask))
  }
  const models = python.runPython('json.loads')(facts)
  const render = python.globals.get('render')
  return (job) => String(render(models, job, ask))
}

for (;;) {
  const job = readLine()
  const answer = work(job)
  // WebAssembly memory never shrinks: the parent may prefer a new process.
  const isSpent = (memory?.buffer.byteLength ?? 0) > MOST_MEMORY / 2
  writeLine(isSpent ? `${answer.slice(0, -1)},"isSpent":true}` : answer)
}
