import type { Finding } from '../src/core/screening/finding.ts'
import { screen } from '../src/core/screening/screen.ts'
import type { ScreenJob } from '../src/ports/compute.ts'

/** Screens large texts in a thread: one answer for each job, in order. */
export default function screenTask(jobs: readonly ScreenJob[]): (readonly Finding[])[] {
  return jobs.map((job) => screen(job.text, job.context))
}
