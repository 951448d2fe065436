/** The port with some of its methods replaced. The others are bound: a class keeps its fields private to itself. */
export function over<Port extends object>(port: Port, methods: Partial<Port>): Port {
  const whole = Object.create(null)
  for (let level = port; level !== Object.prototype && level !== null; level = Object.getPrototypeOf(level)) {
    for (const name of Object.getOwnPropertyNames(level)) {
      const value: unknown = Reflect.get(port, name)
      if (!(name in whole)) whole[name] = typeof value === 'function' ? value.bind(port) : value
    }
  }
  return Object.assign(whole, methods)
}
