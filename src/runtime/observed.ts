import type { Telemetry } from '../ports/telemetry.ts'
import type { Runtime } from './runtime.ts'

/** The same runtime, each request of which is told to whoever listens. */
export function observed(runtime: Runtime, telemetry: Telemetry): Runtime {
  return {
    execute: (operation, body, context) =>
      telemetry.request({ ...context, operation }, () => runtime.execute(operation, body, context)),
    follow: (body, context) =>
      telemetry.request({ ...context, operation: 'followEvents' }, () => runtime.follow(body, context)),
    health: () => runtime.health(),
    readiness: () => runtime.readiness(),
    close: () => runtime.close(),
  }
}
