import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PROGRAM_VERSION } from '../../src/config/program-version.ts'

const DOCUMENT = join(import.meta.dirname, '../../package.json')
const INVENTORY = join(import.meta.dirname, '../data/inventory')
const NOWHERE = 'postgres://127.0.0.1:1/none'

/** command, settings → exit code and output */
const cases: readonly Case[] = [
  {
    name: 'doctor ends with 1 when there is a problem',
    args: ['doctor'],
    environment: { DATABASE_URL: NOWHERE },
    status: 1,
    says: /PROBLEM +database: .*ECONNREFUSED.*\n.*1 problem, 1 warning\.\n$/s,
  },
  {
    name: 'doctor that finds no database says that it has examined nothing',
    args: ['doctor'],
    environment: {},
    status: 1,
    says: /WARNING +service: No service responds at .*PROBLEM +database: There is none in .*, so nothing has been examined\.\n.*1 problem, \d warnings?\.\n$/s,
  },
  {
    name: 'a backup of nothing makes nothing',
    args: ['backup', 'backup.tar.gz'],
    environment: {},
    status: 1,
    says: /^There is no database in .*: set DATA_DIR or DATABASE_URL as they are for the service\.\n$/,
  },
  ...[
    ['create-superuser', 'ann'],
    ['import', INVENTORY],
    ['apply', DOCUMENT],
  ].map((args) => ({
    name: `${args[0]} makes a database only where it is told to`,
    args,
    environment: { DATA_DIR: '' },
    status: 1,
    says: /^There is no database in .*: set DATA_DIR or DATABASE_URL as they are for the service, or make one here with --new\.\n$/,
  })),
  ...[['export', 'out'], ['reindex'], ['config', 'show']].map((args) => ({
    name: `${args[0]} makes no database`,
    args,
    environment: {},
    status: 1,
    says: /^There is no database in .*: set DATA_DIR or DATABASE_URL as they are for the service\.\n$/,
  })),
  {
    name: 'apply of a file that is not there says so',
    args: ['apply', 'nope.yaml'],
    environment: {},
    status: 1,
    says: /^There is no file or directory nope\.yaml\.\n$/,
  },
  {
    name: 'apply of a file that is not a document says so',
    args: ['apply', import.meta.filename],
    environment: {},
    status: 1,
    says: /^.*commands\.test\.ts does not end with \.yaml, \.yml or \.json\.\n$/,
  },
  {
    name: 'a restore of a file that is not there says so',
    args: ['restore', 'missing.tar.gz'],
    environment: {},
    status: 1,
    says: /^There is no file missing\.tar\.gz\.\n$/,
  },
  {
    name: 'a restore of another file says so',
    args: ['restore', import.meta.filename],
    environment: {},
    status: 1,
    says: /^.*commands\.test\.ts is damaged or not a backup(: .+)?\.\n$/,
  },
  {
    name: 'a backup to a directory that does not exist names it',
    args: ['backup', 'nowhere/backup.tar.gz'],
    environment: {},
    status: 1,
    says: /^There is no directory .*nowhere; create it, or choose another\.\n$/,
  },
  {
    name: 'an import of a directory that does not exist names it',
    args: ['import', 'nowhere'],
    environment: {},
    status: 1,
    says: /^There is no directory nowhere\.\n$/,
  },
  {
    name: 'an import from a service asks for a token',
    args: ['import', 'http://127.0.0.1:1', '--new'],
    environment: {},
    status: 1,
    says: /^A token is needed to read from a service: .*\n$/,
  },
  {
    name: 'an import from a service that does not respond says so',
    args: ['import', 'http://127.0.0.1:1', '--new', '--token', 'x'],
    environment: {},
    status: 1,
    says: /^http:\/\/127\.0\.0\.1:1 does not respond to .*\n$/,
  },
  {
    name: 'create-superuser refuses a password that breaks the rules',
    args: ['create-superuser', 'ann'],
    environment: { SUPERUSER_PASSWORD: 'short' },
    status: 1,
    says: /^SUPERUSER_PASSWORD breaks the password rules: Use at least 12 characters\..* Leave it out to have one generated\.\n$/,
  },
  {
    name: 'a misspelt setting is named',
    args: ['create-superuser', 'ann'],
    environment: { SUPERUSER_PASWORD: 'x', SUPERUSER_PASSWORD: 'short' },
    status: 1,
    says: /^SUPERUSER_PASWORD is not a setting\. Did you mean SUPERUSER_PASSWORD\?\n/,
  },
  {
    name: 'doctor warns of a misspelt setting',
    args: ['doctor'],
    environment: { LOGIN_TIMEOUTS: '1' },
    status: 1,
    says: /^WARNING +configuration: LOGIN_TIMEOUTS is not a setting\. Did you mean LOGIN_TIMEOUT\?\n.*\n/,
  },
  {
    name: 'doctor names a DATA_DIR that is a file',
    args: ['doctor'],
    environment: { DATA_DIR: import.meta.filename },
    status: 1,
    says: /PROBLEM +data directory: DATA_DIR cannot be used: .*commands\.test\.ts is not a directory\.\n/,
  },
  {
    name: 'a start with a DATA_DIR that is a file ends with one sentence',
    args: ['serve'],
    environment: { PORT: '0', DATA_DIR: import.meta.filename },
    status: 1,
    says: /^DATA_DIR cannot be used: .*commands\.test\.ts is not a directory\.\n$/,
  },
  {
    name: 'a start at a port that is taken makes nothing',
    args: ['serve'],
    isPortTaken: true,
    environment: {},
    status: 1,
    says: /^PORT \d+ is taken by another program; choose another one\.\n$/,
  },
  {
    name: 'no command prints the help, and starts nothing',
    args: [],
    environment: {},
    status: 0,
    says: /^Usage: cadastre .*\n {2}serve .*\n {2}import .*/s,
  },
  ...['version', '--version'].map((word) => ({
    name: `${word} prints the version`,
    args: [word],
    environment: {},
    status: 0,
    says: new RegExp(`^${PROGRAM_VERSION.replaceAll('.', '\\.')} \\(API 4\\.6, 4\\.7; .*\\)\\n$`),
  })),
  ...[['config', 'shw'], ['config', 'set'], ['import'], ['export', '--format=xml', 'out'], ['create-superuser']].map(
    (args) => ({
      name: `wrong use ends with 2: ${args.join(' ')}`,
      args,
      environment: {},
      status: 2,
      says: /^[A-Z].*\.\n.*--help/s,
    }),
  ),
  {
    name: 'a command without --new does not recommend it',
    args: ['remove-second-factor', 'ann'],
    environment: {},
    status: 1,
    says: /^There is no database in .*: set DATA_DIR or DATABASE_URL as they are for the service\.\n$/,
  },
  {
    name: 'an unknown command is named',
    args: ['bakup'],
    environment: {},
    status: 2,
    says: /^Unknown command 'bakup'\. Did you mean backup\?\n.*--help.*\n$/s,
  },
  {
    name: 'an option that is a setting is answered with how to give it',
    args: ['serve', '--port', '9000'],
    environment: {},
    status: 2,
    says: /^Unknown option '--port'\.\nPORT is an environment variable: PORT=<value> npm start\n.*--help.*\n$/s,
  },
  {
    name: '--version prints the version of the program, and those of its API',
    args: ['--version'],
    environment: {},
    status: 0,
    says: new RegExp(
      `^${PROGRAM_VERSION.replaceAll('.', '\\.')} \\(API 4\\.6, 4\\.7; new databases serve 4\\.7 by default\\)\n$`,
    ),
  },
  {
    name: '--version names the version of the API that API_VERSION chooses',
    args: ['--version'],
    environment: { API_VERSION: '4.6' },
    status: 0,
    says: /\(API 4\.6, 4\.7; 4\.6 by default\)\n$/,
  },
  {
    name: 'a DATA_DIR below /proc ends the start with one sentence',
    args: ['serve'],
    environment: { PORT: '0', DATA_DIR: '/proc/cadastre' },
    isSkipped: !existsSync('/proc/self'),
    status: 1,
    says: /^DATA_DIR cannot be used: \/proc\/cadastre cannot be made \(.*\)\.\n$/,
  },
]

interface Case {
  readonly name: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Another program listens at PORT. */
  readonly isPortTaken?: boolean
  readonly isSkipped?: boolean
  readonly status: number
  readonly says: RegExp
}

it.each(cases.filter(({ isSkipped }) => !isSkipped))('$name', async (row) => {
  const { args, environment, isPortTaken, status, says } = row
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-commands-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const data = join(directory, 'data')
  const port = isPortTaken ? await takenPort() : 1
  const program = join(import.meta.dirname, '../../src/cli/main.ts')
  const run = spawnSync(process.execPath, [program, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, DATA_DIR: data, PORT: String(port), ...environment },
    encoding: 'utf8',
  })
  expect(run.stdout + run.stderr).toMatch(says)
  expect(run.status).toBe(status)
  expect(readdirSync(directory)).toEqual([])
})

/** A port of this machine that is in use until the test ends. */
async function takenPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}

/** A directory for the current test, and a function that runs a command there. */
function newDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-commands-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const program = join(import.meta.dirname, '../../src/cli/main.ts')
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, DATA_DIR: join(directory, 'data') },
      encoding: 'utf8',
    })
  return { directory, run }
}

it('a revision that a command sets is stored without a warning', () => {
  const { run } = newDirectory()
  // If DATA_DIR is set, its directory may be created.
  expect(run('create-superuser', 'ann').status).toBe(0)
  for (const text of ['one', 'two']) {
    const { status, stderr } = run('config', 'set', `BANNER_TOP=${text}`)
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }
  expect(run('config', 'show').stdout).toContain('two')
})

it('what a command refuses is said in sentences, and changes nothing', () => {
  const { directory, run } = newDirectory()
  expect(run('create-superuser', 'ann').status).toBe(0)
  writeFileSync(join(directory, 'broken.yaml'), 'objects: [')
  writeFileSync(join(directory, 'wrong.yaml'), 'objects: {dcim.site: [{name: A, slug: a}, {name: B, slug: "?"}]}')
  for (const [args, sentence] of [
    [['config', 'set', 'PAGINATE_COUNTS=1'], /^There is no setting PAGINATE_COUNTS\. Did you mean PAGINATE_COUNT\?\n$/],
    [['config', 'set', 'PORT=1'], /^PORT cannot be changed while the service runs; /],
    [['config', 'restore', '7'], /^There is no revision 7\.\n$/],
    [['apply', 'broken.yaml'], /^broken\.yaml: .*\nNothing has been applied\.\n$/s],
    [['apply', 'wrong.yaml'], /^dcim\.site, 2, slug: Enter a slug [^{]*\nNothing has been applied\.\n$/],
  ] as const) {
    const { status, stderr } = run(...args)
    expect(stderr).toMatch(sentence)
    expect(status).toBe(1)
  }
  expect(run('config', 'set', 'PAGINATE_COUNT=70').stdout).toBe('Revision 1 is active.\n')
  expect(run('config', 'restore', '1').stderr).toBe('Revision 1 is the active one.\n')
})

/** words so far, the last of which is being typed → words that bash offers */
it.each([
  ['the commands', ['bac'], ['backup']],
  ['the subcommands of a command', ['user', ''], ['create', 'list', 'password', '--help']],
  ['the options of a subcommand', ['config', 'show', '--a'], ['--all']],
  ['the options of a command after its argument', ['apply', 'inventory/', '--d'], ['--dry-run']],
  ['nothing after a word that is no command', ['bakup', '--'], []],
])('bash completes %s', (_, typed, expected) => {
  const { run } = newDirectory()
  const script = `${run('completion', 'bash').stdout}
COMP_WORDS=(cadastre ${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}
_cadastre; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout.split('\n').filter(Boolean)).toEqual(expected)
})

it('the scripts for zsh and fish name every command', () => {
  const { run } = newDirectory()
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = run('completion', shell)
    for (const name of ['backup', 'token', 'revoke', 'dry-run']) expect(stdout).toContain(name)
  }
})
