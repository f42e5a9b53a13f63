import { describe } from 'vitest'
import { evaluates, type Snippet } from './python-snippets.ts'

/** Devices a1 and a2 at Akron have the ports e0 and e1; b1 at Bonn has e0, which is disabled. */
const SUBQUERIES: readonly Snippet[] = [
  [
    'the value of a subquery',
    `ports = Interface.objects.filter(device=OuterRef('pk')).order_by('-name')
return [(d.name, d.port) for d in Device.objects.annotate(port=Subquery(ports.values('name')[:1])).order_by('name')]`,
    [
      ['a1', 'e1'],
      ['a2', 'e1'],
      ['b1', 'e0'],
    ],
  ],
  [
    'a subquery without rows has no value',
    `ports = Interface.objects.filter(device=OuterRef('pk'), name='e1')
return list(Device.objects.order_by('name').annotate(x=Subquery(ports.values('pk')[:1])).values_list('x', flat=True))[2]`,
    null,
  ],
  [
    'counts in a subquery',
    `counts = Interface.objects.filter(device__site=OuterRef('pk')).values('device__site').annotate(n=Count('pk')).values('n')
return [(s.slug, s.n) for s in Site.objects.annotate(n=Subquery(counts)).order_by('slug')]`,
    [
      ['akron', 4],
      ['bonn', 1],
    ],
  ],
  [
    'filters by a subquery',
    `counts = Device.objects.filter(site=OuterRef('site')).values('site').annotate(n=Count('pk')).values('n')
return Device.objects.annotate(n=Subquery(counts)).filter(n__gt=1).order_by('name')`,
    ['a1', 'a2'],
  ],
  [
    'orders and excludes by a subquery',
    `port = Subquery(Interface.objects.filter(device=OuterRef('pk')).order_by('-name').values('name')[:1])
return Device.objects.annotate(port=port).exclude(port='x').order_by('port', '-name')`,
    ['b1', 'a2', 'a1'],
  ],
  [
    'texts of a subquery and of a field',
    `port = Subquery(Interface.objects.filter(device=OuterRef('pk')).order_by('name').values('name')[:1])
return Device.objects.annotate(x=Concat('name', Value('/'), port)).order_by('x').values_list('x', flat=True)`,
    ['a1/e0', 'a2/e0', 'b1/e0'],
  ],
  [
    'compares a field with a subquery',
    `highest = VLAN.objects.order_by('-vid').values('vid')[:1]
return VLAN.objects.filter(vid=Subquery(highest))`,
    ['four hundred (400)'],
  ],
  [
    'in a subquery',
    `disabled = Interface.objects.filter(enabled=False).values('device')
return [Device.objects.filter(pk__in=Subquery(disabled)).get().name, Device.objects.exclude(pk__in=Subquery(disabled)).count()]`,
    ['b1', 2],
  ],
  [
    'in a query set that refers to the one around it',
    `same = Device.objects.filter(site=OuterRef('site'), name__gt=OuterRef('name'))
return [Device.objects.filter(site__devices__in=same).distinct().count(), Device.objects.filter(pk__in=same).count()]`,
    [1, 0],
  ],
  [
    'a path of the outer query set',
    `sites = Site.objects.filter(slug=OuterRef('device__site__slug'))
return sorted(Interface.objects.annotate(site=Subquery(sites.values('name'))).values_list('site', flat=True))`,
    ['Akron', 'Akron', 'Akron', 'Akron', 'Bonn'],
  ],
  [
    'an annotation of the outer query set',
    `wider = VLAN.objects.filter(vid__gt=OuterRef('twice'))
return [v.vid for v in VLAN.objects.annotate(twice=F('vid') * 2).filter(Exists(wider))]`,
    [10],
  ],
  [
    'a figure of the outer query set',
    `vlans = VLAN.objects.filter(vid__gte=OuterRef('n') * 200).order_by('vid').values('vid')[:1]
return [s.vid for s in Site.objects.annotate(n=Count('devices')).annotate(vid=Subquery(vlans)).order_by('slug')]`,
    [400, 400],
  ],
  [
    'a case of figures',
    `case = Case(When(n__gt=1, then=Value('many')), default=Value('few'))
return [s.x for s in Site.objects.annotate(n=Count('devices')).annotate(x=case).filter(n__gt=0).order_by('x')]`,
    ['few', 'many'],
  ],
  [
    'a subquery within a subquery',
    `ports = Interface.objects.filter(device=OuterRef('pk'), device__site=OuterRef(OuterRef('pk')), name='e1')
devices = Device.objects.filter(Exists(ports), site=OuterRef('pk'))
return [s.slug for s in Site.objects.filter(Exists(devices))]`,
    ['akron'],
  ],
  [
    'exists',
    `disabled = Interface.objects.filter(device=OuterRef('pk'), enabled=False)
return [Device.objects.filter(Exists(disabled)).get().name, Device.objects.filter(~Exists(disabled)).count(), Device.objects.exclude(Exists(disabled)).count()]`,
    ['b1', 2, 2],
  ],
  [
    'exists as a value',
    `ports = Interface.objects.filter(device=OuterRef('pk'), name='e1')
return list(Device.objects.annotate(x=Exists(ports), y=~Exists(ports)).order_by('name').values_list('x', 'y'))`,
    [
      [true, false],
      [true, false],
      [false, true],
    ],
  ],
  [
    'filters by a value that exists',
    `ports = Interface.objects.filter(device=OuterRef('pk'), name='e1')
return Device.objects.annotate(x=Exists(ports)).filter(x=False)`,
    ['b1'],
  ],
  [
    'exists in combined conditions',
    `ports = Exists(Interface.objects.filter(device=OuterRef('pk'), name='e1'))
return [Device.objects.filter(Q(name='b1') | ports).count(), Device.objects.filter(ports & Q(name='a1')).count(), Device.objects.filter(~(ports | Q(name='x'))).count()]`,
    [3, 1, 1],
  ],
  [
    'exists in a case, and in a figure',
    `ports = Interface.objects.filter(device=OuterRef('pk'), name='e1')
case = Case(When(Exists(ports), then=Value('two')), default=Value('one'))
return [list(Device.objects.annotate(x=case).order_by('name').values_list('x', flat=True)), Device.objects.annotate(x=Exists(ports)).aggregate(n=Count('pk', filter=Q(x=True)))]`,
    [['two', 'two', 'one'], { n: 2 }],
  ],
  [
    'groups by what exists',
    `ports = Interface.objects.filter(device=OuterRef('pk'), name='e1')
return list(Device.objects.annotate(x=Exists(ports)).values('x').annotate(n=Count('pk')).order_by('x').values_list('x', 'n'))`,
    [
      [false, 1],
      [true, 2],
    ],
  ],
  ['nothing exists in nothing', `return Site.objects.filter(Exists(Device.objects.none())).count()`, 0],
  [
    'networks of the outer query set',
    `parents = Prefix.objects.filter(prefix__net_contains=OuterRef('prefix'))
return list(Prefix.objects.annotate(inside=Exists(parents)).values_list('prefix', 'inside'))`,
    [
      ['10.0.0.0/16', false],
      ['10.0.1.0/24', true],
    ],
  ],
  [
    'texts with the text of the outer query set',
    `starts = Device.objects.filter(name__istartswith=Left(OuterRef('name'), 1))
return [Site.objects.filter(Exists(starts)).count(), Site.objects.filter(Exists(Device.objects.filter(site__name__iexact=OuterRef('slug')))).count()]`,
    [2, 2],
  ],
  [
    'updates with a subquery',
    `port = Interface.objects.filter(device=OuterRef('pk')).order_by('-name').values('name')[:1]
Device.objects.update(serial=Subquery(port))
return Device.objects.order_by('name').values_list('serial', flat=True)`,
    ['e1', 'e1', 'e0'],
  ],
  [
    'a JSON value that looks like a reference',
    `same = Site.objects.filter(pk=OuterRef('pk'), custom_field_data={'outer': {'path': 'pk'}})
return Site.objects.filter(Exists(same)).count()`,
    0,
  ],
  // Refusals
  [
    'a reference without a query set around it',
    `return Site.objects.filter(pk=OuterRef('pk')).count()`,
    'FieldError: This queryset contains a reference to an outer query and may only be used in a subquery',
  ],
  [
    'a subquery with several columns',
    `return Site.objects.annotate(x=Subquery(Device.objects.values('pk', 'name'))).first()`,
    'FieldError: A subquery must return one column: name it in values(…).',
  ],
  [
    'a subquery with several rows',
    `return Site.objects.annotate(x=Subquery(Device.objects.values('pk'))).first()`,
    /^FieldError: .*more than one row/,
  ],
  [
    'an unknown field of the outer query set',
    `return Site.objects.filter(Exists(Device.objects.filter(site=OuterRef('colour')))).count()`,
    /^FieldError: Cannot resolve keyword 'colour'/,
  ],
  ['a subquery of nothing', `return Subquery('pk')`, 'TypeError: Subquery(…) takes a query set.'],
]

/** Functions over the ports by device, in the order of their names. */
const OF_PORTS: readonly (readonly [expression: string, a1: readonly unknown[]])[] = [
  [`RowNumber()`, [1, 2]],
  [`Rank()`, [1, 2]],
  [`DenseRank()`, [1, 2]],
  [`PercentRank()`, [0, 1]],
  [`CumeDist()`, [0.5, 1]],
  [`Ntile(2)`, [1, 2]],
  [`Ntile(num_buckets=1)`, [1, 1]],
  [`Lag('name')`, [null, 'e0']],
  [`Lead('name', default=Value('none'))`, ['e1', 'none']],
  [`Lag('name', offset=2)`, [null, null]],
  [`FirstValue('name')`, ['e0', 'e0']],
  [`LastValue('name')`, ['e0', 'e1']],
  [`NthValue('name', 2)`, [null, 'e1']],
  [`Count('pk')`, [1, 2]],
  [`Count('*')`, [1, 2]],
  [`Count('pk', filter=Q(name='e1'))`, [0, 1]],
  [`Max('name')`, ['e0', 'e1']],
]

const WINDOWS: readonly Snippet[] = [
  ...OF_PORTS.map(
    ([expression, a1]): Snippet => [
      `${expression} of a window`,
      `window = Window(${expression}, partition_by='device', order_by='name')
return list(Interface.objects.annotate(x=window).filter(device__name='a1').order_by('name').values_list('x', flat=True))`,
      a1,
    ],
  ),
  [
    'partitions by several expressions, and orders downwards',
    `window = Window(RowNumber(), partition_by=[F('device__site'), 'enabled'], order_by=[F('device__name').desc(), '-name'])
return [(str(i.device), i.name, i.x) for i in Interface.objects.annotate(x=window).order_by('device__site__slug', 'x')]`,
    [
      ['a2', 'e1', 1],
      ['a2', 'e0', 2],
      ['a1', 'e1', 3],
      ['a1', 'e0', 4],
      ['b1', 'e0', 1],
    ],
  ],
  [
    'filters by windows, of the rows that meet the other conditions',
    `window = Window(RowNumber(), partition_by='device__site', order_by=['device__name', 'name'])
return [(i.device.name, i.name) for i in Interface.objects.annotate(x=window).filter(name='e1', x=2)]`,
    [['a2', 'e1']],
  ],
  [
    'the first of each group',
    `window = Window(RowNumber(), partition_by='site', order_by='-name')
return Device.objects.annotate(x=window).filter(x=1).order_by('name')`,
    ['a2', 'b1'],
  ],
  [
    'sums over frames',
    `moving = Window(Sum('vid'), order_by='vid', frame=RowRange(start=-1, end=0))
rest = Window(Sum('vid'), order_by='vid', frame=RowRange(start=1, end=None))
near = Window(Count('pk'), order_by='vid', frame=ValueRange(start=None, end=0))
return list(VLAN.objects.annotate(a=moving, b=rest, c=near).order_by('vid').values_list('a', 'b', 'c'))`,
    [
      [10, 400, 1],
      [410, null, 2],
    ],
  ],
  [
    'windows over figures',
    `sites = Site.objects.annotate(n=Count('devices')).annotate(rank=Window(Rank(), order_by=F('n').desc()))
return list(sites.order_by('rank').values_list('slug', 'n', 'rank'))`,
    [
      ['akron', 2, 1],
      ['bonn', 1, 2],
    ],
  ],
  [
    'windows over groups',
    `return list(Interface.objects.values('device__site__slug').annotate(n=Count('pk')).annotate(rank=Window(Rank(), order_by=F('n').desc())).order_by('rank').values_list('device__site__slug', 'n', 'rank'))`,
    [
      ['akron', 4, 1],
      ['bonn', 1, 2],
    ],
  ],
  [
    'figures over windows',
    `return Interface.objects.annotate(x=Window(RowNumber(), partition_by='device')).aggregate(top=Max('x'), n=Count('pk'))`,
    { top: 2, n: 5 },
  ],
  [
    'expressions with windows',
    `share = Cast('vid', FloatField()) / Window(Sum('vid'))
return [round(v.share, 2) for v in VLAN.objects.annotate(share=share).order_by('vid')]`,
    [0.02, 0.98],
  ],
  [
    'counts and slices',
    `ports = Interface.objects.annotate(x=Window(RowNumber(), order_by='pk'))
return [ports.filter(x__lte=3).count(), [i.x for i in ports.order_by('-x')[:2]]]`,
    [3, [5, 4]],
  ],
  [
    'a window with a subquery, and a subquery with a window',
    `first = Interface.objects.annotate(x=Window(RowNumber(), partition_by='device', order_by='-name')).filter(x=1, device=OuterRef('pk'))
return list(Device.objects.annotate(port=Subquery(first.values('name')), x=Window(RowNumber(), order_by=Exists(first))).order_by('name').values_list('port', flat=True))`,
    ['e1', 'e1', 'e0'],
  ],
  // Refusals
  [
    'a function of windows without a window',
    `return Site.objects.annotate(x=RowNumber()).first()`,
    'FieldError: RowNumber can only be used in Window(…)',
  ],
  [
    'a window of a plain function',
    `return Site.objects.annotate(x=Window(Upper('name'))).first()`,
    'FieldError: Window(…) takes an aggregate or a function of windows, such as RowNumber()',
  ],
  [
    'distinct values in a window',
    `return Site.objects.annotate(x=Window(Count('name', distinct=True))).first()`,
    'FieldError: A window cannot take distinct values',
  ],
  [
    'a frame from its end to its start',
    `return RowRange(start=1, end=0)`,
    'ValueError: The start of a frame must not be after its end.',
  ],
  [
    'figures of groups in a subquery',
    `vlans = VLAN.objects.filter(vid=OuterRef('n'))
return list(Device.objects.values('site').annotate(n=Count('pk')).annotate(x=Exists(vlans)))`,
    'FieldError: A subquery or a case of groups cannot use their figures: compute it in Python',
  ],
  [
    'groups by windows',
    `return list(Device.objects.values('site').annotate(n=Count('pk'), x=Window(RowNumber())).filter(x=1))`,
    'FieldError: Groups cannot be filtered by a window: compare in Python',
  ],
]

/** Orders and figures beside them. */
const OTHERS: readonly Snippet[] = [
  [
    'places missing values first or last',
    `Device.objects.filter(name='a2').update(asset_tag='t')
names = lambda term: list(Device.objects.order_by(term, 'name').values_list('name', flat=True))
return [names(F('asset_tag').asc(nulls_first=True)), names(F('asset_tag').desc(nulls_last=True))]`,
    [
      ['a1', 'b1', 'a2'],
      ['a2', 'a1', 'b1'],
    ],
  ],
  [
    'deviations',
    `return VLAN.objects.aggregate(StdDev('vid'), v=Variance('vid', sample=True))`,
    { vid__stddev: 195, v: 76_050 },
  ],
  [
    'a module of Django',
    `from django.db.models.expressions import OuterRef as Ref, Window
return Ref.__name__`,
    'OuterRef',
  ],
]

describe('query sets within query sets of a Python script', () => {
  evaluates([...SUBQUERIES, ...WINDOWS, ...OTHERS])
})
