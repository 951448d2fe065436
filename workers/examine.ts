import type { Examination, ExaminationJob } from '../src/core/external/govern.ts'
import { examineCandidates } from '../src/core/external/govern-examination.ts'

/** Examines the candidates of a large request in a thread. Job and examination are plain data. */
export default function examineTask(job: ExaminationJob): Examination {
  return examineCandidates(job)
}
