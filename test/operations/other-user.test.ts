import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

/** Ids of users who need not exist. */
const [OWNER, STRANGER] = [65_534, 65_533]

const PROGRAM = join(import.meta.dirname, '../../src/cli/main.ts')

/** Runs the command, as root if no user is specified. */
function run(data: string, args: readonly string[], user?: number) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, DATA_DIR: data, PORT: '1' },
    encoding: 'utf8',
    ...(user !== undefined && { uid: user, gid: user }),
  })
  return { status, text: stdout + stderr }
}

it.runIf(process.getuid?.() === 0)(
  'a command run by root creates only files of the owner of the data, and other users are refused',
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'cadastre-owner-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    chownSync(directory, OWNER, OWNER)
    chmodSync(directory, 0o755)
    const data = join(directory, 'data')
    mkdirSync(data)
    chownSync(data, OWNER, OWNER)

    const made = run(data, ['create-superuser', 'ann', '--new'])
    expect(made.text).toMatch(/^Database: PostgreSQL in /m)
    expect(made.text).toMatch(/^"ann" is a superuser\.$/m)
    expect(made.text).not.toContain('{"level"')
    expect(run(data, ['create-superuser', 'bob']).status).toBe(0)
    const owners = readdirSync(data, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(data, name)).uid,
    )
    expect(new Set(owners)).toEqual(new Set([OWNER]))

    const refused = run(data, ['create-superuser', 'eve'], STRANGER)
    expect(refused.text).toMatch(/^.* belongs to the user with the id 65534: run this command as .*\n$/)
    expect(refused.status).toBe(1)

    expect(run(data, ['doctor']).text).toMatch(/ok +owner: All files in .* have the right owner\./)
    writeFileSync(join(data, 'postgres', 'left-by-root'), '')
    const { status, text } = run(data, ['doctor'])
    expect(text).toMatch(/PROBLEM +owner: .*left-by-root do not belong to the owner .*\n.*chown/)
    expect(status).toBe(1)
  },
)

it.runIf(process.getuid?.() === 0).each([
  [
    'DATA_DIR',
    'data',
    ['doctor', 'create-superuser ann', 'config show'],
    /^.*data.* belongs to the user with the id 65534: run this command as that user, or as root\.\n$/,
  ],
  [
    'the directory that contains DATA_DIR',
    '',
    ['doctor'],
    /PROBLEM +database: This user may not read .*data\.\n.*Run this command as the user of the service\./,
  ],
] as const)('commands of a user who may not read %s say so in a sentence', (_what, closed, commands, sentence) => {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-closed-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const data = join(directory, 'data')
  mkdirSync(data)
  for (const path of [directory, data]) {
    chownSync(path, OWNER, OWNER)
    chmodSync(path, 0o755)
  }
  chmodSync(join(directory, closed), 0o700)
  for (const command of commands) {
    const { status, text } = run(data, command.split(' '), STRANGER)
    expect(text).toMatch(sentence)
    expect(text).not.toContain('EACCES')
    expect(status).toBe(1)
  }
})
