import { expect, it, onTestFinished } from 'vitest'
import { TemplateProcess, TemplateTimeout } from './template-process.ts'

const start = () => {
  const child = new TemplateProcess('{}')
  onTestFinished(() => child.kill())
  return child
}
const nothing = async () => null

it('a template that takes too long is given up, with its process', async () => {
  const child = start()
  const quick = { template: '{{ 6 * 7 }}', longest: 10 }
  expect(await child.run(quick, nothing, 20_000)).toEqual({ text: '42' })

  const loops = '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'
  const slow = child.run({ template: loops, longest: 10 }, nothing, 300)
  await expect(slow).rejects.toThrow(TemplateTimeout)
  expect(child.isUsable).toBe(false)
  await child.ended()
}, 60_000)

it('what a template includes, the process asks for', async () => {
  const asked: unknown[] = []
  const answer = async (question: unknown) => {
    asked.push(question)
    return 'included {{ x }}'
  }
  const job = { template: '{% include "a/b.j2" %}', context: { x: 1 }, source: 7, longest: 100 }
  expect(await start().run(job, answer, 20_000)).toEqual({ text: 'included 1' })
  expect(asked).toEqual([{ ask: 'file', source: 7, path: 'a/b.j2' }])
}, 60_000)

it('a question that cannot be answered is an error of the template', async () => {
  const answer = async () => {
    throw new Error('no such thing')
  }
  const job = { template: '{% include "x" %}', source: 7, longest: 100 }
  expect(await start().run(job, answer, 20_000)).toEqual({
    error: 'FieldError: no such thing (line 1)',
  })
}, 60_000)
