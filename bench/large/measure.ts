import { type Browser, chromium, type Response } from 'playwright-core'
import { CHROMIUM } from '../../test/browser/find-chromium.ts'
import { authorization } from '../client.ts'
import { quantile } from '../measure/quantile.ts'
import { sendRepeatedly } from '../measure/repeated-requests.ts'
import { cpuBetween, cpuTimes } from '../measure/usage.ts'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import type { LargePage } from './objects.ts'

const REQUESTS = 20
const VISITS = 5
const HTML = 'text/html'

/** Measurements of a page; milliseconds and kilobytes. */
export interface LargePageResult {
  readonly name: string
  /** The first request, which computes what later ones find in the cache. */
  readonly first: number
  readonly median: number
  readonly p95: number
  /** Of the server's processor, for a later request; null where it cannot be observed. */
  readonly processor: number | null
  readonly size: number
  readonly scripts: number
  /** From the start of the navigation until the page's script has run: the median of some visits. */
  readonly usable: number
  /** Work of the browser's main thread until then. */
  readonly mainThread: number
}

/** Measurements of the pages on the server and in Chromium. Throws without a Chromium. */
export async function measureLargePages(
  server: ServerUnderTest,
  pages: readonly LargePage[],
): Promise<readonly LargePageResult[]> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium.')
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const results: LargePageResult[] = []
  try {
    for (const page of pages) {
      results.push({
        name: page.name,
        ...(await onServer(server, page)),
        ...(await inChromium(browser, server, page)),
      })
    }
  } finally {
    await browser.close()
  }
  return results
}

async function onServer({ access, watched }: ServerUnderTest, { path }: LargePage) {
  const send = (amount: number) =>
    sendRepeatedly(access, {
      ...{ method: 'GET', accept: HTML, connections: 1, path, length: { amount } },
    })
  const { times: [first = 0] = [] } = await send(1)
  const before = cpuTimes(watched)
  const { times } = await send(REQUESTS)
  const { server } = cpuBetween(before, cpuTimes(watched))
  const sorted = times.toSorted((a, b) => a - b)
  return {
    first,
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    processor: server === null ? null : (server * 1000) / REQUESTS,
  }
}

async function inChromium(
  browser: Browser,
  { access }: ServerUnderTest,
  { path, usable }: LargePage,
) {
  const visits = []
  for (let visit = 0; visit < VISITS; visit++) {
    visits.push(await visitOnce(browser, access, { path, usable }))
  }
  const median = (values: readonly number[]): number =>
    quantile(
      values.toSorted((a, b) => a - b),
      0.5,
    )
  return {
    size: visits[0]?.size ?? 0,
    scripts: visits[0]?.scripts ?? 0,
    usable: median(visits.map((visit) => visit.usable)),
    mainThread: median(visits.map((visit) => visit.mainThread)),
  }
}

async function visitOnce(
  browser: Browser,
  { url, token }: ServerUnderTest['access'],
  { path, usable }: Pick<LargePage, 'path' | 'usable'>,
) {
  const context = await browser.newContext({
    extraHTTPHeaders: { authorization: authorization(token) },
  })
  try {
    const page = await context.newPage()
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const start = performance.now()
    await page.goto(url + path, { waitUntil: 'commit' })
    await page.locator(usable).first().waitFor()
    const time = performance.now() - start
    const { metrics } = await devtools.send('Performance.getMetrics')
    await page.waitForLoadState('networkidle')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
    return {
      usable: time,
      mainThread: seconds * 1000,
      size: (await bytesOf(responses, 'document')) / 1000,
      scripts: (await bytesOf(responses, 'script')) / 1000,
    }
  } finally {
    await context.close()
  }
}

/** Bytes of the contents of the responses of a kind. */
async function bytesOf(responses: readonly Response[], kind: string): Promise<number> {
  const wanted = responses.filter((response) => response.request().resourceType() === kind)
  const bodies = await Promise.all(wanted.map((response) => response.body()))
  return bodies.reduce((sum, { length }) => sum + length, 0)
}
