import fc from 'fast-check'

// Memory as agents write it: prose, notes in several languages, code and logs, and texts full of names and numbers.

const SENTENCES = {
  prose: [
    'The checkout page is served by two teams, and neither of them may deploy on a Friday without telling the other one.',
    'When the customer closes the window during payment, the order stays open and is cancelled by the nightly job.',
    'Most of the slow requests come from the report screen, because it loads every invoice of the last three years.',
    'We agreed not to translate product names, since the search index holds them only in their original spelling.',
    'The person on call should first look at the queue, then at the database, and restart nothing before both are known.',
    'Reviews of the pricing rules need somebody from finance, who is usually free in the morning.',
    'It was decided that old coupons keep working until they expire, although nobody can create them any more.',
    'Tests that wait for an e-mail are flaky on weekends, and nobody has found out why so far.',
    'The warehouse does not accept returns without a label, so the label must be printed before the refund starts.',
    'A supplier sends its price list as a spreadsheet, which somebody has to check by hand before it is imported.',
  ],
  languages: [
    'Die Rechnungen werden erst nach der Freigabe durch die Buchhaltung verschickt, nie automatisch am Wochenende.',
    'Der Testserver hat keine eigene Datenbank mehr, sondern liest jede Nacht eine Kopie der Produktionsdaten ein.',
    'El informe mensual no se envía a los clientes sin la firma del responsable, aunque los datos ya estén completos.',
    'Antes de cada despliegue hay que vaciar la cola de mensajes, porque los mensajes antiguos tienen otro formato.',
    'Le serveur de secours ne prend jamais le relais tout seul ; il faut appeler la personne de garde.',
    'Перед выпуском новой версии нужно остановить фоновые задачи, иначе отчёты за месяц будут посчитаны дважды.',
    'Скидки больше не применяются автоматически, менеджер подтверждает каждую вручную.',
    '在部署之前必须先运行全部的集成测试，如果有任何一个测试失败，就不能发布新的版本，并且要通知值班的同事。',
    '旧的接口已经不再使用，请不要在新的代码里调用它；所有的请求都应该发送到新的网关。',
    '本番環境では設定ファイルを直接変更しないでください。変更は必ずレビューを受けてから反映します。',
  ],
  code: [
    'export async function loadSession(id: string): Promise<Session | null> { const row = await db.get(id); return row ?? null }',
    'if (attempt >= MAX_RETRIES) throw new RetryError(`gave up after ${attempt} tries`, { cause: lastError })',
    "SELECT order_id, total FROM orders WHERE status <> 'cancelled' AND created_at > now() - interval '7 days';",
    'docker compose -f ops/compose.yml up -d postgres redis && pnpm db:migrate && pnpm test --filter ./packages/api',
    'TypeError: Cannot read properties of undefined (reading "map") at renderRows (src/report/table.tsx:118:23)',
    'for path in $(git diff --name-only origin/main...HEAD); do npx eslint "$path" || exit 1; done',
    'def refund(order: Order, *, amount: Decimal, reason: str) -> Refund:\n    assert amount <= order.paid, "too much"',
    '2026-03-04T08:15:22Z ERROR worker-3 job=invoice-export attempt=2 timeout after 30000ms, will not retry',
    'const total = lines.reduce((sum, { price, count }) => sum + price * count, 0) // cents, never floats',
    'FATAL: password authentication failed for user "report_ro" (host 10.4.12.7, database "billing")',
  ],
  dense: [
    'auth-service v4.18.2 listens on 8443, /healthz on 9090; TOKEN_TTL_S=900, REFRESH_TTL_S=1209600, JWKS from /etc/keys/jwks.json.',
    'Do not raise max_connections above 400 on pg-prod-2 (32 GiB, shared_buffers=8GB): OOM at 512 on 2026-01-17, incident INC-2041.',
    'p95 of GET /v2/orders fell from 840 ms to 210 ms after idx_orders_customer_created (PR #3312, commit 9f2c1ab).',
    'kafka topic billing.events.v3: 24 partitions, retention.ms=604800000, min.insync.replicas=2, consumer group exporter-eu-1.',
    'S3 bucket acme-exports-prod (eu-central-1) must keep versioning; lifecycle rule 17 moves *.parquet to GLACIER_IR after 45 days.',
    'CVE-2025-31337 affects libfoo < 2.7.4; api-gateway:1.92.0 and report-worker:0.44.1 ship 2.7.3, edge:5.0.1 does not.',
    'RATE_LIMIT_RPS=250 per key, burst 40; HTTP 429 carries Retry-After: 2. Keys pk_live_* only, never sk_live_*.',
    'terraform/modules/vpc/main.tf:88 pins cidr 10.12.0.0/16; subnets a=10.12.0.0/20, b=10.12.16.0/20; NAT eip-0a9c33.',
    'Migration 0147_add_ledger_hash needs 18 min on 212M rows with CONCURRENTLY; run it with lock_timeout=5s, not in a transaction.',
    'Build 7781 failed in step 12/19: @acme/ui@3.4.0 peer react@^19.0.0, app has 18.3.1; pnpm 9.15.0, node 20.19.1.',
  ],
} as const

/** Kinds of text that a set may be of; `mixed` draws from all. */
export const TEXT_KINDS = ['prose', 'languages', 'code', 'dense', 'mixed'] as const
export type TextKind = (typeof TEXT_KINDS)[number]

/** A text of whole sentences of one kind, from 200 characters on, most below 700. */
export function realisticText(kind: TextKind): fc.Arbitrary<string> {
  const sentences: readonly string[] = kind === 'mixed' ? Object.values(SENTENCES).flat() : SENTENCES[kind]
  return fc
    .tuple(
      fc.shuffledSubarray([...sentences], { minLength: 6 }),
      fc.integer({ min: 200, max: 650 }),
      fc.boolean(),
    )
    .map(([drawn, charsMin, hasLines]) => {
      let text = ''
      for (const sentence of drawn)
        if (text.length < charsMin) text += `${text === '' ? '' : hasLines ? '\n' : ' '}${sentence}`
      return text
    })
    .filter((text) => text.length >= 200)
}

/** The middle of some numbers. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
