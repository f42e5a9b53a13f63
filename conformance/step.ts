import { sameHeader } from './body-case.ts'
import { compare, recorded } from './compare.ts'
import type { Difference } from './difference.ts'
import { errorKeys } from './error-keys.ts'
import { type Answer, headerOf, jsonOf, mediaType, type Request, textOf } from './http-client.ts'
import { isObject, type Json, short } from './json.ts'
import { differencesOf } from './mismatch-cause.ts'
import { encodeForm } from './multipart.ts'
import { valueAt } from './pointer.ts'
import type { Expectation, MultipartFile, Step } from './recordings.ts'
import { compareStatus } from './status.ts'
import { fill, fillWithin, type Variables } from './variables.ts'

/** The request of a step with its variables replaced. */
export function requestOf(step: Step, variables: Variables): Request {
  const headers: Record<string, string | null> = {}
  for (const [name, value] of Object.entries(step.headers ?? {})) {
    headers[name] = value === null ? null : fillWithin(value, variables)
  }
  const request = { method: step.method, path: fillWithin(step.path, variables) }

  if (step.json !== undefined) {
    const body = Buffer.from(JSON.stringify(fill(step.json, variables)))
    return { ...request, headers: { 'Content-Type': 'application/json', ...headers }, body }
  }
  if (step.multipart !== undefined) {
    const form = encodeForm(
      filledFields(step.multipart.fields ?? {}, variables),
      filledFiles(step.multipart.files ?? {}, variables),
    )
    return {
      ...request,
      headers: { ...headers, 'Content-Type': form.contentType },
      body: form.body,
    }
  }
  if (step.raw !== undefined) {
    return { ...request, headers, body: Buffer.from(fillWithin(step.raw, variables)) }
  }
  return { ...request, headers }
}

function filledFields(fields: Readonly<Record<string, Json>>, variables: Variables): Record<string, string> {
  const filled: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    const given = fill(value, variables)
    filled[fillWithin(name, variables)] = typeof given === 'string' ? given : JSON.stringify(given)
  }
  return filled
}

function filledFiles(
  files: Readonly<Record<string, MultipartFile>>,
  variables: Variables,
): Record<string, MultipartFile> {
  const filled: Record<string, MultipartFile> = {}
  for (const [name, file] of Object.entries(files)) {
    filled[fillWithin(name, variables)] = {
      ...file,
      filename: fillWithin(file.filename, variables),
    }
  }
  return filled
}

/** Saves the variables of a step from its response. A missing value is a difference and leaves its variable unset. */
export function saveFrom(step: Step, answer: Answer, variables: Variables): Difference[] {
  const differences: Difference[] = []
  const body = jsonOf(answer)
  for (const [name, where] of Object.entries(step.save ?? {})) {
    const value = where.startsWith('header:') ? headerOf(answer, where.slice('header:'.length)) : valueAt(body, where)
    if (value === undefined) differences.push({ cause: `nothing to save at ${where}`, expected: name })
    else variables.set(name, value)
  }
  return differences
}

/** Differences between a response and the expectation of a step. After a wrong status nothing else is compared. */
export function checkStep(expected: Expectation, answer: Answer, variables: Variables): Difference[] {
  const status = compareStatus(expected.status, answer)
  if (status) return [status]
  if (expected.status >= 500) return []
  const body = jsonOf(answer)
  const reading = recorded(variables)
  return [
    ...(expected.body === undefined ? [] : compareJson(expected.body, answer, variables)),
    ...(expected.text === undefined ? [] : differencesOf(compare(expected.text, textOf(answer), reading))),
    ...(expected.error_keys === undefined ? [] : compareErrorKeys(expected.error_keys, body, variables)),
    ...(expected.detail === true && !(isObject(body) && 'detail' in body)
      ? [{ cause: 'no detail', actual: short(body) }]
      : []),
    ...compareHeaders(expected, answer, variables),
  ]
}

function compareJson(expected: Json, answer: Answer, variables: Variables): Difference[] {
  const actual = jsonOf(answer)
  if (actual !== undefined) return differencesOf(compare(expected, actual, recorded(variables)))
  const told = `${mediaType(answer)} ${textOf(answer).slice(0, 120)}`
  return [{ cause: 'the body is not JSON', actual: told }]
}

function compareErrorKeys(recordedKeys: readonly string[], body: Json | undefined, variables: Variables): Difference[] {
  const expected = recordedKeys.map((key) => fillWithin(key, variables)).sort()
  const actual = errorKeys(body)
  if (expected.join('\n') === actual.join('\n')) return []
  return [
    {
      cause: `error keys {${actual.join(', ')}} instead of {${expected.join(', ')}}`,
      expected: short(expected),
      actual: short(body),
    },
  ]
}

function compareHeaders(expected: Expectation, answer: Answer, variables: Variables): Difference[] {
  const differences: Difference[] = []
  for (const [name, wanted] of Object.entries(expected.headers ?? {})) {
    const actual = headerOf(answer, name)
    if (wanted === null) {
      if (actual !== undefined) differences.push({ cause: `header ${name} should be absent`, actual })
    } else if (actual === undefined) {
      differences.push({ cause: `header ${name} is missing`, expected: wanted })
    } else if (!sameHeader(name, wanted, actual) && compare(wanted, actual, recorded(variables)).length > 0) {
      differences.push({ cause: `header ${name} differs`, expected: wanted, actual })
    }
  }
  return differences
}
