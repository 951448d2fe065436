-- The store of memgov. Every table is in the schema memgov; the role by which nodes serve has no right to change any.
--
-- shard:  who may write which actors. Its epoch grows with every owner, and every write of an actor is one statement that
--         looks at the epoch in the same step: what an earlier owner sends late finds another epoch and writes nothing.
-- turn:   journal and history in one. The key stays a second guard against two writers.
-- Content has statistics 0: what ANALYZE keeps of a column would outlive an erasure.

create table memgov.store (
  one boolean primary key default true check (one),
  store_id uuid not null,
  shards integer not null,
  -- Of the settings that change answers, by name; written by the first node.
  settings jsonb
);

create table memgov.node (
  id uuid primary key,
  url text not null,
  version text not null,
  expires timestamptz not null
) with (fillfactor = 50);

create table memgov.shard (
  shard integer primary key,
  owner uuid,
  epoch bigint not null default 0
) with (fillfactor = 50);

create table memgov.actor (
  shard integer not null,
  actor text collate "C" not null,
  is_written boolean not null default false,
  -- Turns that the newest snapshot covers, and the one before it.
  covered bigint not null default 0,
  covered_before bigint not null default 0,
  snapshot_bytes bigint not null default 0,
  erasing_since timestamptz,
  -- Erasures up to this turn are off the pages too.
  swept bigint not null default 0,
  primary key (shard, actor)
);
create index actor_erasing on memgov.actor (shard, actor) where erasing_since is not null;

create table memgov.turn (
  shard integer not null,
  actor text collate "C" not null,
  seq bigint not null,
  epoch bigint not null,
  at_ms bigint not null,
  payload bytea not null,
  primary key (shard, actor, seq)
) partition by hash (shard);

create table memgov.snapshot (
  shard integer not null,
  actor text collate "C" not null,
  seq bigint not null,
  part integer not null,
  bytes bytea not null,
  primary key (shard, actor, seq, part)
) partition by hash (shard);

create table memgov.exposure (
  shard integer not null,
  actor text collate "C" not null,
  trace uuid not null,
  at_ms bigint not null,
  body bytea not null,
  primary key (shard, actor, trace)
) partition by hash (shard);

create table memgov.note (
  shard integer not null,
  actor text collate "C" not null,
  id bigint generated always as identity,
  at_ms bigint not null,
  body bytea not null,
  primary key (shard, actor, id)
) partition by hash (shard);

create table memgov.vector (
  shard integer not null,
  actor text collate "C" not null,
  memory_id text collate "C" not null,
  ordinal bigint not null,
  updated_at_ms bigint not null,
  model text not null,
  -- Null: whoever wrote the memory does not want it to be embedded.
  vector bytea,
  primary key (shard, actor, memory_id)
) partition by hash (shard);

create table memgov.api_key (
  id text primary key,
  body text not null,
  is_revoked boolean not null default false,
  changes integer not null default 0
);

do $$
declare
  part text;
begin
  foreach part in array array['turn', 'snapshot', 'exposure', 'note', 'vector'] loop
    for number in 0..15 loop
      execute format(
        'create table memgov.%I partition of memgov.%I for values with (modulus 16, remainder %s)',
        part || '_' || number, part, number);
    end loop;
  end loop;
end $$;

create index on memgov.exposure (shard, actor, at_ms desc, trace desc);
alter table memgov.turn alter column payload set statistics 0;
alter table memgov.snapshot alter column bytes set statistics 0;
alter table memgov.exposure alter column body set statistics 0;
alter table memgov.note alter column body set statistics 0;
alter table memgov.vector alter column vector set statistics 0;

-- Takes a shard for a node. It waits for a write that is under way; from then on every write with an older epoch finds
-- nothing. A node whose lease has ended is removed in the same step: it cannot come back as who it was.
create function memgov.acquire_shard(wanted integer, me uuid, out granted bigint, out owner_url text)
language plpgsql as $$
declare
  holder uuid;
begin
  select owner into holder from memgov.shard where shard = wanted for update;
  perform from memgov.node where id = me and expires > clock_timestamp();
  if not found then
    return;
  end if;
  if holder is not null and holder <> me then
    delete from memgov.node where id = holder and expires <= clock_timestamp();
    select url into owner_url from memgov.node where id = holder;
    if found then
      return;
    end if;
  end if;
  update memgov.shard set owner = me, epoch = epoch + 1 where shard = wanted returning epoch into granted;
end $$;

-- Writes the partitions of a shard anew, without rows that are gone. One partition at a time in the whole database. Runs with
-- the rights of the owner, who alone may do it; gives up soon rather than hold up writers behind it.
create function memgov.rewrite_partition(part text, wanted integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
declare
  leaf text;
  ordered_by text;
begin
  if part not in ('turn', 'snapshot', 'exposure', 'note', 'vector') then
    raise exception 'there is no table % to rewrite', part;
  end if;
  perform pg_advisory_xact_lock(1835887479, 2);
  for number in 0..15 loop
    if satisfies_hash_partition(('memgov.' || part)::regclass, 16, number, wanted) then
      leaf := part || '_' || number;
    end if;
  end loop;
  select i.relname into strict ordered_by
    from pg_index x join pg_class i on i.oid = x.indexrelid
   where x.indrelid = ('memgov.' || leaf)::regclass and x.indisprimary;
  execute format('cluster memgov.%I using %I', leaf, ordered_by);
end $$;
revoke execute on function memgov.rewrite_partition(text, integer) from public;
