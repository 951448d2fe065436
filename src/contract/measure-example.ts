import { DEFAULT_THRESHOLDS } from '../core/measure/kernel-report.ts'
import { measure } from '../core/measure/measure.ts'
import { readMeasureInput } from '../core/measure/request.ts'

// A manual pair; the answer is what measuring it gives.

const place = { tenant_id: 'acme', scope: 'web-shop' }

const request = {
  ...place,
  task: { task_signature: 'fix:login', run_id: 'run-43' },
  baseline: {
    label: 'without memory',
    continuity: { repeatedDiscoverySteps: 4, recoveredStateFacts: 2, expectedStateFacts: 8 },
    forgetting: { contextItems: 20, usefulContextItems: 8 },
  },
  guided: {
    label: 'with memory',
    continuity: { repeatedDiscoverySteps: 1, recoveredStateFacts: 7, expectedStateFacts: 8 },
    forgetting: { contextItems: 10, usefulContextItems: 9 },
  },
}

const { input, evidenceIds } = readMeasureInput(request, (text) => text)

export const MEASURE_EXAMPLE = {
  request,
  response: {
    contract_version: 'svc_measure_result_v1',
    ...place,
    ...measure({
      task: {
        taskId: null,
        runId: request.task.run_id,
        taskSignature: request.task.task_signature,
        taskFamily: null,
        workflowSignature: null,
      },
      thresholds: DEFAULT_THRESHOLDS,
      comparison: { mode: null, baselineRunId: null, guidedRunId: null, sufficientEvidence: null },
      input,
      evidenceIds,
      records: {
        guides: [],
        feedback: [],
        runs: [],
        memories: [],
        relationTargetIds: [],
        outcomes: [],
      },
      seed: 1,
    }),
    source_map: {
      routes_used: ['/v1/measure'],
      internal_surfaces_used: ['exposure_ledger', 'guide_decisions', 'feedback_marks', 'run_records'],
      omitted_internal_surfaces: [],
    },
  },
}
