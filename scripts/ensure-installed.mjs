/**
 * Installs the dependencies if some are missing or older than package-lock.json: those of the service, and with `--dev`
 * also those of its development. Runs before every npm script, with the machine's own Node (18 or later): plain
 * JavaScript, nothing imported from node_modules.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Milliseconds between two lines about the progress. */
const INTERVAL = 3_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lock = join(root, 'package-lock.json')
const modules = join(root, 'node_modules')
// npm writes this file last: it exists after a complete installation, and its time is the installation's.
const installed = join(modules, '.package-lock.json')
const isWindows = process.platform === 'win32'
// The npm package `node` brings the Node that runs the program; npm may have been told to skip scripts.
const runtime = join(modules, 'node', 'bin', isWindows ? 'node.exe' : 'node')

const { dependencies, devDependencies } = readJson(join(root, 'package.json'))
const areThere = (packages) => Object.keys(packages ?? {}).every((name) => existsSync(join(modules, name)))

// Development dependencies that are installed stay: `npm start` after `npm test` removes nothing.
const withDevelopment = process.argv.includes('--dev') || areThere(devDependencies)

if (!isCurrent()) await install()

function isCurrent() {
  return (
    existsSync(installed) &&
    existsSync(runtime) &&
    areThere(dependencies) &&
    (!withDevelopment || areThere(devDependencies)) &&
    (!existsSync(lock) || statSync(installed).mtimeMs >= statSync(lock).mtimeMs)
  )
}

async function install() {
  console.error(
    existsSync(installed)
      ? 'Installing dependencies that are missing or have changed …'
      : 'Installing dependencies (first start) …',
  )
  const status = await runNpm()
  if (status !== 0) process.exit(status)
  if (!existsSync(runtime)) {
    console.error('The npm package "node" did not unpack its binary; allow its install script.')
    process.exit(1)
  }
  // npm does not touch the file if nothing had to change, and the next start would install again.
  const now = new Date()
  utimesSync(installed, now, now)
}

/** Exit status of npm. Its log of downloads becomes a line about the progress every few seconds. */
async function runNpm() {
  const child = spawn('npm', npmArguments(), {
    cwd: root,
    // Standard output belongs to the command that follows.
    stdio: ['ignore', 2, 'pipe'],
    shell: isWindows,
  })
  let downloaded = 0
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (/^npm http .*\.tgz/.test(line)) downloaded += 1
    // Warnings are left out: most are about the machine's own Node, which only runs npm.
    if (!/^npm (http|warn|notice)/i.test(line)) console.error(line)
  })
  const timer = reportProgress(() => downloaded)
  const status = await new Promise((resolve) => {
    child.on('exit', () => clearInterval(timer))
    child.on('close', (code) => resolve(code ?? 1))
    child.on('error', (error) => {
      console.error(`npm could not be started: ${error.message}`)
      resolve(1)
    })
  })
  clearInterval(timer)
  return status
}

function npmArguments() {
  // `npm ci` would first empty node_modules, from which a service may be running.
  const action = existsSync(lock) && !existsSync(installed) ? ['ci'] : ['install', '--no-save']
  const which = withDevelopment ? '--include=dev' : '--omit=dev'
  return [...action, which, '--no-audit', '--no-fund', '--loglevel=http']
}

function reportProgress(downloaded) {
  const total = expectedPackages()
  const start = performance.now()
  let previous = 0
  return setInterval(() => {
    const seconds = Math.round((performance.now() - start) / 1000)
    const count = downloaded()
    const phase = phaseOf(count, previous, total)
    previous = count
    console.error(`  ${seconds} s: ${phase} …`)
  }, INTERVAL)
}

function phaseOf(count, previous, total) {
  if (count === 0) return 'looking up packages'
  if (count === previous) return 'unpacking packages, Node 26 among them'
  return `${count} of about ${total} packages downloaded`
}

/** Number of packages that are missing; an estimate, since npm decides about optional ones. */
function expectedPackages() {
  if (!existsSync(lock)) return 0
  const fits = (list, value) => list === undefined || list.includes(value)
  return Object.entries(readJson(lock).packages).filter(
    ([path, { dev, os, cpu }]) =>
      path !== '' &&
      (withDevelopment || !dev) &&
      fits(os, process.platform) &&
      fits(cpu, process.arch) &&
      !existsSync(join(root, path)),
  ).length
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
