import { join, relative } from 'node:path'
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isIdentifier,
  isImportDeclaration,
  isLiteralTypeNode,
  isNoSubstitutionTemplateLiteral,
  isPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { API, type Checker, type Project, type Type } from 'typescript/unstable/sync'

const root = join(import.meta.dirname, '..')

/** The English texts of `src/web` and of the packs that ship. */
export interface PageTexts {
  /** What `translate` and `translateMarkup` are called with, and the literals of the type `Text`. */
  readonly pages: ReadonlySet<string>
  /** What scripts in the browser call `translated` with. */
  readonly scripts: ReadonlySet<string>
  /** Calls whose text is any string, as `file:line`: the program cannot know which texts they display. */
  readonly unknown: readonly string[]
}

let texts: PageTexts | undefined

/** These texts, from the types that the compiler infers: collected once, since it takes ten seconds. */
export function pageTexts(): PageTexts {
  texts ??= collectTexts()
  return texts
}

function collectTexts(): PageTexts {
  const compiler = new API({ cwd: root })
  const configurations = ['tsconfig.json', 'src/web/tsconfig.client.json'].map((file) => join(root, file))
  try {
    const snapshot = compiler.updateSnapshot({ openProjects: configurations })
    const [server, browser] = configurations.map((file) => snapshot.getProject(file))
    if (!server || !browser) throw new Error(`The compiler does not find ${configurations.join(' and ')}.`)
    const pages = textsIn(server, /^translate(?:Markup)?$/)
    const scripts = textsIn(browser, /^translated$/)
    return { pages: pages.texts, scripts: scripts.texts, unknown: [...pages.unknown, ...scripts.unknown] }
  } finally {
    compiler.close()
  }
}

function textsIn({ program, checker }: Project, translates: RegExp) {
  const texts = new Set<string>()
  const unknown: string[] = []
  for (const name of program.getSourceFileNames()) {
    const path = relative(root, name)
    const file = /^(src\/web|packs)\//.test(path) && !path.endsWith('.test.ts') && program.getSourceFile(name)
    if (!file) continue
    const { calls, literals } = expressionsIn(file, translates)
    for (const call of calls) {
      const [argument] = call.arguments
      const type = argument && checker.getTypeAtLocation(argument)
      const values = type && literalsOf(type)
      if (values) for (const value of values) texts.add(value)
      else if (!type || !isText(checker, type))
        unknown.push(`${path}:${file.text.slice(0, call.end).split('\n').length}`)
    }
    for (const { node, value } of literals) {
      const type = checker.getContextualType(node)
      if (type && isText(checker, type)) texts.add(value)
    }
  }
  return { texts, unknown }
}

function expressionsIn(file: Node, translates: RegExp) {
  const calls: CallExpression[] = []
  const literals: { readonly node: Expression; readonly value: string }[] = []
  const visit = (node: Node): undefined => {
    if (isImportDeclaration(node) || isLiteralTypeNode(node)) return
    if (isPropertyAssignment(node)) {
      // The name of a property is no text.
      visit(node.initializer)
      return
    }
    if (isCallExpression(node) && isIdentifier(node.expression) && translates.test(node.expression.text))
      calls.push(node)
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) literals.push({ node, value: node.text })
    node.forEachChild(visit)
  }
  visit(file)
  return { calls, literals }
}

/** The strings of which the type is one; undefined if it has others. */
function literalsOf(type: Type): readonly string[] | undefined {
  if (type.isStringLiteralType()) return [type.value]
  if (!type.isUnionType()) return
  const values = type.getTypes().map(literalsOf)
  return values.every((value) => value !== undefined) ? values.flat() : undefined
}

/** Whether the type is `Text`, or one of its members is. */
const isText = (checker: Checker, type: Type): boolean =>
  type.isUnionType()
    ? type.getTypes().some((member) => isText(checker, member))
    : checker.getPropertyOfType(type, 'isText') !== undefined
