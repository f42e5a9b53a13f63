import type { Histogram } from 'hdr-histogram-js'
import { MODES, type Row } from './measure.ts'

interface Totals {
  /** Requests per second for each subject. */
  readonly beside: readonly { readonly alone: number; readonly beside: number }[]
  /** Megabytes for each subject. */
  readonly memory: readonly number[]
}

/** The results as tables in Markdown. With two subjects, a ratio above 1 says that the second is faster. */
export function report(rows: readonly Row[], { beside, memory }: Totals): string {
  const sections = MODES.flatMap((mode) => {
    const own = rows.filter((row) => row.mode === mode)
    return own.length === 0 ? [] : [sectionOf(mode, own)]
  })
  const loads = beside.map((each) => `${each.beside.toFixed(0)} of ${each.alone.toFixed(0)} requests a second`)
  return [
    ...sections,
    `Reads beside a writer, 8 connections: ${loads.join('; ')}.`,
    `Memory of all processes at the end: ${memory.map((each) => `${each.toFixed(0)} MB`).join('; ')}.`,
  ].join('\n\n')
}

function sectionOf(mode: string, rows: readonly Row[]): string {
  const isCompared = rows[0]?.times.length === 2
  const ratios = rows.map(({ times }) => median(times[0]) / median(times.at(-1)))
  const head = isCompared
    ? `| ${mode} | before, ms | now, ms | ratio |\n|---|---:|---:|---:|`
    : `| ${mode} | median, ms | 95 % below, ms |\n|---|---:|---:|`
  const lines = rows.map(({ name, times }, index) => {
    const numbers = isCompared
      ? [...times.map(median), ratios[index] ?? 0]
      : [median(times[0]), percentile(times[0], 95)]
    return `| ${name} | ${numbers.map((number) => number.toFixed(2)).join(' | ')} |`
  })
  const mean = isCompared ? [`| geometric mean | | | ${geometricMean(ratios).toFixed(3)} |`] : []
  return [head, ...lines, ...mean].join('\n')
}

const percentile = (times: Histogram | undefined, share: number): number =>
  (times?.getValueAtPercentile(share) ?? 0) / 1_000

const median = (times: Histogram | undefined): number => percentile(times, 50)

const geometricMean = (numbers: readonly number[]): number =>
  Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length)
