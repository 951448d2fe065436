// The direction of knowledge, one rule a layer:
// domain <- ports <- actor <- runtime <- edges <- app; adapters implement ports; contract stands beside domain.
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

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    layer('domain-knows-domain', '^src/domain/', ['^src/domain/'], 'domain imports domain only'),
    npmOnly('domain-is-pure', '^src/domain/', NOTHING, 'domain uses neither node: nor a package'),
    layer(
      'contract-beside-domain',
      '^src/contract/',
      ['^src/(contract|domain)/'],
      'contract takes closed lists from domain',
    ),
    npmOnly('contract-uses-zod', '^src/contract/', ['node_modules/zod/'], 'contract uses zod only'),
    layer(
      'ports-know-domain',
      '^src/ports/',
      ['^src/(ports|domain)/'],
      'ports are interfaces over domain types',
    ),
    npmOnly('ports-are-pure', '^src/ports/', NOTHING, 'ports hold no code'),
    layer(
      'actor-knows-ports',
      '^src/actor/',
      ['^src/(actor|ports|domain)/'],
      'actors reach the world through ports',
    ),
    npmOnly('actor-is-pure', '^src/actor/', NOTHING, 'actors reach the world through ports'),
    layer(
      'runtime-knows-actor',
      '^src/runtime/',
      ['^src/(runtime|actor|ports|domain|contract)/'],
      'runtime composes actors',
    ),
    npmOnly('runtime-is-pure', '^src/runtime/', NOTHING, 'the runtime reaches the world through ports'),
    layer(
      'edges-know-runtime',
      '^src/edges/',
      ['^src/(edges|runtime|contract)/', '^src/domain/errors\\.ts$', '^src/ports/'],
      'an edge holds no rule',
    ),
    layer(
      'adapters-implement-ports',
      '^src/adapters/',
      ['^src/(adapters|ports|domain)/'],
      'adapters know ports and domain',
    ),
    {
      name: 'adapters-apart',
      severity: 'error',
      comment: 'an adapter knows no other adapter; what two share lies in adapters/files or adapters/binary',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/([^/]+)/', pathNot: ['^src/adapters/$1/', '^src/adapters/(files|binary)/'] },
    },
    {
      name: 'adapters-known-to-app',
      severity: 'error',
      comment: 'only app wires adapters; workers may read journals, snapshots and history',
      from: { path: '^src/', pathNot: '^src/(adapters|app)/' },
      to: { path: '^src/adapters/' },
    },
    layer(
      'workers-know-pure-code',
      '^workers/',
      ['^workers/', '^src/(domain|ports)/', '^src/adapters/(journal|snapshot|history|codec|files|binary)/'],
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
