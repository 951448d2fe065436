import type { FileReports } from '../model/commands.ts'
import type { Audience, Consumer } from '../model/record.ts'
import type { Decision } from './decision.ts'

/** Records what a request says of files, but for what its reporter has said before. */
export function noteWorkspace(
  decision: Decision,
  { changes, origin }: FileReports,
  reporter: Consumer,
  audience: Audience,
  runId: string | null,
): void {
  const authority = decision.isOperators ? 'operator' : origin
  const newest = new Map(changes.map((change) => [change.path, change]))
  const news = [...newest.values()].filter((change) =>
    decision.state.workspace.isNews(change, { audience, reporter, authority }),
  )
  if (news.length === 0) return
  decision.events.push({ type: 'workspace_changed', changes: news, audience, reporter, authority, runId })
}
