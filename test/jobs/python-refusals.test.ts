import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** How a script with these lines ends, and the VLANs that it leaves; `old` is there before. */
const CASES: readonly { readonly what: string; readonly lines: string; readonly vlans: readonly string[] | RegExp }[] =
  [
    {
      what: 'an object that is cleaned after its creation is deleted, and not that of the row before',
      lines: `
for vid, status in ((1, 'active'), (2, 'broken'), (3, 'active')):
    try:
        vlan = VLAN.objects.create(vid=vid, name=f'v{vid}', status=status)
        vlan.full_clean()
    except ValidationError:
        vlan.delete()`,
      vlans: ['old', 'v1', 'v3'],
    },
    {
      what: 'an object that is created or updated, too',
      lines: `
for vid, status in ((1, 'active'), (2, 'broken'), (99, 'broken'), (3, 'active')):
    vlan, made = VLAN.objects.update_or_create(vid=vid, defaults={'name': f'v{vid}', 'status': status})
    try:
        vlan.full_clean()
    except ValidationError:
        vlan.delete()`,
      vlans: ['v1', 'v3'],
    },
    {
      what: 'an object of a relation, too',
      lines: `
group = VLANGroup.objects.create(name='G', slug='g')
for vid in (1, 5000, 3):
    vlan, made = group.vlans.get_or_create(vid=vid, defaults={'name': f'v{vid}'})
    try:
        vlan.full_clean()
    except ValidationError:
        vlan.delete()`,
      vlans: ['old', 'v1', 'v3'],
    },
    {
      what: 'an object whose save was refused can be deleted',
      lines: `
for vid, status in ((1, 'active'), (2, 'broken')):
    try:
        vlan = VLAN(vid=vid, name=f'v{vid}', status=status)
        vlan.save()
    except ValidationError:
        vlan.delete()`,
      vlans: ['old', 'v1'],
    },
    {
      what: 'an object that is corrected and saved again is stored',
      lines: `
vlan = VLAN.objects.create(vid=2, name='v2', status='broken')
vlan.status = 'active'
vlan.save()`,
      vlans: ['old', 'v2'],
    },
    {
      what: 'an object that nobody cleans ends the run, with the line that created it',
      lines: `
VLAN.objects.create(vid=2, name='v2', status='broken')
VLAN.objects.create(vid=3, name='v3')`,
      vlans: /ValidationError: \{'status': .*Refused in line 1 of case\.py: the rules of the model/s,
    },
    {
      what: 'an error that follows from it says so',
      lines: `
vlan = VLAN.objects.create(vid=2, name='v2', status='broken')
vlan.tags.add('Lab')`,
      vlans: /ValueError.*Before that, an object was not saved: ValidationError\(\{'status'.*line 1 of case\.py/s,
    },
    {
      what: 'a handler does not get the error of an earlier line',
      lines: `
old = VLAN.objects.get(vid=99)
old.status = 'broken'
old.save()
try:
    count = VLAN.objects.count()
except ValidationError:
    pass`,
      vlans: /ValidationError: \{'status'.*Refused before line 5 of case\.py/s,
    },
    {
      what: 'a handler does not get what an earlier line had to clean',
      lines: `
vlan = VLAN(vid=2, name='v2', status='active', qinq_role='cvlan')
vlan.full_clean()
try:
    vlan.save()
except ValidationError:
    pass`,
      vlans: /ValidationError: \{/,
    },
    {
      what: 'what was refused in a savepoint is rolled back with it',
      lines: `
try:
    with transaction.atomic():
        VLAN.objects.create(vid=2, name='v2', status='broken')
        raise KeyError
except KeyError:
    VLAN.objects.create(vid=3, name='v3')`,
      vlans: ['old', 'v3'],
    },
    {
      what: 'what was refused before a savepoint stays refused',
      lines: `
VLAN.objects.create(vid=2, name='v2', status='broken')
try:
    with transaction.atomic():
        raise KeyError
except KeyError:
    pass`,
      vlans: /ValidationError: \{'status'/,
    },
    {
      what: 'a value that no database could store is refused at once',
      lines: `
try:
    VLAN.objects.create(vid=2, name='v' * 100)
except Exception:
    VLAN.objects.create(vid=3, name='v3')`,
      vlans: ['old', 'v3'],
    },
    {
      what: 'a refused change stays with its object',
      lines: `
old = VLAN.objects.get(vid=99)
try:
    old.name, old.status = 'new', 'broken'
    old.save()
except ValidationError:
    old.status = 'active'
    old.save()`,
      vlans: ['new'],
    },
  ]

describe('when the rules of a model refuse what a Python script saves', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({
      SCRIPTS_ROOT: join(import.meta.dirname, 'python-refusals'),
      LOG_LEVEL: 'fatal',
      API_VERSION: '4.7',
    })
    await api.make('ipam/vlans', { vid: 99, name: 'old' })
    await api.background.runUntilIdle()
  })
  afterAll(() => api.close())

  it.each(CASES)('$what', async ({ lines, vlans }) => {
    const body = { data: { lines }, commit: false }
    const { json, text } = await api.ask('POST', '/api/extras/scripts/lines.Lines/', { body })
    await api.background.runUntilIdle()
    const job = (await api.ask('GET', `/api/core/jobs/${json.result?.id}/`)).json
    const log = job.data?.log?.map(({ message }) => String(message)).join('\n')
    const outcome = `${text} ${JSON.stringify(job)}`
    expect(job.status, outcome).toMatchObject({ value: vlans instanceof RegExp ? 'errored' : 'completed' })
    if (vlans instanceof RegExp) expect(log).toMatch(vlans)
    else expect(job.data?.output, outcome).toEqual(vlans)
  })
})
