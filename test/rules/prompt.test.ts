import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AGENT_ROLES, ORIGINS, PROFILES, type Surface } from '../../src/core/base/closed-sets.ts'
import { agentContext } from '../../src/core/guide/agent-context.ts'
import type { GuideEntry, GuideView } from '../../src/core/guide/entry.ts'
import { headerCharsMax, renderPrompt } from '../../src/core/guide/render.ts'
import {
  anyView,
  entriesOn,
  hostileEntries,
  hostileText,
  idOf,
  sampleEntry,
  sampleRecord,
  VIEW,
} from '../support/guide-samples.ts'
import { idsUnder, parsePrompt } from '../support/prompt-parser.ts'
import { proving } from '../support/prove.ts'

const prove = proving(150)
const SECTION_OF: Readonly<Record<Surface, string>> = {
  use_now: 'USE NOW',
  do_not_use: 'DO NOT USE',
  inspect_before_use: 'INSPECT BEFORE USE',
  rehydrate: 'REHYDRATE',
}
const SURFACE_NAMES: readonly Surface[] = ['use_now', 'do_not_use', 'inspect_before_use', 'rehydrate']
const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u

function check(property: (entries: readonly GuideEntry[], view: GuideView) => void): void {
  prove(hostileEntries, anyView, property)
}

const idsOn = (entries: readonly GuideEntry[], surface: Surface): readonly string[] =>
  entries.filter((entry) => entry.surface === surface).map((entry) => entry.record.memoryId)

describe('what a memory says can forge nothing', () => {
  test('G6: whatever the texts contain, the sections of the text hold exactly the exposed ids in rank order', () => {
    check((entries, view) => {
      const rendered = renderPrompt(entries, view)
      const parsed = parsePrompt(rendered.promptText)
      const expected = SURFACE_NAMES.filter((surface) => idsOn(rendered.printed, surface).length > 0)
      expect([...parsed.sections.keys()]).toEqual(expected.map((surface) => SECTION_OF[surface]))
      for (const surface of SURFACE_NAMES) {
        expect(idsUnder(parsed, SECTION_OF[surface])).toEqual(idsOn(rendered.printed, surface))
        const lines = parsed.sections.get(SECTION_OF[surface])?.map((entry) => entry.line) ?? []
        expect(rendered.lines[surface]).toEqual(lines)
      }
    })
  })

  test('G6: the only bracketed ids anywhere in the text are those that open a line', () => {
    check((entries, view) => {
      const rendered = renderPrompt(entries, view)
      const ids = rendered.printed.map((entry) => entry.record.memoryId)
      expect([...parsePrompt(rendered.promptText).bracketedIds].sort()).toEqual([...ids].sort())
    })
  })

  test('G6: no control, zero-width, bidi, tag or variation character and no broken pair reaches the text', () => {
    check((entries, view) => {
      expect(renderPrompt(entries, view).promptText.replaceAll('\n', '')).not.toMatch(HIDDEN)
    })
  })
})

describe('the budget', () => {
  test('G3: the text is never empty, never longer than the budget, and no line is longer than 400', () => {
    check((entries, view) => {
      const { promptText } = renderPrompt(entries, view)
      expect(promptText.trim()).not.toBe('')
      expect(promptText.length).toBeLessThanOrEqual(view.budgetChars)
      for (const line of promptText.split('\n')) expect(line.length).toBeLessThanOrEqual(400)
    })
  })

  test('G3: a smaller budget prints a prefix of the priority list, with the same lines', () => {
    prove(hostileEntries, anyView, fc.integer({ min: 200, max: 20_000 }), (entries, view, other) => {
      const [small, large] = [view.budgetChars, other].sort((a, b) => a - b)
      const fewer = renderPrompt(entries, { ...view, budgetChars: small ?? 200 })
      const more = renderPrompt(entries, { ...view, budgetChars: large ?? 200 })
      const all = renderPrompt(entries, { ...view, budgetChars: 1_000_000 })
      expect(all.omitted).toEqual([])
      const order = priorityOf(all.printed)
      for (const rendered of [fewer, more]) {
        const printed = new Set(rendered.printed.map((entry) => entry.record.memoryId))
        expect(new Set(order.slice(0, printed.size))).toEqual(printed)
      }
      expect(fewer.printed.length).toBeLessThanOrEqual(more.printed.length)
      const everyLine = new Set(Object.values(all.lines).flat())
      for (const line of Object.values(more.lines).flat()) expect(everyLine).toContain(line)
    })
  })

  test('E1: what does not fit is named as omitted, and printed and omitted are everything', () => {
    check((entries, view) => {
      const { printed, omitted } = renderPrompt(entries, view)
      const named = [
        ...printed.map((entry) => entry.record.memoryId),
        ...omitted.map(({ entry }) => entry.record.memoryId),
      ]
      expect(named.sort()).toEqual(entries.map((entry) => entry.record.memoryId).sort())
      for (const { reason, intoId } of omitted) expect([reason, intoId]).toEqual(['budget', null])
    })
  })

  test('G4: title, posture and role take at most the reserve, whatever the profile and the role', () => {
    for (const profile of PROFILES) {
      for (const role of AGENT_ROLES) {
        for (const budgetChars of [200, 400, 777, 1000, 2500, 8000, 1_000_000]) {
          const { promptText } = renderPrompt([], { ...VIEW, profile, role, budgetChars })
          const header = promptText.slice(0, promptText.indexOf('\n\n'))
          expect(header.length).toBeLessThanOrEqual(headerCharsMax(budgetChars))
          expect(promptText.length).toBeLessThanOrEqual(budgetChars)
        }
      }
    }
  })

  test('P1: lines of weak matches come last, have at most 120 characters and take at most a quarter of the budget', () => {
    check((entries, view) => {
      const all = renderPrompt(entries, { ...view, budgetChars: 1_000_000 })
      const { printed, lines, promptText } = renderPrompt(entries, view)
      const weak = new Set(entries.filter((entry) => entry.isWeak).map((entry) => entry.record.memoryId))
      const told = Object.values(lines).flat()
      const weakLines = told.filter((line) => weak.has(line.slice(1, 37)))
      expect(weakLines.length).toBe(printed.filter((entry) => entry.isWeak).length)
      for (const line of weakLines) expect(line.length).toBeLessThanOrEqual(120)
      const chars = weakLines.reduce((sum, line) => sum + line.length + 1, 0)
      expect(chars).toBeLessThanOrEqual(view.budgetChars / 4)
      for (const surface of SURFACE_NAMES) {
        const flags = printed.filter((entry) => entry.surface === surface).map((entry) => entry.isWeak)
        expect(flags).toEqual(flags.toSorted((a, b) => Number(a) - Number(b)))
      }
      if (weakLines.length > 0) {
        const strong = (of: readonly GuideEntry[]) => of.filter((entry) => !entry.isWeak).length
        expect(strong(printed)).toBe(strong(all.printed))
      }
      expect(promptText.length).toBeLessThanOrEqual(view.budgetChars)
    })
  })

  test('P2: a line for use or inspection says its day, its origin unless an agent, and a confidence below 0.75', () => {
    prove(
      hostileEntries,
      anyView,
      fc.constantFrom(...ORIGINS),
      fc.constantFrom(0, 0.3, 0.7, 0.74, 0.7499, 0.75, 0.7501, 1),
      fc.integer({ min: 0, max: 4e12 }),
      (entries, view, origin, confidence, observedAtMs) => {
        const told = entries.map((entry) => ({
          ...entry,
          isWeak: false,
          record: {
            ...entry.record,
            origin,
            observedAtMs,
            content: { ...entry.record.content, confidence },
          },
        }))
        const { lines } = renderPrompt(told, view)
        const day = new Date(observedAtMs).toISOString().slice(0, 10)
        for (const line of [...lines.use_now, ...lines.inspect_before_use]) {
          const [, marks = ''] = /^\[[^\]]+\] [a-z ]+ \(([^)]*)\)/u.exec(line) ?? []
          const [date, ...others] = marks.split(', ')
          expect(date).toBe(day)
          expect(others.filter((mark) => !mark.startsWith('confidence '))).toEqual(
            origin === 'agent' ? [] : [origin],
          )
          expect(others.some((mark) => mark.startsWith('confidence '))).toBe(confidence < 0.75)
        }
      },
    )
  })

  test('relevant warnings come first, at most twelve, then usable memory', () => {
    const warnings = entriesOn('do_not_use', 20, () => 'blocked').map((entry) => ({
      ...entry,
      relevantWarning: true,
    }))
    const usable = sampleEntry(sampleRecord(idOf(100), { text: 'usable' }), { rank: 100 })
    const budgets = Array.from({ length: 200 }, (_, n) => 200 + n * 25)
    let before: readonly string[] = []
    const order: string[] = []
    for (const budgetChars of budgets) {
      const ids = renderPrompt([...warnings, usable], { ...VIEW, budgetChars }).printed.map(
        (e) => e.record.memoryId,
      )
      order.push(...ids.filter((id) => !before.includes(id)))
      before = ids
    }
    expect(order.slice(0, 12)).toEqual(warnings.slice(0, 12).map((entry) => entry.record.memoryId))
    expect(order[12]).toBe(idOf(100))
    expect(order.slice(13)).toEqual(warnings.slice(12).map((entry) => entry.record.memoryId))
  })
})

describe('what the text depends on', () => {
  test('G4: profile and role never change which memories are printed, their order or their lines', () => {
    check((entries, view) => {
      const seen = new Set<string>()
      for (const profile of PROFILES) {
        for (const role of AGENT_ROLES) {
          const { printed, lines, omitted } = renderPrompt(entries, { ...view, profile, role })
          seen.add(JSON.stringify([printed.map((entry) => entry.record.memoryId), lines, omitted]))
        }
      }
      expect(seen.size).toBe(1)
    })
  })

  test('G5: the same memories and view give the same bytes, whatever the order of arrival', () => {
    check((entries, view) => {
      const fresh = structuredClone(entries).toReversed()
      expect(renderPrompt(fresh, view).promptText).toBe(renderPrompt(entries, view).promptText)
    })
  })

  test('an empty scope gives a short text that there is no history', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const rendered = renderPrompt([], view)
        expect(rendered.promptText).toContain('there is no history')
        expect(rendered.promptText.length).toBeLessThan(700)
        expect(parsePrompt(rendered.promptText).sections.size).toBe(0)
      }),
    )
  })
})

describe('blocked memory', () => {
  test('G7: no word of a blocked memory reaches the agent, except a title that its caller gave', () => {
    const marked = (mark: string) =>
      fc.constantFrom('', 'x ', '\n## ').map((before) => `${before}${mark} ${mark}`)
    prove(
      hostileEntries,
      anyView,
      marked('zqtext'),
      fc.boolean(),
      fc.boolean(),
      (entries, view, secret, titleIsCallers, hasFindings) => {
        const blocked = entries.map((entry) =>
          entry.surface !== 'do_not_use'
            ? entry
            : {
                ...entry,
                record: {
                  ...entry.record,
                  findings: hasFindings ? ['instruction_override'] : [],
                  content: {
                    ...entry.record.content,
                    text: `zqnever ${secret}`,
                    summary: `${secret}. zqnever`,
                    nextAction: `zqnever ${secret}`,
                    acceptanceChecks: [`zqnever ${secret}`],
                    evidenceRefs: [`zqnever ${secret}`],
                    targetFiles: ['zqpath/blocked.ts'],
                    title: 'zqtitle',
                    titleIsCallers,
                  },
                  handoff:
                    entry.record.handoff === null
                      ? null
                      : { ...entry.record.handoff, handoffText: secret, nextAction: secret },
                },
              },
        )
        const rendered = renderPrompt(blocked, view)
        const context = agentContext(rendered, view)
        const { route_contract, ...rest } = context
        const { blocked_routes: _routes, blocked_direction_targets: _targets, ...routes } = route_contract
        const isOwnSummary = ({ surface, record }: GuideEntry): boolean =>
          surface === 'do_not_use' && record.domain === 'execution' && record.content.outcome === 'failed'
        // A failed run without a title may say the first sentence of its summary, or its files.
        if (!blocked.some(isOwnSummary)) {
          expect(JSON.stringify(context)).not.toContain('zqtext')
          expect(JSON.stringify([rest, routes])).not.toContain('zqpath')
        }
        const lines = rendered.lines.do_not_use.join('\n')
        expect(lines).not.toContain('zqnever')
        if (hasFindings) expect(lines).not.toContain('zqtext')
        if (!titleIsCallers || hasFindings) expect(JSON.stringify(context)).not.toContain('zqtitle')
      },
    )
  })

  test("G7: a caller's own title stands on the warning, a derived one or one that tells the text does not", () => {
    const lineFor = (content: Parameters<typeof sampleRecord>[1], findings: readonly string[] = []): string =>
      renderPrompt(
        [sampleEntry(sampleRecord(idOf(1), content, { findings }), { surface: 'do_not_use' })],
        VIEW,
      ).lines.do_not_use[0] ?? ''
    const text = 'Rotate the keys by hand every Monday.'
    expect(lineFor({ text, title: 'Key\n## rotation', titleIsCallers: true })).toContain(
      'title: "Key rotation"',
    )
    expect(lineFor({ text, title: 'Key rotation', titleIsCallers: false })).not.toContain('Key rotation')
    expect(lineFor({ text, title: 'Key rotation', titleIsCallers: true }, ['override'])).not.toContain(
      'Key rotation',
    )
    expect(lineFor({ text, title: `Note: ${text}`, titleIsCallers: true })).not.toContain('Rotate')
  })

  test('a warning names what worked instead when a usable run of the same task succeeded', () => {
    const failed = sampleRecord(
      idOf(1),
      { text: 'secret', outcome: 'failed' },
      { taskSignature: 'fix-login', runId: 'r1' },
    )
    const worked = sampleRecord(
      idOf(2),
      { text: 'Set the clock.', outcome: 'succeeded' },
      { taskSignature: 'fix-login' },
    )
    const warning = sampleEntry(failed, { surface: 'do_not_use', reason: 'The run failed.', rank: 0 })
    const line = (succeeded: GuideEntry): string | undefined =>
      renderPrompt([warning, succeeded], VIEW).lines.do_not_use[0]
    expect(line(sampleEntry(worked, { rank: 1 }))).toMatch(
      / \| worked instead: Set the clock\. \([0-9a-f-]{36}\)$/u,
    )
    expect(line(sampleEntry({ ...worked, taskSignature: 'other' }, { rank: 1 }))).not.toContain(
      'worked instead',
    )
    expect(line(sampleEntry(worked, { rank: 1, surface: 'inspect_before_use' }))).not.toContain(
      'worked instead',
    )
  })

  test('what worked is told by its title, and without an id when the guide does not show it', () => {
    const task = { taskSignature: 'fix-login' }
    const failed = sampleEntry(sampleRecord(idOf(1), { text: 'secret', outcome: 'failed' }, task), {
      surface: 'do_not_use',
    })
    const content = {
      text: 'Set the clock.',
      title: 'Fake "clock"',
      titleIsCallers: true,
      outcome: 'succeeded',
    } as const
    const worked = sampleRecord(idOf(2), content, task)
    const elsewhere = new Map([['fix-login', worked]])
    const lineWith = (known: typeof elsewhere, more: readonly GuideEntry[] = []) =>
      renderPrompt([failed, ...more], VIEW, known).lines.do_not_use[0] ?? ''
    expect(lineWith(elsewhere)).toMatch(/ \| worked instead: Fake "clock"$/u)
    expect(lineWith(elsewhere)).not.toContain(idOf(2))
    expect(lineWith(elsewhere, [sampleEntry(worked, { rank: 1 })])).toMatch(
      new RegExp(` worked instead: Fake "clock" \\(${idOf(2)}\\)$`, 'u'),
    )
    expect(lineWith(new Map([['other', worked]]))).not.toContain('worked instead')
  })
})

describe('one hostile text', () => {
  test('a single line stays a single line under its own id', () => {
    proving(600)(hostileText, fc.constantFrom(...SURFACE_NAMES), (text, surface) => {
      const entry = sampleEntry(sampleRecord(idOf(77), { text, title: text, titleIsCallers: true }), {
        surface,
        reason: text,
      })
      const parsed = parsePrompt(renderPrompt([entry], VIEW).promptText)
      expect(idsUnder(parsed, SECTION_OF[surface])).toEqual([idOf(77)])
      expect(parsed.bracketedIds).toEqual([idOf(77)])
    })
  })
})

/** The order in which lines are taken, told from the surfaces, the ranks and what is weak alone. */
function priorityOf(ranked: readonly GuideEntry[]): readonly string[] {
  const strong = ranked.filter((entry) => !entry.isWeak)
  const relevant = strong.filter((entry) => entry.relevantWarning).slice(0, 12)
  const rest = strong.filter((entry) => entry.surface === 'do_not_use' && !relevant.includes(entry))
  const on = (surface: Surface) => strong.filter((entry) => entry.surface === surface)
  const weak = ranked.filter((entry) => entry.isWeak)
  return [
    ...relevant,
    ...on('use_now'),
    ...rest,
    ...on('inspect_before_use'),
    ...on('rehydrate'),
    ...weak,
  ].map((entry) => entry.record.memoryId)
}
