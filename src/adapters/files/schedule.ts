import { setTimeout as startTimer } from 'node:timers'

/** Runs `task` after `ms` unless cancelled by the function returned. */
export type Schedule = (task: () => void, ms: number) => () => void

/** A timer that does not keep the process alive. */
export const systemSchedule: Schedule = (task, ms) => {
  const timer = startTimer(task, ms).unref()
  return () => clearTimeout(timer)
}
