// What `require('memgov')` gives: the module that `import` gives. A test runner or a bundler may have its own loader in the
// place of require, which cannot load it: therefore it is loaded by the require of Node itself.
const { getBuiltinModule } = require('node:vm').runInThisContext('process')
const { createRequire } = getBuiltinModule('node:module')
const path = require('node:path')

const load = createRequire(__filename)

function packageFolder() {
  try {
    return path.dirname(load.resolve('memgov/package.json'))
  } catch (cause) {
    const message = `memgov cannot be found from ${__filename}: Mark the package memgov as external in the bundler, and install it beside the bundle.`
    throw Object.assign(new Error(message, { cause }), { name: 'MemgovError', code: 'package_incomplete' })
  }
}

module.exports = load(path.join(packageFolder(), 'dist/service/index.js'))
