-- Older nodes: serve beside it.
--
-- Builds beside each other. memgov.migration lists the steps that every node has to know; memgov.pending those that are made
-- and that older nodes need not know. When no older node lives, setup moves them from here to there.

alter table memgov.migration add column made_by text;
create table memgov.pending (like memgov.migration including all);
-- A role that has served before may have been granted the tables of then only. Nothing here is about memory.
grant select on memgov.pending to public;

-- The newest step that the build of a node knows; a build that does not say it knows the first one.
alter table memgov.node add column reads integer not null default 1;
