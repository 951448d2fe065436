import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { handlesView } from '../../src/core/guide/decision.ts'
import type { GuideEntry, GuideView } from '../../src/core/guide/entry.ts'
import { handlesOf, withoutHandles } from '../../src/core/guide/handles.ts'
import { renderPrompt } from '../../src/core/guide/render.ts'
import { memoryOf, runOf } from '../support/commands.ts'
import { anyView, hostileEntries, idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'
import { parsePrompt } from '../support/prompt-parser.ts'
import { proving } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proving(150)
const ALL = { budgetChars: 1_000_000 }

/** Some of the entries are said to be disputed by another one, listed or not. */
const disputed = fc
  .tuple(hostileEntries, fc.array(fc.option(fc.nat({ max: 40 })), { maxLength: 30 }))
  .map(([entries, others]) =>
    entries.map((entry, at): GuideEntry => {
      const other = others[at] ?? null
      if (other === null || other === at) return entry
      return { ...entry, disputedBy: { memoryId: idOf(other), origin: 'agent', observedAtMs: 0 } }
    }),
  )

function check(property: (entries: readonly GuideEntry[], view: GuideView) => void): void {
  prove(disputed, anyView, property)
}

/** All brackets alike: which of them a text may keep is another law. */
const flat = (line: string): string => line.replaceAll('[', '(').replaceAll(']', ')')

describe('handles in a prompt', () => {
  test('P7: the lines are those with ids, each behind its handle, numbered in the order of the prompt', () => {
    check((entries, view) => {
      const byId = renderPrompt(entries, { ...view, ...ALL })
      const byHandle = renderPrompt(entries, { ...view, ...ALL, firstHandle: 1 })
      expect(byHandle.printed).toEqual(byId.printed)
      const told = handlesView(byHandle) ?? {}
      const sections = [...parsePrompt(byHandle.promptText).sections.values()]
      const names = sections.flatMap((lines) => lines.map(({ id }) => id))
      expect(names).toEqual(byHandle.printed.map((_, at) => `m${at + 1}`))
      expect(Object.keys(told)).toEqual(names)
      const handleOf = new Map(Object.entries(told).map(([name, { memory_id }]) => [memory_id, name]))
      const named = (id: string): string => handleOf.get(id) ?? id
      const lines = [...parsePrompt(byId.promptText).sections.values()].flat()
      for (const [at, { line }] of sections.flat().entries()) {
        const { id, line: withId } = lines[at] ?? { id: '', line: '' }
        expect(told[`m${at + 1}`]?.memory_id).toBe(id)
        const expected = withId
          .replace(/^\[([^\]]+)\]/u, (_, own: string) => `[${named(own)}]`)
          .replace(/ \| disputed by \[([^\]]+)\]/u, (_, other: string) => ` | disputed by [${named(other)}]`)
          .replace(/(?<= \| worked instead: .*)\(([^()]+)\)$/u, (_, other: string) => `(${named(other)})`)
        expect(flat(line)).toBe(flat(expected))
      }
    })
  })

  test('P7: the budget counts handles, so that it holds what it held with ids, or more', () => {
    check((entries, view) => {
      const byId = renderPrompt(entries, view)
      const byHandle = renderPrompt(entries, { ...view, firstHandle: 1 })
      expect(byHandle.promptText.length).toBeLessThanOrEqual(view.budgetChars)
      const ids = byHandle.printed.map(({ record }) => record.memoryId)
      expect(ids).toEqual(expect.arrayContaining(byId.printed.map(({ record }) => record.memoryId)))
      expect(byId.handles).toBeNull()
    })
  })

  test('P7: forty short lines fit where twenty did', () => {
    const entries = Array.from({ length: 60 }, (_, n) =>
      sampleEntry(sampleRecord(idOf(n), { text: `fact ${n} of many` }), { rank: n }),
    )
    const view = { ...VIEW, budgetChars: 2500 }
    const [ids, handles] = [renderPrompt(entries, view), renderPrompt(entries, { ...view, firstHandle: 1 })]
    expect(handles.printed.length).toBeGreaterThan(1.5 * ids.printed.length)
    // Nothing of the room is left unused for ids that are not printed.
    expect(handles.promptText.length).toBeGreaterThan(2500 - 500 - 60 + 200)
  })

  test('P8: behind its own handle and what disputes it, no line has a handle in brackets', () => {
    check((entries, view) => {
      const { lines } = renderPrompt(entries, { ...view, firstHandle: 1 })
      for (const line of Object.values(lines).flat()) {
        const said = line.replace(/^\[m\d+\]/u, '').replace(/ \| disputed by \[m\d+\]/u, '')
        expect(said).not.toMatch(/\[\s*m\d+/iu)
      }
    })
  })

  test('a warning names what worked instead by its handle, and by its id where that has no line', () => {
    const failed = sampleEntry(
      sampleRecord(idOf(1), { outcome: 'failed' }, { domain: 'execution', taskSignature: 't' }),
      { surface: 'do_not_use', rank: 0 },
    )
    const worked = sampleEntry(
      sampleRecord(
        idOf(2),
        { outcome: 'succeeded', text: 'x'.repeat(300) },
        { domain: 'execution', taskSignature: 't' },
      ),
      { rank: 1 },
    )
    const warned = (budgetChars: number) =>
      renderPrompt([failed, worked], { ...VIEW, firstHandle: 1, budgetChars }).lines.do_not_use
    expect(warned(8000)).toEqual([expect.stringMatching(/^\[m2\] .* worked instead: .*\(m1\)$/u)])
    expect(warned(520)).toEqual([])
    const early = { ...failed, relevantWarning: true }
    const { lines } = renderPrompt([early, worked], { ...VIEW, firstHandle: 1, budgetChars: 520 })
    expect(lines.use_now).toEqual([])
    expect(lines.do_not_use[0]).toMatch(new RegExp(`\\(${idOf(2)}\\)$`, 'u'))
  })
})

describe('handles in a request', () => {
  const anyScope = fc.array(fc.constantFrom('fact', 'rule', 'failed', 'candidate'), {
    minLength: 1,
    maxLength: 11,
  })

  test('E5: a handle is the memory of its line to whoever names the guide, and nothing without it', () => {
    prove(anyScope, fc.boolean(), (kinds, handles) => {
      const world = new World()
      for (const [n, kind] of kinds.entries()) {
        if (kind === 'failed') world.write(runOf({ outcome: 'failed', title: `run ${n} of the suite` }))
        else if (kind === 'rule')
          world.write(memoryOf({ text: `rule ${n} of the suite` }, { memoryType: 'rule' }))
        else
          world.write(
            memoryOf({ text: `fact ${n} of the suite` }, kind === 'fact' ? {} : { origin: 'document' }),
          )
      }
      const answer = world.guide({ queryText: 'the suite', handles })
      const exposure = world.exposure(answer.guide_trace_id)
      if (exposure === null) throw new Error('the guide was recorded')
      const named = Object.entries(answer.memory_use_receipt.handles ?? {})
      expect(named.length).toBe(handles ? exposure.memoryIds.length : 0)
      expect(Object.fromEntries(handlesOf(exposure))).toEqual(
        Object.fromEntries(
          named.map(([name, { memory_id: memoryId, surface }]) => [name, { memoryId, surface }]),
        ),
      )
      const lines = [...parsePrompt(answer.agent_context.prompt_text).sections.values()].flat()
      if (handles) expect(lines.map(({ id }) => id)).toEqual(named.map(([name]) => name))
      const request = { memoryIds: [...named.map(([name]) => name), 'm99', 'x'], anchors: ['m1'] }
      expect(withoutHandles(world.state, request, null)).toBe(request)
      const meant = withoutHandles(world.state, request, exposure)
      expect(meant.memoryIds).toEqual([...named.map(([, { memory_id }]) => memory_id), 'm99', 'x'])
      expect(meant.anchors).toEqual([named[0]?.[1].memory_id ?? 'm1'])
    })
  })
})
