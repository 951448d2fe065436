// What `require('memgov')` gives: the module that `import` gives, loaded by Node itself. A test runner or a bundler that
// puts its own loader in the place of require has none for such a module.
const { createRequire } = process.getBuiltinModule('node:module')
const { dirname, join } = process.getBuiltinModule('node:path')

const require_ = createRequire(__filename)
let manifest
try {
  manifest = require_.resolve('memgov/package.json')
} catch (cause) {
  const message = `memgov cannot be found from ${__filename}: install the package beside the bundle, or mark it as external in the bundler.`
  throw Object.assign(new Error(message, { cause }), { name: 'MemgovError', code: 'package_incomplete' })
}
module.exports = require_(join(dirname(manifest), 'dist/service/index.js'))
