import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { CADASTRE_URL, CADASTRE_TOKEN, WORK, FIXTURES } = process.env
const address = `${CADASTRE_URL}/mcp`
const counts = { passed: 0, failed: 0 }

async function test(name, work) {
  try {
    await work()
    counts.passed += 1
  } catch (error) {
    counts.failed += 1
    console.log(`FAIL ${name}: ${error.message}`)
  }
}

function check(isTrue, what) {
  if (!isTrue) throw new Error(what)
}

/** Runs a program of the installed packages; rejects unless it succeeds. */
const run = (program, args) =>
  new Promise((done, failed) => {
    let output = ''
    const child = spawn(`node_modules/.bin/${program}`, args)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('close', (code) => (code === 0 ? done(output) : failed(new Error(`${code}\n${output.slice(-3000)}`))))
  })

for (const era of ['legacy', 'auto', 'modern']) {
  for (const args of [
    ['tools/list', '--strict'],
    ['tools/call', '--tool-name', 'read', '--tool-args-json', '{"type": "dcim.site"}'],
    ['resources/list'],
    ['resources/templates/list'],
    ['resources/read', '--uri', 'cadastre://docs/use/apply.md'],
    ['resources/read', '--uri', 'cadastre://schema/dcim.site'],
  ]) {
    const server = ['--cli', address, '--transport', 'http', '--header', `Authorization: Bearer ${CADASTRE_TOKEN}`]
    await test(`inspector ${era} ${args[0]}`, () =>
      run('mcp-inspector', [
        ...server,
        '--stored-auth-only',
        '--format',
        'json',
        '--protocol-era',
        era,
        '--method',
        ...args,
      ]))
  }
}

const requestInit = { headers: { Authorization: `Bearer ${CADASTRE_TOKEN}` } }
const who = { name: 'suite', version: '1' }
const clientOf = (mode) => new Client(who, { versionNegotiation: { mode } })
for (const [name, client, Transport] of [
  ['client 1', new LegacyClient(who), LegacyTransport],
  ['client 2, legacy', clientOf('legacy'), StreamableHTTPClientTransport],
  ['client 2, auto', clientOf('auto'), StreamableHTTPClientTransport],
  ['client 2, modern', clientOf({ pin: '2026-07-28' }), StreamableHTTPClientTransport],
]) {
  await test(name, async () => {
    await client.connect(new Transport(new URL(address), { requestInit }))
    check((await client.listTools()).tools.length === 9, 'tools')
    check((await client.listResources()).resources.length > 100, 'resources')
    check((await client.readResource({ uri: 'cadastre://docs/use/agents.md' })).contents.length === 1, 'a resource')
    const { structuredContent } = await client.callTool({ name: 'read', arguments: { type: 'dcim.site', count: true } })
    check(structuredContent.count > 0, 'a count')
    const body = { name, slug: 'mcp-suite' }
    const writes = [{ method: 'POST', path: 'dcim/sites/', body }]
    const plan = await client.callTool({ name: 'plan', arguments: { title: name, try: true, writes } })
    check(plan.structuredContent.counts?.created === 1, JSON.stringify(plan))
    await client.close()
  })
}

// The suite cannot send a token.
const { hostname, port } = new URL(CADASTRE_URL)
const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${CADASTRE_TOKEN}` }
  const onward = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers)
    answer.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
})
await new Promise((done) => proxy.listen(0, '127.0.0.1', done))
for (const revision of ['2026-07-28', '2025-11-25']) {
  const url = `http://127.0.0.1:${proxy.address().port}/mcp`
  const expected = ['--expected-failures', `${FIXTURES}/needs-fixtures-${revision}.yml`, '-o', `${WORK}/results`]
  await test(`conformance ${revision}`, () =>
    run('conformance', ['server', '--url', url, '--requirements', revision, ...expected]))
}
proxy.close()
console.log(`${counts.passed} passed, ${counts.failed} failed, 0 skipped`)
process.exitCode = counts.failed === 0 ? 0 : 1
