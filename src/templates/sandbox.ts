/**
 * Program of the process in which templates are rendered; `template-process.ts` starts it with no permission
 * but to read its own files. It exchanges lines of JSON with its parent: a job comes in, questions go out and are
 * answered, a result goes out. All of that is synchronous, since templates are. Its argument says what to do with
 * the snapshot of the interpreter: `load` it, `save` one, or nothing (`none`).
 */
import { constants, fstatSync, readSync, writeSync } from 'node:fs'
import { restorePython, startPython } from './python.ts'

/** Bytes of WebAssembly memory that a template may take; more is a MemoryError in Python. */
const MOST_MEMORY = 512 * 2 ** 20
const PAGE = 65_536

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}
// The types of Node do not know of it.
const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } })
  .WebAssembly.Memory
const { grow } = prototype
let memory: Memory | undefined
prototype.grow = function (this: Memory, pages: number) {
  memory = this
  if (this.buffer.byteLength + pages * PAGE > MOST_MEMORY) throw new RangeError('Out of memory')
  return grow.call(this, pages)
}

const rest: Buffer[] = []
const chunk = Buffer.alloc(PAGE)

/** The next line from the parent; ends the process when there will be none. */
function readLine(): string {
  for (;;) {
    const length = readSome()
    if (length === 0) process.exit(0)
    const end = chunk.subarray(0, length).indexOf(10)
    rest.push(Buffer.from(chunk.subarray(0, end < 0 ? length : end)))
    if (end < 0) continue
    // The parent waits for an answer before it writes again: nothing follows the end of a line.
    return Buffer.concat(rest.splice(0)).toString('utf8')
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

// Emscripten asks Node for the numbers of its flags in a way that takes a permission of its own.
Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }) })

/** File descriptor of the snapshot, which the parent has opened: this process may open no files itself. */
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

/** Whether the whole snapshot could be written: the disk may be full. */
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

const [mode] = process.argv.slice(2)
const python =
  mode === 'load' ? await restorePython(readSnapshot()) : await startPython(mode === 'save')
const isSaved = mode === 'save' && writeSnapshot(python.makeMemorySnapshot())
const prepare = python.runPython('json.loads')
const models = prepare(readLine())
const render = python.globals.get('render')
writeLine(JSON.stringify({ isSaved }))

for (;;) {
  const job = readLine()
  const answer = String(render(models, job, ask))
  // What was allocated once is never given back: the parent may want a new process.
  const isSpent = (memory?.buffer.byteLength ?? 0) > MOST_MEMORY / 2
  writeLine(isSpent ? `${answer.slice(0, -1)},"isSpent":true}` : answer)
}
