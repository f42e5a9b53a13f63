import { describe } from 'vitest'
import { evaluates, type Snippet } from './python-snippets.ts'

/** Expressions, and their values for the VLAN 10 named "ten". */
const FUNCTION_CASES: readonly (readonly [expression: string, value: unknown])[] = [
  [`Concat('name', Value('-'), 'vid')`, 'ten-10'],
  [`Concat('name', Value('!'), output_field=CharField())`, 'ten!'],
  [`Upper('name')`, 'TEN'],
  [`Lower(Value('ABC'))`, 'abc'],
  [`Length('name')`, 3],
  [`Trim(Value('  a '))`, 'a'],
  [`LTrim(Value('  a'))`, 'a'],
  [`RTrim(Value('a  '))`, 'a'],
  [`Left('name', 2)`, 'te'],
  [`Right('name', 2)`, 'en'],
  [`Substr('name', 2)`, 'en'],
  [`Substr('name', 1, length=1)`, 't'],
  [`Replace('name', Value('t'), Value('m'))`, 'men'],
  [`Replace('name', Value('t'))`, 'en'],
  [`Repeat('name', 2)`, 'tenten'],
  [`Reverse('name')`, 'net'],
  [`LPad('name', 5, Value('0'))`, '00ten'],
  [`RPad('name', 4, fill_text=Value('.'))`, 'ten.'],
  [`StrIndex('name', Value('n'))`, 3],
  [`Chr(Value(65))`, 'A'],
  [`Ord('name')`, 116],
  [`MD5(Value('a'))`, '0cc175b9c0f1b6a831c399e269772661'],
  [`Left(SHA256(Value('a')), 8)`, 'ca978112'],
  [`Coalesce('description', 'name')`, ''],
  [`Greatest('vid', Value(50))`, 50],
  [`Least('vid', Value(50))`, 10],
  [`NullIf('name', Value('ten'))`, null],
  [`Cast('vid', CharField())`, '10'],
  [`Cast(Value('7'), output_field=IntegerField())`, 7],
  [`Abs(F('vid') - 20)`, 10],
  [`Round(F('vid') / Value(4.0), precision=1)`, '2.5'],
  [`Ceil(Value(1.2))`, 2],
  [`Floor(Value(1.8))`, 1],
  [`Mod('vid', 3)`, 1],
  [`Sign(F('vid') - 20)`, -1],
  [`Power('vid', 2)`, 100],
  [`Sqrt(Value(16))`, 4],
  [`Ln(Exp(Value(2)))`, 2],
  [`Log(2, Value(8))`, 3],
  [`Round(Pi(), 2)`, '3.14'],
  [`Case(When(vid__gt=100, then=Value('big')), When(name='ten', then='name'), default=Value('small'))`, 'ten'],
  [`ExpressionWrapper(F('vid') * 2, output_field=IntegerField())`, 20],
  [`ExtractYear('created') - ExtractYear(Now())`, 0],
  [`Extract('created', 'iso_week_day') - ExtractIsoWeekDay(TruncDate('created'))`, 0],
  [`ExtractDay(TruncMonth('created'))`, 1],
  [`ExtractHour(Trunc('created', 'day'))`, 0],
]

/** Objects that belong to nothing, and the fields that say so. */
const MISSING_CASES: readonly (readonly [expression: string, fields: readonly string[]])[] = [
  [`Interface(name='x', type='1000base-t').save()`, ['device']],
  [`Device(name='x', site=Site.objects.first()).save()`, ['device_type', 'role']],
  [`Device.objects.create(name='x', role=DeviceRole.objects.first())`, ['device_type', 'site']],
  [`Location(name='x', slug='x').save()`, ['site']],
  [`DeviceType(model='x', slug='x').save()`, ['manufacturer']],
  [`JournalEntry(comments='x').save()`, ['assigned_object_type', 'assigned_object_id']],
]

const SNIPPETS: readonly Snippet[] = [
  // Reading
  ['filters by paths', `return Interface.objects.filter(device__site__slug='akron').count()`, 4],
  [
    'filters by objects',
    `return [d.name for d in Device.objects.filter(site=Site.objects.get(slug='akron'))]`,
    ['a1', 'a2'],
  ],
  ['excludes', `return Device.objects.exclude(name__startswith='a')`, ['b1']],
  ['combines conditions', `return Device.objects.filter(Q(name='a1') | ~Q(site__slug='akron'))`, ['a1', 'b1']],
  ['conditions of one row', `return Device.objects.filter(interfaces__name='e0', interfaces__enabled=False)`, ['b1']],
  ['compares fields', `return VLAN.objects.filter(vid__gt=F('id') + 100).count()`, 1],
  ['an unknown field', `return Site.objects.filter(colour='red')`, /^FieldError: Cannot resolve keyword 'colour'/],
  ['orders and turns around', `return [d.name for d in Device.objects.order_by('-name')[:2].all()]`, ['b1', 'a2']],
  ['orders by parts of values', `return Prefix.objects.order_by('-prefix__net_mask_length').first()`, '10.0.1.0/24'],
  ['slices', `return Device.objects.order_by('name')[1:3]`, ['a2', 'b1']],
  [
    'values',
    `return list(Device.objects.order_by('name').values('name', 'site__slug')[:1])`,
    [{ name: 'a1', site__slug: 'akron' }],
  ],
  [
    'flat values',
    `return Device.objects.values_list('site__slug', flat=True).distinct().order_by('site__slug')`,
    ['akron', 'bonn'],
  ],
  [
    'annotates',
    `return [(s.slug, s.n) for s in Site.objects.annotate(n=Count('devices')).order_by('-n', 'slug')]`,
    [
      ['akron', 2],
      ['bonn', 1],
    ],
  ],
  [
    'defines annotations anew, whatever named the former ones',
    `site = Site.objects.annotate(a=F('pk')).annotate(b=F('a')).annotate(a=F('b') + 100).annotate(a=F('a') + 1).get(slug='akron')
return [site.a - site.pk, site.b - site.pk]`,
    [101, 0],
  ],
  ['filters by annotations', `return Site.objects.annotate(n=Count('devices')).filter(n__gt=1)`, ['Akron']],
  [
    'annotates with a condition',
    `return Site.objects.annotate(n=Count('devices', filter=Q(devices__name='a1'))).order_by('pk').values_list('n', flat=True)`,
    [1, 0],
  ],
  [
    'groups',
    `return list(Device.objects.values('site__slug').annotate(n=Count('pk')).order_by('site__slug'))`,
    [
      { site__slug: 'akron', n: 2 },
      { site__slug: 'bonn', n: 1 },
    ],
  ],
  [
    'aggregates',
    `return VLAN.objects.aggregate(Min('vid'), most=Max('vid'), sum=Sum('vid'))`,
    { vid__min: 10, most: 400, sum: 410 },
  ],
  [
    'exists, first and last',
    `return [Site.objects.none().exists(), Device.objects.first().name, Device.objects.order_by('name').last().name]`,
    [false, 'a1', 'b1'],
  ],
  ['nothing', `return Site.objects.get(slug='none')`, 'DoesNotExist: Site matching query does not exist.'],
  [
    'more than one',
    `return Device.objects.get(site__slug='akron')`,
    'MultipleObjectsReturned: get() returned more than one Device -- it returned 2!',
  ],
  [
    'prefetches',
    `return [[i.name for i in d.ports] for d in Device.objects.prefetch_related(Prefetch('interfaces', Interface.objects.filter(enabled=True), to_attr='ports'))]`,
    [['e0', 'e1'], ['e0', 'e1'], []],
  ],
  [
    'addresses as objects',
    `return [Prefix.objects.first().prefix.size, IPAddress(address='10.0.0.1/24').address.ip + 1]`,
    [65536, '10.0.0.2'],
  ],
  [
    'choices',
    `return [SiteStatusChoices.STATUS_ACTIVE, InterfaceTypeChoices.TYPE_1GE_FIXED, Site.objects.first().get_status_display()]`,
    ['active', '1000base-t', 'Active'],
  ],
  [
    'relations',
    `return [Site.objects.first().devices.count(), Device.objects.first().interfaces.last().name]`,
    [2, 'e1'],
  ],
  ['free space', `return Prefix.objects.get(prefix='10.0.1.0/24').get_first_available_ip()`, '10.0.1.1/24'],
  ['trees', `return Region.objects.get(slug='north').get_descendants(include_self=True)`, ['North', 'Coast']],
  // Writing
  [
    'creates',
    `site = Site(name='New', slug='new')\nsite.full_clean()\nsite.save()\nreturn [site.status, site.pk > 0, str(site)]`,
    ['active', true, 'New'],
  ],
  ['creates below a relation', `return Site.objects.first().locations.create(name='Hall', slug='hall').site`, 'Akron'],
  [
    'changes',
    `d = Device.objects.first()\nd.serial = 'x1'\nd.save()\nd.refresh_from_db()\nreturn Device.objects.get(serial='x1').name`,
    'a1',
  ],
  [
    'changes an address in place',
    `p = Prefix.objects.get(prefix='10.0.1.0/24')\np.prefix.value += 512\np.full_clean()\np.save()\nreturn [str(p), Prefix.objects.filter(prefix='10.0.3.0/24').count()]`,
    ['10.0.3.0/24', 1],
  ],
  [
    'filters and changes the type of a generic relation',
    `a = IPAddress.objects.create(address='10.0.1.8/24', assigned_object=Interface.objects.first())\nn = IPAddress.objects.filter(assigned_object_type_id__isnull=False).count()\na.assigned_object_type_id = a.assigned_object_id = None\na.save()\nreturn [n, IPAddress.objects.filter(assigned_object_type_id__isnull=True, assigned_object_id__isnull=True).count()]`,
    [1, 1],
  ],
  [
    'makes components of templates',
    `Device.objects.get(name='a1').poweroutlets.all().delete()\nmade = [t.instantiate(device=Device.objects.get(name='a1')) for t in DeviceType.objects.first().poweroutlettemplates.all()]\nPowerOutlet.objects.bulk_create(made)\nreturn [(o.name, o.type, o.power_port.name) for o in Device.objects.get(name='a1').poweroutlets.all()]`,
    [['O1', 'iec-60320-c13', 'P1']],
  ],
  [
    'an empty hardware address',
    `i = Interface(device=Device.objects.first(), name='e9', type='1000base-t', mac_address='')\ni.full_clean()\ni.save()\nreturn i.mac_address`,
    null,
  ],
  [
    'changes in a batch',
    `for i in Interface.objects.all():\n    i.description = i.device.name\n    i.save()\nreturn Interface.objects.filter(description='a2').count()`,
    2,
  ],
  [
    'sets and removes tags',
    `s = Site.objects.first()\ns.tags.add('Lab', 'Old')\ns.tags.remove(Tag.objects.get(name='Old'))\nreturn s.tags.names()`,
    ['Lab'],
  ],
  [
    'sets a relation to many',
    `i = Interface.objects.first()\ni.mode = 'tagged'\ni.save()\ni.tagged_vlans.set(VLAN.objects.all())\nreturn i.tagged_vlans.count()`,
    2,
  ],
  [
    'a generic relation',
    `a = IPAddress.objects.create(address='10.0.1.9/24', assigned_object=Interface.objects.first())\nreturn [a.assigned_object.name, Device.objects.first().interfaces.first().ip_addresses.first()]`,
    ['e0', '10.0.1.9/24'],
  ],
  [
    'custom fields',
    `s = Site.objects.first()\ns.custom_field_data['floor'] = 3\ns.save()\nreturn Site.objects.get(custom_field_data__floor=3).cf['floor']`,
    3,
  ],
  [
    'gets or creates',
    `return [Site.objects.get_or_create(slug='akron')[1], Site.objects.get_or_create(slug='c', defaults={'name': 'C'})[1]]`,
    [false, true],
  ],
  [
    'updates or creates',
    `s, made = Site.objects.update_or_create(slug='akron', defaults={'facility': 'F1'})\nreturn [made, s.facility]`,
    [false, 'F1'],
  ],
  [
    'updates a query set',
    `return [VLAN.objects.update(description='d'), VLAN.objects.filter(description='d').count()]`,
    [2, 2],
  ],
  [
    'creates many',
    `return [v.pk is not None for v in VLAN.objects.bulk_create([VLAN(vid=n, name=str(n)) for n in (7, 8)])]`,
    [true, true],
  ],
  ['deletes, with the numbers', `return VLAN.objects.filter(vid=10).delete()`, [1, { 'ipam.VLAN': 1 }]],
  // Refusals
  [
    'values that are not valid',
    `Site(name='', slug='Bad Slug', status='nope').full_clean()`,
    /^ValidationError: \{'name': \['This field cannot be blank.'\], 'slug': .*'status': \["Value 'nope' is not a valid choice."\]\}$/,
  ],
  [
    'a duplicate',
    `Site.objects.create(name='Akron', slug='other')`,
    /^IntegrityError: duplicate key value .*\nDETAIL: {2}Key \(name\)=\(Akron\) already exists\.$/,
  ],
  [
    'a protected object',
    `Site.objects.first().delete()`,
    /^ProtectedError: .*referenced through protected foreign keys: 'Device\.site'/,
  ],
  [
    'an error that is caught',
    `try:\n    Site.objects.create(name='Akron', slug='other')\nexcept IntegrityError as error:\n    return type(error.__cause__).__name__`,
    'UniqueViolation',
  ],
  [
    'an error of a save that is caught',
    `try:\n    s = Site.objects.first()\n    s.name = 'Bonn'\n    s.save()\nexcept IntegrityError:\n    return 'caught'`,
    'caught',
  ],
  ['an unknown argument', `Device(colour='red')`, "TypeError: Device() got unexpected keyword arguments: 'colour'"],
  [
    'an unknown attribute',
    `return Site.objects.first().colour`,
    "AttributeError: 'Site' object has no attribute 'colour'",
  ],
  ['queries in SQL', `return Site.objects.raw('select 1')`, /^Unsupported: /],
  // What releases before 4.2 named otherwise
  ['an old name of a role', `return Device.objects.first().device_role`, 'Switch'],
  ['an old name in a filter', `return Device.objects.filter(device_role__slug='switch').count()`, 3],
  [
    'the site of a prefix',
    `return Prefix.objects.create(prefix='10.9.0.0/24', site=Site.objects.first()).scope`,
    'Akron',
  ],
  [
    'protocol and ports',
    `s = Service(device=Device.objects.first(), name='ssh', protocol='tcp', ports=[22])\ns.save()\nreturn s.ports`,
    [22],
  ],
  // Groups: by the values, by annotations among them, and by what the order needs
  [
    'groups by one value',
    `return list(VLAN.objects.values('group__name').annotate(top=Max('vid')))`,
    [{ group__name: null, top: 400 }],
  ],
  [
    'groups by several values, with several figures',
    `return list(Interface.objects.values_list('device__site__slug', 'enabled').annotate(n=Count('pk'), low=Min('name'), top=Max('name')).order_by('-n'))`,
    [
      ['akron', true, 4, 'e0', 'e1'],
      ['bonn', false, 1, 'e0', 'e0'],
    ],
  ],
  [
    'groups with sums and averages',
    `return list(VLAN.objects.values('status').annotate(s=Sum('vid'), a=Avg('vid')))`,
    [{ status: 'active', s: 410, a: 205 }],
  ],
  [
    'filters before and after groups',
    `return list(Interface.objects.filter(name='e0').values('device__site__slug').annotate(n=Count('pk')).filter(n__gt=1))`,
    [{ device__site__slug: 'akron', n: 2 }],
  ],
  [
    'chooses columns of groups',
    `return list(Device.objects.values('site__slug').annotate(n=Count('pk')).order_by('-n').values_list('n', flat=True))`,
    [2, 1],
  ],
  ['counts groups', `return Device.objects.values('site').annotate(n=Count('pk')).count()`, 2],
  [
    'groups by an annotation',
    `return list(Device.objects.annotate(first=Left('name', 1)).values('first').annotate(n=Count('pk')).order_by('first'))`,
    [
      { first: 'a', n: 2 },
      { first: 'b', n: 1 },
    ],
  ],
  [
    'groups by an expression among the values',
    `return list(Device.objects.values(x=Upper(Left('site__slug', 1))).annotate(n=Count('pk')).filter(x='B'))`,
    [{ x: 'B', n: 1 }],
  ],
  [
    'groups by what the order needs',
    `return list(Device.objects.values('site__slug').annotate(n=Count('pk')).order_by('name'))`,
    [
      { site__slug: 'akron', n: 1 },
      { site__slug: 'akron', n: 1 },
      { site__slug: 'bonn', n: 1 },
    ],
  ],
  [
    'figures before values',
    `return list(Site.objects.annotate(n=Count('devices')).values('n').order_by('n'))`,
    [{ n: 1 }, { n: 2 }],
  ],
  [
    'figures of figures',
    `return Site.objects.annotate(n=Count('devices')).aggregate(top=Max('n'), s=Sum('n'))`,
    { top: 2, s: 3 },
  ],
  ['figures of a slice', `return Device.objects.order_by('name')[:2].aggregate(n=Count('pk'))`, { n: 2 }],
  // Distinct values without an order
  [
    'distinct values',
    `return sorted(Device.objects.values_list('site__slug', flat=True).distinct())`,
    ['akron', 'bonn'],
  ],
  ['distinct dictionaries', `return len(Device.objects.values('site').distinct())`, 2],
  ['distinct pairs', `return len(Device.objects.values_list('site', 'role').distinct())`, 2],
  ['distinct fields', `return Device.objects.distinct('site')`, /^Unsupported: distinct\(\) with fields/],
  // Texts of two columns
  ['equal texts', `return Device.objects.filter(name=F('serial')).count()`, 0],
  ['compared texts', `return Device.objects.filter(serial__lt=F('name')).count()`, 3],
  [
    'an order by one of two texts',
    `return [d.x for d in Device.objects.annotate(x=Coalesce('asset_tag', 'name')).order_by('-x')]`,
    ['b1', 'a2', 'a1'],
  ],
  [
    'the case of one of two texts',
    `return Device.objects.annotate(x=Lower(Coalesce('asset_tag', 'name'))).order_by('x').values_list('x', flat=True)`,
    ['a1', 'a2', 'b1'],
  ],
  [
    'a refused question leaves the transaction usable',
    `try:\n    VLAN.objects.annotate(x=Left('name', -2) + 1).first()\nexcept Exception as error:\n    return [type(error).__name__, VLAN.objects.count()]`,
    ['FieldError', 2],
  ],
  // Functions
  ...FUNCTION_CASES.map(([expression, returns]): [string, string, unknown] => [
    expression,
    `return VLAN.objects.filter(vid=10).annotate(x=${expression}).first().x`,
    returns,
  ]),
  [
    'a function with too many arguments',
    `return VLAN.objects.annotate(x=Upper('name', 'name')).first()`,
    'FieldError: Upper does not take 2 arguments',
  ],
  [
    'conditions as values',
    `return [v.big for v in VLAN.objects.annotate(big=Q(vid__gt=100)).order_by('vid')]`,
    [false, true],
  ],
  ['days', `return [type(day).__name__ for day in Site.objects.dates('created', 'day')]`, ['date']],
  ['times', `return [d.tzinfo is not None for d in Site.objects.datetimes('created', 'year', order='DESC')]`, [true]],
  ['the latest', `return type(Site.objects.aggregate(x=Max('created'))['x']).__name__`, 'datetime'],
  // Other methods of query sets
  ['in bulk', `return sorted(Site.objects.in_bulk(['akron', 'bonn'], field_name='slug'))`, ['akron', 'bonn']],
  [
    'contains',
    `s = Site.objects.first()\nreturn [Site.objects.contains(s), Site.objects.exclude(pk=s.pk).contains(s)]`,
    [true, false],
  ],
  ['an alias', `return list(Site.objects.alias(n=Count('devices')).filter(n=1).values('slug'))`, [{ slug: 'bonn' }]],
  ['asynchronous methods', `return Site.objects.acount()`, /^Unsupported: acount\(\) is not supported/],
  [
    'conflicts that are ignored',
    `Site.objects.bulk_create([], ignore_conflicts=True)`,
    /^Unsupported: bulk_create\(ignore_conflicts/,
  ],
  [
    'an unknown method',
    `return Site.objects.nope()`,
    "AttributeError: 'RestrictedQuerySet' object has no attribute 'nope'",
  ],
  // Methods that NetBox adds
  [
    'contexts of an object',
    `ConfigContext.objects.create(name='all', data={'a': 1})\nc = ConfigContext.objects.create(name='bonn', weight=2000, data={'b': 1})\nc.sites.set([Site.objects.get(slug='bonn')])\nreturn [[c.name for c in ConfigContext.objects.get_for_object(d)] for d in Device.objects.order_by('name')]`,
    [['all'], ['all'], ['all', 'bonn']],
  ],
  [
    'data of contexts',
    `ConfigContext.objects.create(name='all', data={'a': 1})\nreturn ConfigContext.objects.get_for_object(Device.objects.first(), aggregate_data=True)`,
    [{ a: 1 }],
  ],
  ['custom fields of a model', `return [f.name for f in CustomField.objects.get_for_model(Site)]`, ['floor']],
  [
    'the hierarchy of prefixes',
    `return [(p.hierarchy_depth, p.hierarchy_children) for p in Prefix.objects.annotate_hierarchy()]`,
    [
      [0, 1],
      [1, 0],
    ],
  ],
  ['VLANs of a device', `return VLAN.objects.get_for_device(Device.objects.first()).count()`, 2],
  [
    'VLANs of a site',
    `v = VLAN.objects.get(vid=10)\nv.site = Site.objects.get(slug='bonn')\nv.save()\nreturn VLAN.objects.get_for_site(Site.objects.get(slug='akron')).count()`,
    1,
  ],
  [
    'the utilization of VLAN groups',
    `g = VLANGroup.objects.create(name='G', slug='g', vid_ranges=[(1, 400)])
VLAN.objects.update(group=g)
return [(one.vlan_count, one.utilization) for one in VLANGroup.objects.annotate_utilization()]`,
    [[2, 0.5]],
  ],
  [
    'counts of AS numbers',
    `from ipam.models import ASN, ASNRange, RIR
rir = RIR.objects.create(name='R', slug='r')
for number in (1, 2, 9):
    ASN.objects.create(rir=rir, asn=number)
for low, high in ((1, 5), (20, 30)):
    ASNRange.objects.create(rir=rir, name=str(low), slug=str(low), start=low, end=high)
return [one.asn_count for one in ASNRange.objects.annotate_asn_counts().order_by('start')]`,
    [2, 0],
  ],
  [
    'devices with the data of their contexts',
    `ConfigContext.objects.create(name='all', data={'a': 1})
return [d.get_config_context() for d in Device.objects.annotate_config_context_data()[:1]]`,
    [{ a: 1 }],
  ],
  [
    'the nodes above and below others',
    `coast = Region.objects.filter(slug='coast')
return [Region.objects.get_queryset_ancestors(coast), Region.objects.get_queryset_descendants(Region.objects.root_nodes(), include_self=True)]`,
    [['North'], ['North', 'Coast']],
  ],
  ['roots', `return Region.objects.root_nodes()`, ['North']],
  // Names of other modules
  [
    'mixed tags',
    `s = Site.objects.first()\ns.tags.add('New', Tag.objects.get(name='Old').pk)\nreturn sorted(s.tags.names())`,
    ['New', 'Old'],
  ],
  [
    'settings',
    `from django.conf import settings\nreturn [settings.LANGUAGE_CODE, settings.TIME_ZONE, settings.USE_TZ]`,
    ['en-us', 'UTC', true],
  ],
  [
    'exceptions of NetBox',
    `from utilities.exceptions import AbortRequest, AbortScript, AbortTransaction, PermissionsViolation\nraise AbortTransaction('no')`,
    'AbortTransaction: no',
  ],
  ['a level that does not exist', `script._log('x', level='loud')`, 'ValueError: Invalid logging level: loud'],
  [
    'a duplicate of several fields',
    `Interface(device=Device.objects.get(name='a1'), name='e0', type='1000base-t').full_clean()`,
    "ValidationError: {'__all__': ['Interface with this Device and Name already exists.']}",
  ],
  ...MISSING_CASES.map(([expression, fields]): [string, string, unknown] => [
    expression,
    `try:\n    ${expression}\nexcept ValidationError as error:\n    return error.message_dict`,
    Object.fromEntries(fields.map((name) => [name, ['This field cannot be null.']])),
  ]),
]

describe('the models in a Python script', () => {
  evaluates(SNIPPETS)
})
