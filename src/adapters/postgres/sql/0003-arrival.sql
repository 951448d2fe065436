-- Older nodes: serve beside it.
--
-- There is a row while a store is being moved into this one: no node serves from it until all of it is here.
create table memgov.arrival (
  one boolean primary key default true check (one),
  -- The id of the store that it comes from, and where that is.
  source_id text not null,
  source text not null,
  begun_at timestamptz not null default now()
);
-- A role that has served before may have been granted the tables of then only.
grant select on memgov.arrival to public;
