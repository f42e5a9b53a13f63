import type { Observed, Observer } from './observe.ts'

/** Upper bounds in seconds: a cached response takes less than a millisecond, a large write takes seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const REQUESTS = 'cadastre_http_requests_total'
const DURATIONS = 'cadastre_http_request_duration_seconds'
const METHODS: ReadonlySet<string> = new Set([...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']])

/** Counts of the requests with one method and one path pattern. */
interface Series {
  /** Requests by status class: index 2 is 2xx. */
  readonly byClass: number[]
  /** Requests by duration bucket; the last one is for durations above all bounds. */
  readonly byDuration: number[]
  /** Seconds. */
  sum: number
}

/**
 * Counts requests and their durations. prom-client is not used, because its counters build their labels at every
 * request: this is noticeable if a response takes a tenth of a millisecond.
 */
export class RequestMetrics {
  readonly #patterns = new Map<string, Map<string, Series>>()
  /** Formatted labels of every line, each followed by a comma. */
  readonly #labels: string

  /** `labels` are added to every line. */
  constructor(labels: Readonly<Record<string, string>> = {}) {
    this.#labels = Object.entries(labels)
      .map(([name, value]) => `${name}="${value}",`)
      .join('')
  }

  readonly observer: Observer = (observed) => {
    const series = this.#seriesOf(observed)
    const seconds = observed.milliseconds / 1000
    const statusClass = Math.trunc(observed.status / 100)
    series.byClass[statusClass] = (series.byClass[statusClass] ?? 0) + 1
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound)
    const position = bucket < 0 ? BUCKETS.length : bucket
    series.byDuration[position] = (series.byDuration[position] ?? 0) + 1
    series.sum += seconds
  }

  /** The metrics in Prometheus' text format. */
  text(): string {
    const requests: string[] = []
    const durations: string[] = []
    for (const [route, methods] of this.#patterns) {
      for (const [method, series] of methods) {
        const labels = `${this.#labels}method="${method}",route="${route}"`
        for (const [index, count] of series.byClass.entries()) {
          if (count) requests.push(`${REQUESTS}{${labels},status="${index}xx"} ${count}`)
        }
        durations.push(...linesOf(labels, series))
      }
    }
    return [
      `# HELP ${REQUESTS} Requests by method, path pattern and status class.`,
      `# TYPE ${REQUESTS} counter`,
      ...requests,
      `# HELP ${DURATIONS} Time from the arrival of a request to the end of its response.`,
      `# TYPE ${DURATIONS} histogram`,
      ...durations,
      '',
    ].join('\n')
  }

  #seriesOf({ pattern = 'none', method }: Observed): Series {
    // Limits the number of series: unknown paths share one, and so do unknown methods.
    const name = METHODS.has(method) ? method : 'other'
    let methods = this.#patterns.get(pattern)
    if (!methods) {
      methods = new Map()
      this.#patterns.set(pattern, methods)
    }
    let series = methods.get(name)
    if (!series) {
      series = { byClass: [], byDuration: BUCKETS.map(() => 0).concat(0), sum: 0 }
      methods.set(name, series)
    }
    return series
  }
}

/** Lines of a histogram, whose buckets are cumulative. */
function linesOf(labels: string, { byDuration, sum }: Series): readonly string[] {
  let total = 0
  const buckets = byDuration.map((count, index) => {
    total += count
    return `${DURATIONS}_bucket{le="${BUCKETS[index] ?? '+Inf'}",${labels}} ${total}`
  })
  return [...buckets, `${DURATIONS}_sum{${labels}} ${sum}`, `${DURATIONS}_count{${labels}} ${total}`]
}
