// The direction of knowledge, one rule a layer:
// core <- ports <- actor <- embedding <- runtime <- edges <- app; adapters implement ports; contract stands beside core.
//
// The core has an order too. Each folder imports only itself and the folders before it:
const CORE = [
  'base',
  'text',
  'screening',
  'search',
  'similarity',
  'model',
  'policy',
  'rerank',
  'guide',
  'write',
  'external',
  'measure',
  'skills',
  'report',
  'laws',
]
// And so has the app; its own files come last.
const APP = ['config', 'store', 'archive', 'backup', 'migrate', 'cli']
/** What those that work on a database too import besides. */
const APP_BESIDES = { migrate: 'stores/', cli: 'stores/|embedder\\.ts|compose\\.ts' }

const layer = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: '^(src|workers|bench|test)/', pathNot: allowed },
})
const npmOnly = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'core'], pathNot: allowed },
})
const NOTHING = ['^$']

/** One rule a folder of `root`: it may import itself, and of its siblings only those before it in `order`. */
const ordered = (root, order, besides = {}) =>
  order.map((folder, at) => ({
    name: `${root.split('/').at(-1)}-order-${folder}`,
    severity: 'error',
    comment: `${root}: ${order.join(' < ')}; each imports only those before it`,
    from: { path: `^${root}/${folder}/` },
    to: {
      path: `^${root}/`,
      pathNot: [`^${root}/(${order.slice(0, at + 1).join('|')})/`, `^${root}/(${besides[folder] ?? '$^'})`],
    },
  }))

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    layer('core-knows-core', '^src/core/', ['^src/core/'], 'the core imports the core only'),
    npmOnly('core-is-pure', '^src/core/', NOTHING, 'the core uses neither node: nor a package'),
    ...ordered('src/core', CORE),
    {
      name: 'core-order-is-complete',
      severity: 'error',
      comment: 'every file of the core is in a folder that has a place in the order',
      from: { path: '^src/core/', pathNot: `^src/core/(${CORE.join('|')})/` },
      to: {},
    },
    {
      name: 'core-folder-has-a-place',
      severity: 'error',
      comment: 'every file of the core is in a folder that has a place in the order',
      from: {},
      to: { path: '^src/core/', pathNot: `^src/core/(${CORE.join('|')})/` },
    },
    ...ordered('src/app', APP, APP_BESIDES),
    {
      name: 'docs-come-last',
      severity: 'error',
      comment: 'what generates the documents runs the service; the service does not know it',
      from: { path: '^(src|workers|bench)/', pathNot: '^src/docs/' },
      to: { path: '^src/docs/' },
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      comment: 'the client is one file for any host: of everything else it knows types only',
      from: { path: '^src/client/' },
      to: { pathNot: '^src/client/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'mappers-stand-alone',
      severity: 'error',
      comment: 'the mappers are one file for any host, and know nothing of memgov',
      from: { path: '^src/mappers/' },
      to: {},
    },
    {
      name: 'frameworks-stand-alone',
      severity: 'error',
      comment:
        'what fits memgov to a framework knows mappers and types; of packages, what is a store of LangGraph',
      from: { path: '^src/frameworks/' },
      to: {
        pathNot: [
          '^src/(frameworks/|mappers/|client/time-limit)',
          'node_modules/@langchain/langgraph-checkpoint/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'frameworks-unnamed',
      severity: 'error',
      comment: 'nobody who does without a framework loads one',
      from: { path: '^(src|workers|bench)/', pathNot: '^src/frameworks/' },
      to: { path: '^src/frameworks/' },
    },
    layer(
      'contract-beside-core',
      '^src/contract/',
      ['^src/(contract|core)/'],
      'contract takes closed lists from the core',
    ),
    npmOnly('contract-uses-zod', '^src/contract/', ['node_modules/zod/'], 'contract uses zod only'),
    layer(
      'ports-know-core',
      '^src/ports/',
      ['^src/(ports|core)/'],
      'ports are interfaces over types of the core',
    ),
    npmOnly('ports-are-pure', '^src/ports/', NOTHING, 'ports hold no code'),
    layer(
      'actor-knows-ports',
      '^src/actor/',
      ['^src/(actor|ports|core)/'],
      'actors reach the world through ports',
    ),
    npmOnly('actor-is-pure', '^src/actor/', NOTHING, 'actors reach the world through ports'),
    layer(
      'embedding-knows-actor',
      '^src/embedding/',
      ['^src/(embedding|actor|ports|core)/'],
      'embedding follows actors; they know it by a port only',
    ),
    npmOnly('embedding-is-pure', '^src/embedding/', NOTHING, 'embedding reaches the world through ports'),
    {
      name: 'optional-parts-unnamed',
      severity: 'error',
      comment:
        'what a service can do without is named by neither core, ports nor actor: embedding and the tools over a folder',
      from: { path: '^src/(core|ports|actor)/' },
      to: { path: '^src/(embedding|app)/' },
    },
    {
      name: 'tools-unnamed',
      severity: 'error',
      comment:
        'the tools over a folder are loaded by the commands that run them; a start may compare a folder with its manifest and finish a prune',
      from: { path: '^src/', pathNot: '^src/(app/(store|archive|backup|migrate|cli)/|app/command\\.ts$)' },
      to: {
        path: '^src/app/(store|archive|backup|migrate|cli)/',
        pathNot: '^src/app/store/(completeness|remove-actors)\\.ts$',
      },
    },
    layer(
      'runtime-knows-actor',
      '^src/runtime/',
      ['^src/(runtime|embedding|actor|ports|core|contract)/'],
      'runtime composes actors',
    ),
    npmOnly('runtime-is-pure', '^src/runtime/', NOTHING, 'the runtime reaches the world through ports'),
    layer(
      'edges-know-runtime',
      '^src/edges/',
      [
        '^src/(edges|runtime|contract|mappers)/',
        '^src/client/routes\\.ts$',
        '^src/core/base/(collections|errors|json-pieces)\\.ts$',
        '^src/ports/',
      ],
      'an edge holds no rule',
    ),
    {
      name: 'page-knows-types',
      severity: 'error',
      comment: 'the page of the console runs in a browser: of everything else it knows types only',
      from: { path: '^src/edges/console/' },
      to: {
        path: '^(src|workers|bench|test)/',
        pathNot: '^src/edges/console/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'page-unnamed',
      severity: 'error',
      comment: 'a service serves the page as files: it loads none of its code',
      from: { path: '^(src|workers|bench)/', pathNot: '^src/edges/console/' },
      to: { path: '^src/edges/console/' },
    },
    layer(
      'adapters-implement-ports',
      '^src/adapters/',
      ['^src/(adapters|ports|core)/'],
      'adapters know ports and the core',
    ),
    {
      name: 'adapters-apart',
      severity: 'error',
      comment:
        'an adapter knows no other adapter; what two share lies in adapters/files, adapters/binary or adapters/record-file',
      from: { path: '^src/adapters/([^/]+)/' },
      to: {
        path: '^src/adapters/([^/]+)/',
        pathNot: ['^src/adapters/$1/', '^src/adapters/(files|binary|record-file)/'],
      },
    },
    {
      name: 'adapters-known-to-app',
      severity: 'error',
      comment: 'only app wires adapters; workers may read journals, snapshots and history',
      from: { path: '^src/', pathNot: '^src/(adapters|app|docs)/' },
      to: { path: '^src/adapters/' },
    },
    layer(
      'workers-know-pure-code',
      '^workers/',
      [
        '^workers/',
        '^src/(core|ports)/',
        '^src/adapters/(journal|snapshot|history|codec|files|binary|record-file)/',
      ],
      'a worker decodes, calls one pure function, encodes',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|bench/peers)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
