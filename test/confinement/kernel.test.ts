import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { behindWalls, kernelWalls } from '../../src/automation/confinement/walls.ts'
import { sandboxPlan } from '../../src/automation/python/host/process.ts'
import { type Api, startApi } from '../support/api.ts'
import { ATTEMPTS, type Attempt, IN_WEBASSEMBLY } from './attempts.ts'
import { pythonOfTest } from './python-of-test.ts'

/** Errors with which the kernel refuses: not permitted, no access, no such call. */
const REFUSED = new Set([1, 13, 38])

const walls = await kernelWalls()
const column = process.arch === 'arm64' ? 1 : 0
const python = pythonOfTest()

/** The attempts of this architecture, with the paths and the process of this machine. */
function attemptsHere(attempts: readonly Attempt[], names: Readonly<Record<string, string>>) {
  return attempts.flatMap(([name, numbers, values]) => {
    const number = numbers[column]
    const filled = values.map((value) => {
      if (value === '#parent') return process.pid
      return typeof value === 'string' ? value.replace(/\{(\w+)\}/, (_, key: string) => names[key] ?? '') : value
    })
    return number === null || number === undefined ? [] : [{ name: `${name}(${values.join(', ')})`, number, filled }]
  })
}

/** Errors of the attempts that the kernel did not refuse; 0 for one that succeeded. */
const reached = (attempts: ReturnType<typeof attemptsHere>, errors: readonly number[]) =>
  attempts.flatMap(({ name }, index) => {
    const error = errors[index] ?? -1
    return REFUSED.has(error) ? [] : [`${name}: ${error}`]
  })

/** Makes the calls in a Node without any permissions of its own, as code that has left WebAssembly would. */
const IN_NODE = `
const { dlopen, getRawPointer, getInt32 } = process.getBuiltinModule('node:ffi')
const signature = { return: 'i64', arguments: Array(7).fill('u64') }
const { functions } = dlopen(null, { syscall: signature, __errno_location: { return: 'pointer', arguments: [] } })
const kept = []
const valueOf = (value) => {
  if (typeof value === 'number') return BigInt.asUintN(64, BigInt(value))
  const bytes = value === '#buffer' ? Buffer.alloc(256) : Buffer.from(value + '\\0')
  kept.push(bytes)
  return getRawPointer(bytes)
}
const errors = JSON.parse(process.argv[1]).map(({ number, filled }) => {
  const values = [number, ...filled, 0, 0, 0, 0, 0, 0].slice(0, 7).map(valueOf)
  return functions.syscall(...values) < 0n ? getInt32(functions.__errno_location()) : 0
})
process.getBuiltinModule('node:fs').writeSync(1, JSON.stringify(errors))
process.kill(process.pid, 'SIGKILL')
`

/** What Node's modules reach without Node's permissions, behind the kernel's walls. */
const MODULES: Readonly<Record<string, string>> = {
  TCP: `net.connect(1, '127.0.0.1')`,
  'a socket in the file system': `net.connect('{secret}')`,
  'an abstract socket': `net.connect('\\0cadastre')`,
  'a listening port': `net.createServer().listen(0)`,
  UDP: `dgram.createSocket('udp4').bind(0)`,
  'another program': `child_process.spawnSync('true').error`,
  'a copy of itself': `child_process.spawnSync(process.execPath, ['-v']).error`,
  'the secrets': `fs.readFileSync('{secret}')`,
  'the passwords of the system': `fs.readFileSync('/etc/shadow')`,
  'the users of the system': `fs.readFileSync('/etc/passwd')`,
  'the root directory': `fs.readdirSync('/')`,
  'the processes of the machine': `fs.readdirSync('/proc')`,
  'the environment of the service': `fs.readFileSync('/proc/{parent}/environ')`,
  'a new file': `fs.writeFileSync('/tmp/cadastre-new', 'x')`,
  'rights of a file': `fs.chmodSync('{secret}', 0o644)`,
  'the owner of a file': `fs.chownSync('{secret}', 0, 0)`,
  'times of a file': `fs.utimesSync('{secret}', 0, 0)`,
  'a removed file': `fs.rmSync('{secret}')`,
  'a copied file': `fs.copyFileSync('{secret}', '/tmp/cadastre-copy')`,
  'a signal to the service': `process.kill({parent}, 0)`,
  'a signal to all': `process.kill(-1, 0)`,
  'a signal to the first process': `process.kill(1, 0)`,
}

const IN_MODULES = `
const got = []
const modules = ['fs', 'net', 'dgram', 'child_process'].map((name) => process.getBuiltinModule('node:' + name))
const attempt = (source) => {
  try {
    const result = new Function('fs', 'net', 'dgram', 'child_process', 'return ' + source)(...modules)
    if (result === undefined) return 'nothing'
    if (result instanceof Error) return result.code
    if (!result.on) return 'got it'
    return new Promise((resolve) => {
      result.on('error', (error) => resolve(error.code))
      result.on('listening', () => resolve('got it'))
      result.on('connect', () => resolve('got it'))
    })
  } catch (error) {
    return error.code
  }
}
for (const [name, source] of Object.entries(JSON.parse(process.argv[1]))) got.push([name, await attempt(source)])
process.getBuiltinModule('node:fs').writeSync(1, JSON.stringify(got))
`

const root = realpathSync(mkdtempSync(join(tmpdir(), 'confinement-')))
const secret = join(root, 'secret')
writeFileSync(secret, 'secret', { mode: 0o600 })
const scripts = realpathSync(mkdtempSync(join(tmpdir(), 'confined-scripts-')))
const names = { secret, database: root, parent: String(process.pid) }
afterAll(() => {
  for (const directory of [root, scripts]) rmSync(directory, { recursive: true })
})

/** Runs JavaScript in a Node behind the walls of the host in WebAssembly, without Node's own permissions. */
async function inNode(program: string, input: unknown): Promise<unknown> {
  const plan = sandboxPlan({ program: 'scripts', memory: 64 })
  const args = ['--experimental-ffi', '--no-warnings', '--input-type=module', '--eval', program, JSON.stringify(input)]
  const { command, args: all } = behindWalls(walls, { ...plan, args })
  const { stdout } = await promisify(execFile)(command, [...all], { env: {} }).catch(
    (error: { readonly stdout: string }) => error,
  )
  return JSON.parse(stdout)
}

describe.skipIf(process.platform !== 'linux')('the kernel', () => {
  it('has both walls on Linux', () => {
    expect(walls).toEqual({ seccomp: true, landlock: expect.any(Number) })
  })

  it('refuses the calls of code that has left WebAssembly', async () => {
    const attempts = attemptsHere([...ATTEMPTS, ...IN_WEBASSEMBLY], names)
    expect(attempts.length).toBeGreaterThan(130)
    expect(reached(attempts, (await inNode(IN_NODE, attempts)) as readonly number[])).toEqual([])
  })

  it("refuses what Node's modules do", async () => {
    const filled = JSON.parse(
      JSON.stringify(MODULES).replaceAll('{secret}', secret).replaceAll('{parent}', names.parent),
    )
    const codes = (await inNode(IN_MODULES, filled)) as readonly (readonly [string, string])[]
    expect(codes.map(([name]) => name)).toEqual(Object.keys(MODULES))
    expect(codes.filter(([, code]) => !/^(EPERM|EACCES|ENOSYS)$/.test(code))).toEqual([])
  })

  it.skipIf(python === undefined)('refuses the same calls to a script in an ordinary Python', async () => {
    const attempts = attemptsHere(ATTEMPTS, names)
    expect(attempts.length).toBeGreaterThan(100)
    writeFileSync(join(scripts, 'attack.py'), ATTACK.replace('[]', JSON.stringify(attempts)))
    const api = await startApi({ SCRIPTS_ROOT: scripts, ...(python && { SCRIPTS_PYTHON: python }) })
    try {
      expect(reached(attempts, (await outputOf(api, 'attack.Attack')) as readonly number[])).toEqual([])
    } finally {
      await api.close()
    }
  })
})

const ATTACK = `
import ctypes
from extras.scripts import Script

ATTEMPTS = []

class Attack(Script):
    def run(self, data, commit):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.syscall.restype = ctypes.c_long
        def value(given):
            if isinstance(given, int):
                return ctypes.c_long(given)
            return ctypes.create_string_buffer(256) if given == "#buffer" else ctypes.c_char_p(given.encode())
        def error(number, filled):
            ctypes.set_errno(0)
            return ctypes.get_errno() if libc.syscall(ctypes.c_long(number), *map(value, filled)) < 0 else 0
        return [error(each["number"], each["filled"]) for each in ATTEMPTS]
`

async function outputOf(api: Api, name: string): Promise<unknown> {
  await api.background.runUntilIdle()
  const { json } = await api.ask('POST', `/api/extras/scripts/${name}/`, { body: { data: {}, commit: true } })
  await api.background.runUntilIdle()
  const job = (await api.ask('GET', `/api/core/jobs/${json.result?.id}/`)).json
  expect(job.error).toBe('')
  return job.data?.output
}
