import { GuideEntry, Head, Listed, Row, Table } from '../parts/common.tsx'
import { FilterBar } from '../parts/filter-bar.tsx'
import { HostileText, said } from '../parts/hostile-text.tsx'
import { Shape } from '../parts/marks.tsx'
import { SURFACE_ORDER, shortId, surfaceWord } from '../parts/words.ts'
import { linkTo, place, where } from '../state/place.ts'
import { usePages } from '../state/use-read.ts'
import { type Guide, get } from '../wire/call.ts'
import { GuideView } from './guide.tsx'

const PAGE = 50

export function GuidesScreen() {
  const { id } = place.value
  return id === null ? <GuideList /> : <GuideView id={id} />
}

function GuideList() {
  const { run_id, task_signature, consumer_agent_id, consumer_team_id } = place.value.filters
  const call = get('/v1/operator/guides', {
    ...where(),
    run_id,
    task_signature,
    consumer_agent_id,
    consumer_team_id,
    limit: PAGE,
  })
  const pages = usePages<Guide>(call)
  const isOfSomebody = consumer_agent_id !== undefined || consumer_team_id !== undefined
  return (
    <>
      <Head calls={[call]} />
      <FilterBar
        fields={[
          { name: 'consumer_agent_id', label: 'Agent' },
          { name: 'consumer_team_id', label: 'Team' },
          { name: 'run_id', label: 'Run' },
          { name: 'task_signature', label: 'Task' },
        ]}
      />
      <Listed
        pages={pages}
        none={
          isOfSomebody
            ? 'No guide like that. Name agent and team together, as the guide was asked for.'
            : 'No guide here. An agent asks for one with POST /v1/guide or its memory tools.'
        }
      >
        {pages.items.length > 0 && <GuideTable guides={pages.items} />}
      </Listed>
    </>
  )
}

export function GuideTable({ guides }: { readonly guides: readonly Guide[] }) {
  return (
    <Table kind="list" label="Guides, the newest first" columns={['Asked', 'Shown', 'Agent', 'Task', 'Run']}>
      {guides.map((guide) => (
        <Row
          key={guide.guide_trace_id}
          of={[
            <GuideEntry id={guide.guide_trace_id} at={guide.at} />,
            guide.held_out ? (
              <span class="tag tone-watch">withheld to compare</span>
            ) : (
              <Shown guide={guide} />
            ),
            <Asker guide={guide} />,
            said(guide.task_signature),
            <span class="soft">{guide.run_id !== null && <HostileText text={shortId(guide.run_id)} />}</span>,
          ]}
        />
      ))}
    </Table>
  )
}

/** How many lines on which surface, each by its shape, with the word for those who cannot see it. */
export function Shown({
  guide,
  none = 'no memory',
}: {
  readonly guide: Pick<Guide, 'shown'>
  readonly none?: string
}) {
  const surfaces = SURFACE_ORDER.filter((surface) => guide.shown[surface] > 0)
  if (surfaces.length === 0) return <span class="soft">{none}</span>
  return (
    <span class="shown-counts">
      {surfaces.map((surface) => (
        <span key={surface} class={`mark of-${surface}`} title={surfaceWord(surface)}>
          <Shape of={surface} />
          {guide.shown[surface]}
          <span class="sr-only"> {surfaceWord(surface)}</span>
        </span>
      ))}
    </span>
  )
}

/** Guides were made for an agent with its team: the filter has to name both. */
function Asker({ guide }: { readonly guide: Guide }) {
  const { consumer_agent_id: agent, consumer_team_id: team } = guide
  const filters = { consumer_agent_id: agent, consumer_team_id: team }
  return (
    <a class="plain-link" href={linkTo({ screen: 'guides', filters })}>
      <HostileText text={agent} />
      {team !== null && (
        <span class="soft">
          {' '}
          of <HostileText text={team} />
        </span>
      )}
    </a>
  )
}
