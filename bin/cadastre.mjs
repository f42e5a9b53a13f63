#!/usr/bin/env node
/**
 * Command of the installed package, and of a checkout after `npm install`. Runs the program with the Node that runs this
 * file or, if that is older than the program requires, with the Node that was installed as a dependency.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = 26

const compiled = new URL('../dist/cli/main.js', import.meta.url)
const main = existsSync(compiled) ? compiled : new URL('../src/cli/main.ts', import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= NEEDED) await import(main.href)
else runWith(installedNode())

function installedNode() {
  const directory = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  const program = join(directory, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(program)) {
    console.error(`Node ${NEEDED} is needed, and the npm package "node" did not unpack it; allow its install script.`)
    process.exit(1)
  }
  return program
}

/** Signals reach the program, and its exit status is that of this process. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
