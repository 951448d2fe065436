// Every way a facet can move, written from the specification and not from the code: `row facet cause from > to`.

const ROWS = `
T1  trust        declared                  trusted > candidate
T2  trust        operator_activation       candidate > trusted
T3  standing     weak_negative             active > demoted
T4  standing     repeated_weak_negative    demoted > contested
T5  standing     strong_negative           active demoted > contested
T6  standing     repeated_strong_negative  active demoted contested > failed
T7  standing     direct_positive           demoted > active
T8  standing     verified_positives        contested > active
T9  standing     succeeded_revision        failed > active
T10 standing     operator_activation       demoted contested failed > active
T11 standing     contradicted              active demoted > contested
T12 standing     declared                  active > demoted
T13 standing     declared                  active demoted > contested
T14 standing     declared                  active demoted contested > failed
T15 validity     superseded_by_relation    live > superseded
T16 validity     claim_replaced            live > superseded
T17 validity     handoff_replaced          live > superseded
T18 validity     claim_revised             superseded > live
T19 validity     declared                  live > superseded
T20 validity     declared                  live > expired
T21 availability declared                  resident > archived
T22 availability rehydrated                archived > resident
T23 suppression  operator_suppress         none suppressed > suppressed
T24 suppression  declared                  none suppressed > suppressed
T25 suppression  operator_unsuppress       suppressed > none
T26 validity     handoff_revised           superseded > live
T27 trust        confirmed_independently   candidate > trusted
T28 trust        verified_use              candidate > trusted
T29 standing     corrected                 active demoted > contested
T31 standing     evidence_withdrawn        contested > demoted
T32 standing     evidence_withdrawn        demoted contested > active
T33 standing     task_successes            demoted > active
T34 standing     repeated_weak_negative    active > contested
T35 standing     judged_anew               contested > active
T36 standing     judged_anew               contested > demoted
T30 validity     handoff_finished          live > superseded
T40 suppression  same_text                 none suppressed > suppressed
T41 suppression  same_text                 suppressed > none
T42 standing     same_text                 active demoted contested > failed
T43 trust        suppressed_before         trusted > candidate
T44 validity     settled                   live > superseded
T45 validity     settled                   superseded > live
T46 suppression  settled                   none suppressed > suppressed
T47 suppression  settled                   suppressed > none
`

export interface ReferenceRow {
  readonly id: string
  readonly facet: string
  readonly cause: string
  readonly from: readonly string[]
  readonly to: string
}

export const REFERENCE_ROWS: readonly ReferenceRow[] = ROWS.trim()
  .split('\n')
  .map((line) => {
    const [left = '', to = ''] = line.split(' > ')
    const [id = '', facet = '', cause = '', ...from] = left.split(/\s+/)
    return { id, facet, cause, from, to }
  })

export function isAllowed(facet: string, cause: string, from: string, to: string): boolean {
  return REFERENCE_ROWS.some(
    (row) => row.facet === facet && row.cause === cause && row.to === to && row.from.includes(from),
  )
}
