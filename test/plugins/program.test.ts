import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PLUGINS } from '../support/plugins.ts'
import { environmentOfTest } from '../support/program.ts'
import { SERVER_TOKEN, startServer } from '../support/server.ts'

/** A directory outside the program's own. */
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-plugins-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

const run = (command: string, plugins: string) =>
  spawnSync(process.execPath, ['src/cli/main.ts', command], {
    encoding: 'utf8',
    // The document of the API is printed.
    maxBuffer: 2 ** 26,
    env: { PATH: process.env.PATH, PLUGINS: plugins, DATA_DIR: newDirectory() },
  })

it('a plugin may be stored anywhere', () => {
  const directory = newDirectory()
  copyFileSync(PLUGINS, join(directory, 'maintenance.ts'))
  const { status, stdout, stderr } = run('openapi', directory)
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('/api/plugins/maintenance/contracts/')
})

it.each(['serve', 'openapi', 'doctor'])('a broken plugin stops the command %s with one sentence', (command) => {
  const file = join(newDirectory(), 'broken.ts')
  writeFileSync(file, 'throw new Error("no luck")')
  const { status, stderr } = run(command, file)
  expect(status).toBe(1)
  expect(stderr).toBe(`The plugin ${file} cannot be used: it fails with "no luck".\n`)
})

it('a rejected promise that nothing awaits is logged and counted, and does not end the process', async () => {
  const file = join(newDirectory(), 'careless.ts')
  const careless = "setInterval(() => void Promise.reject(new Error('forgotten')), 100)"
  writeFileSync(file, `${readFileSync(PLUGINS, 'utf8')}\n${careless}`)
  const server = await startServer({ ...(await environmentOfTest()), PLUGINS: file, METRICS_ENABLED: 'true' })
  onTestFinished(() => server.kill())
  let output = ''
  server.process.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await expect.poll(() => output).toContain('"message":"forgotten"')
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Token ${SERVER_TOKEN}` },
  })
  expect(await metrics.text()).toMatch(/^cadastre_unhandled_rejections_total [1-9]/m)
})
