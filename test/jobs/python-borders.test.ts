import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  'a file beside the directory of scripts': `from host import read_file\nreturn read_file('../secrets.json')`,
}
/** What the interpreter in WebAssembly lacks altogether. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'a connection': `import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)`,
  'another program': `import subprocess\nreturn subprocess.check_output(['true'])`,
  'a file of the system': `return open('/etc/passwd').read()`,
}

const script = (attempts: Readonly<Record<string, string>>) => `
from extras.scripts import Script

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

def attempt(source):
    names = {}
    exec('def do():\\n' + '\\n'.join('    ' + line for line in source.splitlines()), names)
    try:
        return f'got {names["do"]()!r}'
    except BaseException as error:
        return f'refused: {type(error).__name__}'
`

const probe = `import sys; print(sys.executable if sys.version_info >= (3, 11) and sys.platform == 'linux' else '')`
/** An interpreter of this machine, if its system can confine it. */
const python = spawnSync('python3', ['-c', probe]).stdout?.toString().trim()

describe.each([
  ['WebAssembly', undefined],
  ['an ordinary Python', python],
])('a script in %s', (host, command) => {
  let api: Api
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'python-borders-')))
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'python-secrets-')))
  const attempts = command ? ATTEMPTS : { ...ATTEMPTS, ...OUTSIDE }
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

  it.skipIf(host !== 'WebAssembly' && !command)('that needs too much memory ends, and the next one runs', async () => {
    expect((await run('Hog')).error).toMatch(/^MemoryError|memory|ended/)
    expect((await run('Peek')).data?.output).toBe(1)
    expect((await run('Peek')).data?.output).toBe(1)
  })
})
