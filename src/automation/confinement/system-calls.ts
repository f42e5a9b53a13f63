/**
 * What the kernel refuses to code of users, for both kinds of hosts: one table of system calls, and the seccomp filter
 * that follows from it. The numbers are Linux's on x86-64 and arm64; null if an architecture does not have the call.
 */

type Numbers = readonly [x64: number | null, arm64: number | null]

/** Kinds of hosts: Python in WebAssembly, within Node; or a program of the operating system, such as Python. */
export type HostKind = 'webAssembly' | 'program'

/** Calls that no code of users may make. */
const NEVER = {
  // Other processes: their memory, descriptors, time and priority.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  setpriority: [141, 140],
  sched_setscheduler: [144, 119],
  sched_setparam: [142, 118],
  sched_setattr: [314, 274],
  sched_setaffinity: [203, 122],
  ioprio_set: [251, 30],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  tkill: [200, 130],
  // Leaving the process group, with which every process of a run ends.
  setsid: [112, 157],
  setpgid: [109, 154],
  // Attributes of files, which Landlock does not cover.
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, null],
  fchown: [93, 55],
  lchown: [94, null],
  fchownat: [260, 54],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  setxattrat: [463, 463],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  removexattrat: [466, 466],
  file_setattr: [469, 469],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  mknod: [133, null],
  mknodat: [259, 33],
  // Users, groups and capabilities.
  setuid: [105, 146],
  setgid: [106, 144],
  setreuid: [113, 145],
  setregid: [114, 143],
  setresuid: [117, 147],
  setresgid: [119, 149],
  setfsuid: [122, 151],
  setfsgid: [123, 152],
  setgroups: [116, 159],
  capset: [126, 91],
  // System V memory and messages, which all processes of a user share, including PostgreSQL's.
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  shmdt: [67, 197],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  semget: [64, 190],
  semop: [65, 193],
  semtimedop: [220, 192],
  semctl: [66, 191],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  mq_timedsend: [242, 182],
  mq_timedreceive: [243, 183],
  mq_notify: [244, 184],
  mq_getsetattr: [245, 185],
  // Programs that are no files, which Landlock does not cover.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  execveat: [322, 281],
  // Parts of the kernel that code of users does not need.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  perf_event_open: [298, 241],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  statmount: [457, 457],
  listmount: [458, 458],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  personality: [135, 92],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  vhangup: [153, 58],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  uselib: [134, null],
} as const satisfies Readonly<Record<string, Numbers>>

/** Calls that an interpreter in WebAssembly does not make either: it gets its input by open descriptors. */
const WITHOUT_FILES_AND_NETWORK = {
  // Processes.
  fork: [57, null],
  vfork: [58, null],
  pidfd_open: [434, 434],
  // Sockets.
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  sendto: [44, 206],
  sendmsg: [46, 211],
  sendmmsg: [307, 269],
  recvfrom: [45, 207],
  recvmsg: [47, 212],
  recvmmsg: [299, 243],
  shutdown: [48, 210],
  // Changes of directories.
  creat: [85, null],
  mkdir: [83, null],
  mkdirat: [258, 34],
  rmdir: [84, null],
  unlink: [87, null],
  unlinkat: [263, 35],
  rename: [82, null],
  renameat: [264, 38],
  renameat2: [316, 276],
  link: [86, null],
  linkat: [265, 37],
  symlink: [88, null],
  symlinkat: [266, 36],
  truncate: [76, 45],
  inotify_init: [253, null],
  inotify_init1: [294, 26],
  inotify_add_watch: [254, 27],
} as const satisfies Readonly<Record<string, Numbers>>

/** Calls that send signals to any process, which Landlock covers from kernel 6.12 on. */
const SIGNALS = {
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
} as const satisfies Readonly<Record<string, Numbers>>

/** Calls that are refused for some arguments, or as if the kernel did not know them. */
const CHECKED = {
  socket: [41, 198],
  clone: [56, 220],
  clone3: [435, 435],
  openat2: [437, 437],
  open: [2, null],
  openat: [257, 56],
  kill: [62, 129],
  tgkill: [234, 131],
  prlimit64: [302, 261],
  prctl: [157, 167],
  fcntl: [72, 25],
  ioctl: [16, 29],
} as const satisfies Readonly<Record<string, Numbers>>

/** The last call of the table above that a kernel has; later ones are refused as if the kernel did not know them. */
const LAST = 469

const ARCHITECTURES = {
  x64: { audit: 0xc000_003e, column: 0 },
  arm64: { audit: 0xc000_00b7, column: 1 },
} as const

export type Architecture = keyof typeof ARCHITECTURES

export const isArchitecture = (name: string): name is Architecture => Object.hasOwn(ARCHITECTURES, name)

const EPERM = 1
const ENOSYS = 38
const ALLOW = 0x7fff_0000
const refuse = (error: number) => 0x0005_0000 | error

/** Operations of the kernel's filters (linux/bpf_common.h). */
const LOAD = 0x20
const EQUAL = 0x15
const GREATER_OR_EQUAL = 0x35
const AND = 0x54
const RETURN = 0x06

/** Operation, instructions to skip if a comparison is true and if it is false, value. */
type Instruction = readonly [operation: number, ifTrue: number, ifFalse: number, value: number]

const result = (value: number): Instruction => [RETURN, 0, 0, value]
/** Offset of the lower half of an argument in the description of a call; both architectures are little-endian. */
const argument = (index: number): Instruction => [LOAD, 0, 0, 16 + 8 * index]

/** What happens to a call. Its instructions end with a result, whatever the arguments are. */
type Verdict = readonly Instruction[]

const never = (error = EPERM): Verdict => [result(refuse(error))]

/** Refuses an argument with one of these values. */
const not = (index: number, values: readonly number[]): Verdict => [
  argument(index),
  ...values.flatMap((value): Instruction[] => [[EQUAL, 0, 1, value], result(refuse(EPERM))]),
  result(ALLOW),
]

/** Allows only these values of an argument. */
const only = (index: number, values: readonly number[]): Verdict => [
  argument(index),
  ...values.flatMap((value): Instruction[] => [[EQUAL, 0, 1, value], result(ALLOW)]),
  result(refuse(EPERM)),
]

/** Refuses an argument with one of these bits. */
const without = (index: number, bits: number): Verdict => [
  argument(index),
  [AND, 0, 0, bits],
  [EQUAL, 0, 1, 0],
  result(ALLOW),
  result(refuse(EPERM)),
]

/** Allows only an argument with these bits. */
const onlyWith = (index: number, bits: number): Verdict => [
  argument(index),
  [AND, 0, 0, bits],
  [EQUAL, 0, 1, bits],
  result(ALLOW),
  result(refuse(EPERM)),
]

const CLONE_THREAD = 0x1_0000
/** New namespaces: of mounts, control groups, host names, messages, users, processes, networks and clocks. */
const CLONE_NEW = 0x2_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000 | 0x80
const [AF_INET, AF_INET6] = [2, 10]
const [SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET] = [3, 4, 5, 6, 10]
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC and the bit of O_TMPFILE. */
const WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o20_000_000
const PR_SET_PDEATHSIG = 1
/** F_SETOWN, F_SETSIG and F_SETOWN_EX send signals to any process of the user. */
const SIGNALS_OF_FILES = [8, 10, 15]
/** FIOSETOWN and SIOCSPGRP do so too; TIOCSTI types into a terminal. */
const CONTROLS = [0x8901, 0x8902, 0x5412]

/** What a filter depends on. */
interface FilterOptions {
  readonly kind: HostKind
  /** Id of the process that the filter is for. */
  readonly pid: number
  /** Landlock refuses signals to processes outside. */
  readonly coversSignals: boolean
}

function verdicts({ kind, pid, coversSignals }: FilterOptions): ReadonlyMap<Numbers, Verdict> {
  const isWebAssembly = kind === 'webAssembly'
  const toItself = only(0, [pid])
  const mayNot = (calls: Readonly<Record<string, Numbers>>) =>
    Object.values(calls).map((numbers) => [numbers, never()] as const)
  const listed = [
    ...mayNot(NEVER),
    ...(isWebAssembly ? mayNot(WITHOUT_FILES_AND_NETWORK) : []),
    ...(isWebAssembly || !coversSignals ? mayNot(SIGNALS) : []),
  ]
  const checked: readonly (readonly [Numbers, Verdict])[] = [
    // The C library then calls `clone`, whose flags a filter can read.
    [CHECKED.clone3, never(ENOSYS)],
    [CHECKED.clone, isWebAssembly ? onlyWith(0, CLONE_THREAD) : without(0, CLONE_NEW)],
    [CHECKED.prlimit64, only(0, [0, pid])],
    [CHECKED.prctl, not(0, [PR_SET_PDEATHSIG])],
    [CHECKED.fcntl, not(1, SIGNALS_OF_FILES)],
    [CHECKED.ioctl, not(1, CONTROLS)],
    ...(isWebAssembly || !coversSignals
      ? ([
          [CHECKED.kill, toItself],
          [CHECKED.tgkill, toItself],
        ] as const)
      : []),
    ...(isWebAssembly
      ? ([
          [CHECKED.open, without(1, WRITING)],
          [CHECKED.openat, without(2, WRITING)],
          // Its flags are in memory, which a filter cannot read.
          [CHECKED.openat2, never(ENOSYS)],
        ] as const)
      : ([[CHECKED.socket, SOCKETS]] as const)),
  ]
  return new Map([...listed, ...checked])
}

/** Sockets of the internet for streams and datagrams, without raw packets. */
const SOCKETS: Verdict = [
  argument(1),
  [AND, 0, 0, 0xf],
  ...[SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET].flatMap((type): Instruction[] => [
    [EQUAL, 0, 1, type],
    result(refuse(EPERM)),
  ]),
  ...only(0, [AF_INET, AF_INET6]),
]

/** Bit of the numbers of the x32 interface of x86-64. */
const X32 = 0x4000_0000

/** The filter as the kernel takes it: an array of `struct sock_filter`. */
export function seccompFilter(architecture: Architecture, options: FilterOptions): Buffer {
  const { audit, column } = ARCHITECTURES[architecture]
  const number: Instruction = [LOAD, 0, 0, 0]
  const program: Instruction[] = [
    [LOAD, 0, 0, 4],
    [EQUAL, 1, 0, audit],
    result(refuse(EPERM)),
    number,
    [GREATER_OR_EQUAL, 0, 1, X32],
    result(refuse(EPERM)),
    [GREATER_OR_EQUAL, 0, 1, LAST + 1],
    result(refuse(ENOSYS)),
  ]
  for (const [numbers, verdict] of verdicts(options)) {
    const call = numbers[column]
    // A verdict ends with a result, so the number is still loaded when the next call is compared.
    if (call !== null) program.push([EQUAL, 0, verdict.length, call], ...verdict)
  }
  program.push(result(ALLOW))
  const buffer = Buffer.alloc(program.length * 8)
  for (const [index, [operation, ifTrue, ifFalse, value]] of program.entries()) {
    buffer.writeUInt16LE(operation, index * 8)
    buffer.writeUInt8(ifTrue, index * 8 + 2)
    buffer.writeUInt8(ifFalse, index * 8 + 3)
    buffer.writeUInt32LE(value, index * 8 + 4)
  }
  return buffer
}
