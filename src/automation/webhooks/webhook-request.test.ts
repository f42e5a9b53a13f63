import { describe, expect, it } from 'vitest'
import type { ApiVersion } from '../../base/api-version.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { type DeliveredEvent, prepareRequest, type WebhookTemplate } from './webhook-request.ts'

const TEMPLATE: WebhookTemplate = {
  url: 'http://example.com/hook',
  method: 'POST',
  contentType: 'application/json',
  headers: '',
  body: '',
  secret: '',
}

const EVENT: DeliveredEvent = {
  event: 'object_updated',
  timestamp: '2026-11-22T02:37:31.765054+00:00',
  objectType: 'dcim.site',
  username: 'admin',
  requestId: 'r-1',
  data: '{"id":1,"name":"Ü","custom_fields":{"2":1.0,"1":null}}',
  request: '{"id":"r-1","method":"PATCH","path":"/api/dcim/sites/1/","user":"admin"}',
  snapshots: '{"prechange":null,"postchange":{"name":"Ü"}}',
  date: null,
  actionData: null,
}

const prepare = (
  template: Partial<WebhookTemplate> = {},
  event: Partial<DeliveredEvent> = {},
  version: ApiVersion = '4.6',
) =>
  prepareRequest({ ...TEMPLATE, ...template }, { ...EVENT, ...event }, 'd-1', {
    version,
    render: async (text, context, { singleLine }) =>
      text.replace(/\{\{ (\w+) \}\}/g, (_all, name) => `${context[name]}${singleLine ? '' : '\n'}`),
  })

describe('the request of a delivery', () => {
  it('has the keys of API version 4.7 if the service uses that version', async () => {
    const { body } = await prepare({}, {}, '4.7')
    expect(JSON.parse(body.toString())).toEqual({
      ...{ event: 'updated', timestamp: EVENT.timestamp, object_type: 'dcim.site' },
      data: JSON.parse(EVENT.data),
      request: {
        ...{ id: 'r-1', path: '/api/dcim/sites/1/', path_info: '/api/dcim/sites/1/' },
        ...{ method: 'PATCH', GET: {}, user: 'admin' },
      },
      snapshots: JSON.parse(EVENT.snapshots ?? ''),
    })
  })

  it('has the body that Python would write, with the keys and numbers as they are stored', async () => {
    const { body } = await prepare()
    expect(body.toString()).toBe(
      '{"event": "updated", "timestamp": "2026-11-22T02:37:31.765054+00:00", "object_type": "dcim.site", ' +
        '"username": "admin", "request_id": "r-1", ' +
        '"data": {"id": 1, "name": "\\u00dc", "custom_fields": {"2": 1.0, "1": null}}, ' +
        '"request": {"id": "r-1", "method": "PATCH", "path": "/api/dcim/sites/1/", "user": "admin"}, ' +
        '"snapshots": {"prechange": null, "postchange": {"name": "\\u00dc"}}}',
    )
  })

  it.each([
    ['object_created', 'created'],
    ['object_deleted', 'deleted'],
    ['job_started', 'job_started'],
    ['job_completed', 'job_ended'],
    ['job_errored', 'job_ended'],
    ['job_failed', 'job_ended'],
  ])('names the event %s %s', async (event, name) => {
    const { body } = await prepare({}, { event })
    expect(JSON.parse(body.toString()).event).toBe(name)
  })

  it('has no request and no snapshots if the event is that of a job', async () => {
    const { body } = await prepare({}, { request: null, snapshots: null, requestId: null })
    expect(Object.keys(JSON.parse(body.toString()))).toEqual([
      'event',
      'timestamp',
      'object_type',
      'username',
      'request_id',
      'data',
    ])
  })

  it('contains the data of the rule after those of the object', async () => {
    const { body } = await prepare({}, { actionData: '{"more":[1],"name":"mine"}' })
    expect(JSON.parse(body.toString()).data).toMatchObject({ more: [1], name: 'Ü', id: 1 })
  })

  it.each([
    ['none of its own', '', { 'Content-Type': 'application/json', 'X-Hook-Delivery': 'd-1' }],
    ['a value', 'X-A: 1: 2\r\nX-B:two', { 'X-A': '1: 2', 'X-B': 'two' }],
    ['another content type', 'content-type: text/csv', { 'content-type': 'text/csv' }],
    ['a template', 'X-User: {{ username }}', { 'X-User': 'admin' }],
  ])('has the headers that its lines give: %s', async (_name, headers, expected) => {
    expect((await prepare({ headers })).headers).toMatchObject(expected)
  })

  it('ignores lines without a colon, headers of the transfer, and repeated names', async () => {
    const headers = 'nothing\nContent-Length: 1\nTransfer-Encoding: chunked\ncontent-type: text/csv'
    expect(Object.keys((await prepare({ headers })).headers).toSorted()).toEqual([
      'Accept-Encoding',
      'User-Agent',
      'X-Hook-Delivery',
      'content-type',
    ])
  })

  it.each(['ftp://example.com/', 'example.com', 'file:///etc/passwd', ''])('is refused for the URL %s', async (url) => {
    await expect(prepare({ url })).rejects.toThrow(AttemptFailure)
  })

  it('treats a blank template as none', async () => {
    expect((await prepare({ body: ' \n' })).body.toString()).toContain('"event": "updated"')
  })
})
