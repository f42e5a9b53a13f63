import { globSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonOfTest } from '../confinement/python-of-test.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

/** What a hostile script tries, and what it must not get. `{secret}` is a file of the service, `{parent}` its process. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'the secrets of the service': `return open('{secret}').read()`,
  'the environment of the service': `return open('/proc/{parent}/environ', 'rb').read()`,
  'the memory of the service': `return open('/proc/{parent}/mem', 'rb').read(1)`,
  'a file in its data directory': `open('{secret}.new', 'w').write('x')`,
  'the secrets by another program': `import subprocess\nreturn subprocess.check_output(['cat', '{secret}'])`,
  'a signal to the service': `import os\nos.kill({parent}, 9)`,
  'a socket in the file system': `import socket\nreturn socket.socket(socket.AF_UNIX)`,
  'the global object of JavaScript': `import js\nreturn js.process.env`,
  'a setting in its own environment': `import os\nreturn os.environ['SUPERUSER_PASSWORD']`,
  'a file of a data source': `from host import host\nreturn host.value('file', source=1, path='secrets.yml')`,
  'the passwords of the system': `return open('/etc/shadow').read()`,
  'the rights of a file of the service': `import os\nos.chmod('{secret}', 0o644)`,
  'the owner of a file of the service': `import os\nos.chown('{secret}', os.getuid(), os.getgid())`,
  'raw packets': `import socket\nreturn socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)`,
  'another user': `import os\nos.setuid(0)`,
  'a socket of the database': `import socket\nsocket.socket(socket.AF_UNIX).connect('{secret}')`,
  'a constructor of functions': `from host import host\nhost.ask_text.constructor.new('return process')()`,
  'modules of Node': `from host import host\nhost.ask_text.constructor.constructor.new('return process.getBuiltinModule')()`,
  'a file beside the directory of scripts': `from host import read_file\nreturn read_file('../secrets.json')`,
}
/** What the interpreter in WebAssembly only pretends to do. */
const NATIVE: Readonly<Record<string, string>> = {
  'a session of its own': `import os\nos.setsid()`,
  'a process group of its own': `import os\nos.setpgid(0, 0)`,
}
/** What the interpreter in WebAssembly lacks altogether. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'a connection': `import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)`,
  'another program': `import subprocess\nreturn subprocess.check_output(['true'])`,
  'a file of the system': `return open('/etc/passwd').read()`,
}

/** The modules of Django and NetBox that scripts import: a tree of files. */
const SHIMS = join(import.meta.dirname, '../../src/automation/python/shims')
const MODULES = globSync('**/*.py', { cwd: SHIMS }).map((path) =>
  path.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.'),
)

const script = (attempts: Readonly<Record<string, string>>) => `
from extras.scripts import Script

PACKAGES = ${JSON.stringify(readdirSync(SHIMS))}
ATTEMPTS = ${JSON.stringify(attempts)}

class Attack(Script):
    def run(self, data, commit):
        return {name: attempt(source) for name, source in ATTEMPTS.items()}

class Hog(Script):
    def run(self, data, commit):
        hog = []
        while True:
            hog.append(bytearray(10_000_000))

class Peek(Script):
    def run(self, data, commit):
        import builtins
        builtins.left_behind = getattr(builtins, 'left_behind', 0) + 1
        return builtins.left_behind

class Names(Script):
    def run(self, data, commit):
        import importlib, pkgutil, types
        paths = {name: importlib.import_module(name).__path__ for name in PACKAGES}
        below = [part.name for name, path in paths.items() for part in pkgutil.walk_packages(path, f'{name}.')]
        modules = {name: importlib.import_module(name) for name in [*paths, *below]}
        return {
            'modules': sorted(modules),
            'foreign': [
                f'{place}.{name}'
                for place, module in modules.items()
                for name, value in vars(module).items()
                if isinstance(value, types.ModuleType) and not name.startswith('_') and value.__name__ != f'{place}.{name}'
            ],
        }

class Leave(Script):
    def run(self, data, commit):
        import os, time
        for _ in range(40):
            if os.fork() == 0:
                try:
                    os.setsid()
                except OSError:
                    pass
                time.sleep(600)
                os._exit(0)
        return os.getpid()

def attempt(source):
    names = {}
    exec('def do():\\n' + '\\n'.join('    ' + line for line in source.splitlines()), names)
    try:
        return f'got {names["do"]()!r}'
    except BaseException as error:
        return f'refused: {type(error).__name__}'
`

const python = pythonOfTest()

describe.each([
  ['WebAssembly', undefined],
  ['an ordinary Python', python],
])('a script in %s', (host, command) => {
  let api: Api
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'python-borders-')))
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'python-secrets-')))
  const attempts = { ...ATTEMPTS, ...(command ? NATIVE : OUTSIDE) }
  beforeAll(async () => {
    writeFileSync(join(dataDir, 'secrets.json.copy'), 'secret')
    const filled = JSON.stringify(attempts)
      .replaceAll('{secret}', join(dataDir, 'secrets.json.copy'))
      .replaceAll('{parent}', String(process.pid))
      .replaceAll('{port}', '9')
    writeFileSync(join(root, 'attack.py'), script(JSON.parse(filled)))
    api = await startApi({
      ...{ SCRIPTS_ROOT: root, SCRIPTS_MEMORY: '256', SUPERUSER_PASSWORD: 'A-long-password-1' },
      ...(command && { SCRIPTS_PYTHON: command }),
      DATA_DIR: dataDir,
    })
    await api.background.runUntilIdle()
  })
  afterAll(async () => {
    await api.close()
    for (const directory of [root, dataDir]) rmSync(directory, { recursive: true })
  })

  const run = async (name: string): Promise<Document> => {
    const body = { data: {}, commit: true }
    const { json } = await api.ask('POST', `/api/extras/scripts/attack.${name}/`, { body })
    await api.background.runUntilIdle()
    return (await api.ask('GET', `/api/core/jobs/${json.result?.id}/`)).json
  }

  it.skipIf(host !== 'WebAssembly' && !command)('reaches nothing that is not its own', async () => {
    const { data } = await run('Attack')
    const refused = expect.stringMatching(/^refused: /)
    expect(data?.output).toEqual(Object.fromEntries(Object.keys(attempts).map((what) => [what, refused])))
  })

  it.skipIf(host !== 'WebAssembly' && !command)('imports modules of NetBox, and no others through them', async () => {
    const { data } = await run('Names')
    expect(data?.output).toEqual({ modules: MODULES.toSorted(), foreign: [] })
  })

  it.skipIf(host !== 'WebAssembly' && !command)('that needs too much memory ends, and the next one runs', async () => {
    expect((await run('Hog')).error).toMatch(/^MemoryError|memory|ended/)
    expect((await run('Peek')).data?.output).toBe(1)
    expect((await run('Peek')).data?.output).toBe(1)
  })

  it.skipIf(host === 'WebAssembly' || !command)('leaves no processes behind', async () => {
    const group = Number((await run('Leave')).data?.output)
    expect(group).toBeGreaterThan(1)
    await expect.poll(() => membersOf(group)).toEqual([])
  })
})

/** Processes of a group that have not ended. */
const membersOf = (group: number): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      const [state, , member] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return state !== 'Z' && Number(member) === group
    } catch {
      return false
    }
  })
