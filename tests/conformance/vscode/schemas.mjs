// Writes the schemas by which VS Code checks its files of hooks and MCP servers, from its own modules.
//
//     node schemas.mjs PACKAGE     a folder with @codingame/monaco-vscode-api, which is VS Code's source
//                                  code (Microsoft, MIT licence) as modules; `make schemas` does it
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SOURCE = join(process.argv[2], 'vscode', 'src', 'vs')
const HERE = dirname(new URL(import.meta.url).pathname)
const PROMPTS = 'workbench/contrib/chat/common/promptSyntax'
// For people, not for files.
const PROSE = new Set(['description', 'markdownDescription', 'title', 'examples', 'default', 'defaultSnippets',
  'errorMessage', 'patternErrorMessage', 'allowComments', 'allowTrailingCommas', 'id'])
// Stands for what a module imports and a schema does not need.
const nothing = new Proxy(class {}, { get: (it, name) => name === 'prototype' ? it.prototype : nothing, apply: () => nothing })

/** Returns one value of a module, whose imports are `known` or nothing. */
function valueIn(module, name, known = {}) {
  const text = readFileSync(join(SOURCE, module + '.js'), 'utf8')
  const imported = [...text.matchAll(/^import \{([^}]*)\} from/gm)].flatMap(one => one[1].split(','))
  const names = imported.map(one => one.trim().split(' ').pop()).filter(Boolean)
  const body = text.replace(/^import .*$/gm, '').replace(/^export .*$/gm, '')
  const given = names.map(one => known[one] ?? (one === 'localize' ? () => '' : nothing))
  return new Function(...names, `${body}\nreturn ${name}`)(...given)
}

const Target = valueIn(PROMPTS + '/promptTypes', 'Target')
const types = valueIn(PROMPTS + '/hookTypes', '({ HookType, HOOKS_BY_TARGET, HOOK_METADATA })', { Target })
const inputsSchema = valueIn('workbench/services/configurationResolver/common/configurationResolverSchema', 'inputsSchema')
const found = {
  hooks: valueIn(PROMPTS + '/hookSchema', 'hookFileSchema', { Target, ...types }),
  mcp: valueIn('workbench/contrib/mcp/common/mcpConfiguration', 'mcpServerSchema', { inputsSchema }),
}
const version = JSON.parse(readFileSync(join(process.argv[2], 'package.json'), 'utf8')).version
for (const [name, schema] of Object.entries(found)) {
  const comment = `From VS Code (Microsoft, MIT licence), by @codingame/monaco-vscode-api ${version}: \`make schemas\`.`
  const text = JSON.stringify({ $comment: comment, ...schema }, (key, value) =>
    PROSE.has(key) && (typeof value !== 'object' || Array.isArray(value)) ? undefined : value, 1)
  writeFileSync(join(HERE, name + '.schema.json'), text + '\n')
}
